#!/bin/sh
# Prints the path of the pinned glslc (TOOLCHAIN names it). On first use it
# fetches Debian's packages for this processor and unpacks them under
# .cache/toolchain (or $KRISPTUNE_TOOLCHAIN), without root and without touching
# the system. glslc runs with the packages' own C library, so that the host's
# age is no matter.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
value() { sed -n "s/^$1 *= *//p" "$here/TOOLCHAIN"; }
suite=$(value suite)
package=$(value package)
version=$(value version)

fail() {
    echo "toolchain: $*" >&2
    exit 1
}

case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) fail "$package $version is used on x86_64 and aarch64; this is $(uname -m)" ;;
esac

cache=${KRISPTUNE_TOOLCHAIN:-$here/../.cache/toolchain}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
root=$cache/$package-$version-$arch
if [ -x "$root/glslc" ]; then
    echo "$root/glslc"
    exit 0
fi

for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || fail "$tool not found: fetching $package $version needs apt-get, dpkg-deb and Debian's archive keyring (on Fedora: dnf install apt dpkg debian-keyring)"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keyring ] || fail "$keyring not found: install the package debian-archive-keyring"

work=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$work/etc/parts" "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root"
: >"$work/state/status"
echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$work/etc/sources.list"
cat >"$work/apt.conf" <<CONF
APT::Architecture "$arch";
APT::Architectures "$arch";
APT::Sandbox::User "";
Dir::Etc "$work/etc";
Dir::Etc::sourcelist "sources.list";
Dir::Etc::parts "parts";
Dir::Etc::sourceparts "parts";
Dir::Etc::preferencesparts "parts";
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "1";
CONF
export APT_CONFIG="$work/apt.conf"
apt-get -qq update >"$work/log" 2>&1 && ! grep -q '^[EW]: .*\(Failed to fetch\|Could not resolve\)' "$work/log" ||
    fail "cannot reach Debian's package archive to fetch $package $version: $(grep -m1 '^[EW]:' "$work/log" || tail -n1 "$work/log")"
apt-get -qq -y install --no-install-recommends --download-only "$package=$version" >"$work/log" 2>&1 ||
    fail "cannot fetch $package $version from Debian $suite for $arch: $(grep -m1 '^E:' "$work/log" || tail -n1 "$work/log")"
for deb in "$work"/cache/archives/*.deb; do
    dpkg-deb -x "$deb" "$work/root" || fail "cannot unpack $deb"
done

cat >"$work/root/glslc" <<'RUN'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
lib=$(echo "$here"/usr/lib/*-linux-gnu)
exec "$lib"/ld-linux-*.so.* --library-path "$lib" "$here/usr/bin/glslc" "$@"
RUN
chmod +x "$work/root/glslc"
"$work/root/glslc" --version >"$work/log" 2>&1 || fail "the fetched $package $version does not run: $(tail -n1 "$work/log")"
rm -rf "$root"
mv "$work/root" "$root"
echo "$root/glslc"
