# make tune   tune a matmul on the Vulkan device that is here
# make test   the same set-up, then every test
#
# Both install what is missing when run as root on a Debian machine, and print the line to
# run otherwise. Once set up they use no network.

GO       ?= go
BIN      := bin/krisptune
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS  := -X github.com/krisptune/krisptune/tuner.Version=$(VERSION)

.PHONY: tune test build setup lint generate cross-arm64 check-stats check-kill check-soak check-mutants clean

tune: setup
	$(BIN) tune matmul_f32

test: setup lint
	$(GO) test -timeout 20m ./...
	GOEXPERIMENT=cgocheck2 GOGC=1 $(GO) test ./vkrt/

build: $(BIN)

# The Go tool decides what is stale; the target is phony in effect.
.PHONY: $(BIN)
$(BIN):
	@$(GO) version 2>/dev/null | grep -qE 'go(1\.(2[1-9]|[3-9][0-9])|[2-9])' || { $(call install_line,Go 1.21 or newer (it fetches the 1.26 that go.mod names; Debian 12 is older: see go.dev/dl),golang-go,golang,go); exit 1; }
	@command -v $${CC:-gcc} >/dev/null || { $(call install_line,a C compiler,gcc libc6-dev,gcc,gcc); exit 1; }
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) .

# A loader is always needed; lavapipe only where no device is found.
setup: $(BIN)
	@if ! $(BIN) devices --quiet >/dev/null 2>&1; then \
	  if ! command -v apt-get >/dev/null || [ "$$(id -u)" != 0 ]; then \
	    $(call install_line,a Vulkan loader and a driver,libvulkan1 mesa-vulkan-drivers,vulkan-loader mesa-vulkan-drivers,vulkan-icd-loader vulkan-swrast); exit 1; \
	  fi; \
	  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends libvulkan1; \
	  $(BIN) devices --quiet >/dev/null 2>&1 || { \
	    echo "no Vulkan device found: installing Mesa's CPU driver (lavapipe)"; \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends mesa-vulkan-drivers; \
	  }; \
	  $(BIN) devices --quiet >/dev/null || { $(BIN) devices; exit 1; }; \
	fi

# $(call install_line,WHAT,DEBIAN PACKAGES,FEDORA PACKAGES,ARCH PACKAGES): how to install by hand.
define install_line
if command -v dnf >/dev/null; then echo "krisptune needs $(1): sudo dnf install $(3)"; \
elif command -v pacman >/dev/null; then echo "krisptune needs $(1): sudo pacman -S $(4)"; \
elif command -v apt-get >/dev/null; then echo "krisptune needs $(1): sudo apt-get install $(2)"; \
else echo "krisptune needs $(1)"; fi
endef

lint:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo "gofmt: the files above are not formatted"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

generate:
	$(GO) generate ./...
	git diff --exit-code

cross-arm64:
	GOOS=linux GOARCH=arm64 CGO_ENABLED=1 CC=$${CC_ARM64:-aarch64-linux-gnu-gcc} $(GO) build -trimpath -o bin/arm64/krisptune .

# Long proofs; each prints a summary that is kept in the repository.
check-stats:
	$(GO) run ./tuner/stats/simulated/checkstats | tee tuner/stats/CHECK.md

check-kill: setup
	KRISPTUNE_TEST_KILLS=100 KRISPTUNE_REQUIRE_VULKAN=1 $(GO) test -v -timeout 4h -run Kill ./tuner/endurance

check-soak: setup
	KRISPTUNE_TEST_EVALUATIONS=10000 KRISPTUNE_REQUIRE_VULKAN=1 $(GO) test -v -timeout 4h -run Soak ./tuner/endurance

check-mutants: setup
	$(GO) run ./plugins/runner/mutants/checkmutants

clean:
	rm -rf bin .cache
