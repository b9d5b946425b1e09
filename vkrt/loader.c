#include <dlfcn.h>
#include <stdio.h>

#include "calls.h"

void *vkrt_loader(char *error, size_t size) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    void *get_proc = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
    if (!get_proc) {
        const char *why = dlerror();
        snprintf(error, size, "%s", why ? why : "vkGetInstanceProcAddr not found");
    }
    return get_proc;
}
