#include <string.h>

#include "calls.h"

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT type,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)type;
    vkrt_instance *in = user;
    vkrt_message *m = calloc(1, sizeof *m);
    if (!m) return VK_FALSE;
    m->severity = severity;
    m->id = strdup(data->pMessageIdName ? data->pMessageIdName : "");
    m->text = strdup(data->pMessage ? data->pMessage : "");
    pthread_mutex_lock(&in->lock);
    *in->last = m;
    in->last = &m->next;
    pthread_mutex_unlock(&in->lock);
    return VK_FALSE;
}

vkrt_message *vkrt_messages_take(vkrt_instance *in) {
    pthread_mutex_lock(&in->lock);
    vkrt_message *first = in->first;
    in->first = NULL;
    in->last = &in->first;
    pthread_mutex_unlock(&in->lock);
    return first;
}

vkrt_message *vkrt_message_free(vkrt_message *m) {
    vkrt_message *next = m->next;
    free(m->id);
    free(m->text);
    free(m);
    return next;
}

// has_layer asks for the layer's own extensions: a missing layer is an error,
// and one without debug utils could not report anything.
static int has_layer(PFN_vkEnumerateInstanceExtensionProperties enumerate) {
    uint32_t n = 0;
    if (!enumerate || enumerate(validation_layer, &n, NULL) != VK_SUCCESS || n == 0) return 0;
    VkExtensionProperties *list = calloc(n, sizeof *list);
    int found = 0;
    if (list && enumerate(validation_layer, &n, list) >= 0)
        for (uint32_t i = 0; i < n; i++)
            found |= strcmp(list[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0;
    free(list);
    return found;
}

VkResult vkrt_instance_create(void *loader, int validate, vkrt_instance **out) {
    PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)loader;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    PFN_vkEnumerateInstanceVersion version =
        (PFN_vkEnumerateInstanceVersion)get(NULL, "vkEnumerateInstanceVersion");
    if (!create || !version) return VK_ERROR_INITIALIZATION_FAILED; // a Vulkan 1.0 loader
    if (validate && !has_layer((PFN_vkEnumerateInstanceExtensionProperties)get(
                        NULL, "vkEnumerateInstanceExtensionProperties")))
        return VK_ERROR_LAYER_NOT_PRESENT;

    vkrt_instance *in = calloc(1, sizeof *in);
    if (!in) return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_init(&in->lock, NULL);
    in->last = &in->first;
    // 1.3 is the newest version whose core names are used here.
    if (version(&in->api) != VK_SUCCESS) in->api = VK_API_VERSION_1_1;
    if (in->api > VK_API_VERSION_1_3) in->api = VK_API_VERSION_1_3;

    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .pApplicationName = "krisptune",
                             .apiVersion = in->api};
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        // General messages are the loader's own troubles with other drivers.
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = in};
    const char *layers[] = {validation_layer};
    const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = validate ? &messenger : NULL,
                                 .pApplicationInfo = &app,
                                 .enabledLayerCount = validate ? 1 : 0,
                                 .ppEnabledLayerNames = layers,
                                 .enabledExtensionCount = validate ? 1 : 0,
                                 .ppEnabledExtensionNames = extensions};
    VkResult r = create(&info, NULL, &in->handle);
    if (r == VK_SUCCESS) {
#define LOAD(name) in->name = (PFN_vk##name)get(in->handle, "vk" #name);
        VKRT_INSTANCE_FUNCTIONS(LOAD)
        if (validate && in->CreateDebugUtilsMessengerEXT)
            r = in->CreateDebugUtilsMessengerEXT(in->handle, &messenger, NULL, &in->messenger);
        else if (validate)
            r = VK_ERROR_LAYER_NOT_PRESENT;
    }
    if (r != VK_SUCCESS) {
        vkrt_instance_destroy(in);
        return r;
    }
    *out = in;
    return VK_SUCCESS;
}

void vkrt_instance_destroy(vkrt_instance *in) {
    if (in->messenger) in->DestroyDebugUtilsMessengerEXT(in->handle, in->messenger, NULL);
    if (in->handle) in->DestroyInstance(in->handle, NULL);
    for (vkrt_message *m = vkrt_messages_take(in); m;) m = vkrt_message_free(m);
    pthread_mutex_destroy(&in->lock);
    free(in);
}
