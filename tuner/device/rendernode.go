package device

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// ClosedNodes describes each GPU device file that exists but may not be opened by this user,
// with the group to join: a driver then reports no device and no reason.
func ClosedNodes(folder string) []string {
	nodes, _ := filepath.Glob(filepath.Join(folder, "renderD*"))
	var closed []string
	for _, n := range nodes {
		f, err := os.OpenFile(n, os.O_RDWR, 0)
		if err == nil {
			f.Close()
			continue
		}
		if !os.IsPermission(err) {
			continue
		}
		closed = append(closed, fmt.Sprintf("%s exists but may not be opened: join the group %s (usermod -aG %[2]s USER, then log in again)", n, group(n)))
	}
	return closed
}

// group names the group that owns a file.
func group(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "render"
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "render"
	}
	id := strconv.Itoa(int(st.Gid))
	if g, err := user.LookupGroupId(id); err == nil {
		return g.Name
	}
	return id
}
