#include <stddef.h>
#include <string.h>

#include "calls.h"

// A row of a table says which struct of a chain a device knows: those of a core
// version, or of an extension. Linking others is allowed but leaves them
// unwritten on some drivers, so they are left out.
typedef struct row {
    size_t offset;
    VkStructureType type;
    uint32_t core; // 0: never promoted, as far as the versions used here go
    const char *extension;
} row;

#define FEATURE(field, type, core, extension) \
    {offsetof(vkrt_features, field), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, core, extension}
#define PROPERTY(field, type, core, extension) \
    {offsetof(vkrt_properties, field), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, core, extension}

static const row feature_rows[] = {
    FEATURE(storage16, 16BIT_STORAGE_FEATURES, VK_API_VERSION_1_1, "VK_KHR_16bit_storage"),
    FEATURE(storage8, 8BIT_STORAGE_FEATURES, VK_API_VERSION_1_2, "VK_KHR_8bit_storage"),
    FEATURE(float16_int8, SHADER_FLOAT16_INT8_FEATURES, VK_API_VERSION_1_2,
            "VK_KHR_shader_float16_int8"),
    FEATURE(dot_product, SHADER_INTEGER_DOT_PRODUCT_FEATURES, VK_API_VERSION_1_3,
            "VK_KHR_shader_integer_dot_product"),
    FEATURE(bfloat16, SHADER_BFLOAT16_FEATURES_KHR, 0, "VK_KHR_shader_bfloat16"),
    FEATURE(subgroup_size, SUBGROUP_SIZE_CONTROL_FEATURES, VK_API_VERSION_1_3,
            "VK_EXT_subgroup_size_control"),
    FEATURE(subgroup_types, SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, VK_API_VERSION_1_2,
            "VK_KHR_shader_subgroup_extended_types"),
    FEATURE(query_reset, HOST_QUERY_RESET_FEATURES, VK_API_VERSION_1_2, "VK_EXT_host_query_reset"),
    FEATURE(memory_model, VULKAN_MEMORY_MODEL_FEATURES, VK_API_VERSION_1_2,
            "VK_KHR_vulkan_memory_model"),
    FEATURE(scalar_layout, SCALAR_BLOCK_LAYOUT_FEATURES, VK_API_VERSION_1_2,
            "VK_EXT_scalar_block_layout"),
    FEATURE(maintenance4, MAINTENANCE_4_FEATURES, VK_API_VERSION_1_3, "VK_KHR_maintenance4"),
    FEATURE(coopmat, COOPERATIVE_MATRIX_FEATURES_KHR, 0, "VK_KHR_cooperative_matrix"),
    FEATURE(executables, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, 0,
            "VK_KHR_pipeline_executable_properties"),
    FEATURE(pipeline_robustness, PIPELINE_ROBUSTNESS_FEATURES, 0, "VK_EXT_pipeline_robustness"),
};

static const row property_rows[] = {
    PROPERTY(id, ID_PROPERTIES, VK_API_VERSION_1_1, NULL),
    PROPERTY(maintenance3, MAINTENANCE_3_PROPERTIES, VK_API_VERSION_1_1, NULL),
    PROPERTY(subgroup, SUBGROUP_PROPERTIES, VK_API_VERSION_1_1, NULL),
    PROPERTY(driver, DRIVER_PROPERTIES, VK_API_VERSION_1_2, "VK_KHR_driver_properties"),
    PROPERTY(subgroup_size, SUBGROUP_SIZE_CONTROL_PROPERTIES, VK_API_VERSION_1_3,
             "VK_EXT_subgroup_size_control"),
    PROPERTY(dot_product, SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VK_API_VERSION_1_3,
             "VK_KHR_shader_integer_dot_product"),
    PROPERTY(maintenance4, MAINTENANCE_4_PROPERTIES, VK_API_VERSION_1_3, "VK_KHR_maintenance4"),
    PROPERTY(coopmat, COOPERATIVE_MATRIX_PROPERTIES_KHR, 0, "VK_KHR_cooperative_matrix"),
};

int vkrt_physical_has(const vkrt_physical *p, const char *extension) {
    for (uint32_t i = 0; extension && i < p->extension_count; i++)
        if (strcmp(p->extensions[i].extensionName, extension) == 0) return 1;
    return 0;
}

static int is_core(const vkrt_physical *p, const row *r) { return r->core && p->api >= r->core; }

static uint32_t link(const vkrt_physical *p, void *base, const row *rows, size_t n,
                     const char **names) {
    VkBaseOutStructure *tail = base;
    uint32_t named = 0;
    tail->pNext = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!is_core(p, &rows[i])) {
            if (!vkrt_physical_has(p, rows[i].extension)) continue;
            if (names) names[named++] = rows[i].extension;
        }
        VkBaseOutStructure *next = (VkBaseOutStructure *)((char *)base + rows[i].offset);
        next->sType = rows[i].type;
        next->pNext = NULL;
        tail->pNext = next;
        tail = next;
    }
    return named;
}

#define ROWS(table) table, sizeof table / sizeof table[0]

uint32_t vkrt_features_link(const vkrt_physical *p, vkrt_features *f, const char **names) {
    _Static_assert(sizeof feature_rows / sizeof feature_rows[0] <= VKRT_MAX_EXTENSIONS,
                   "names would overflow");
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    return link(p, f, ROWS(feature_rows), names);
}

static VkResult query_extensions(vkrt_physical *p) {
    VkResult r;
    do { // the list may grow between the two calls
        uint32_t n = 0;
        r = p->instance->EnumerateDeviceExtensionProperties(p->handle, NULL, &n, NULL);
        if (r != VK_SUCCESS) return r;
        free(p->extensions);
        p->extension_count = 0;
        p->extensions = calloc(n ? n : 1, sizeof *p->extensions);
        if (!p->extensions) return VK_ERROR_OUT_OF_HOST_MEMORY;
        r = p->instance->EnumerateDeviceExtensionProperties(p->handle, NULL, &n, p->extensions);
        p->extension_count = n;
    } while (r == VK_INCOMPLETE);
    return r;
}

// query_family takes the first compute family, but one with timestamps if any has them.
static VkResult query_family(vkrt_physical *p) {
    uint32_t n = 0;
    p->instance->GetPhysicalDeviceQueueFamilyProperties(p->handle, &n, NULL);
    VkQueueFamilyProperties *families = calloc(n ? n : 1, sizeof *families);
    if (!families) return VK_ERROR_OUT_OF_HOST_MEMORY;
    p->instance->GetPhysicalDeviceQueueFamilyProperties(p->handle, &n, families);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bits = families[i].timestampValidBits;
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
            continue;
        if (!p->has_compute || (p->timestamp_bits == 0 && bits > 0)) {
            p->has_compute = 1;
            p->family = i;
            p->timestamp_bits = bits;
        }
    }
    free(families);
    return VK_SUCCESS;
}

static VkResult query_shapes(vkrt_physical *p) {
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR get =
        p->instance->GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
    uint32_t n = 0;
    if (!get || !p->features.coopmat.cooperativeMatrix) return VK_SUCCESS;
    VkResult r = get(p->handle, &n, NULL);
    if (r != VK_SUCCESS || n == 0) return r;
    p->shapes = calloc(n, sizeof *p->shapes);
    if (!p->shapes) return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        p->shapes[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    r = get(p->handle, &n, p->shapes);
    if (r < 0) return r;
    p->shape_count = n;
    return VK_SUCCESS;
}

VkResult vkrt_physical_query(vkrt_instance *in, void *handle, vkrt_physical **out) {
    vkrt_physical *p = calloc(1, sizeof *p);
    if (!p) return VK_ERROR_OUT_OF_HOST_MEMORY;
    p->instance = in;
    p->handle = handle;
    in->GetPhysicalDeviceProperties(handle, &p->properties.core.properties);
    in->GetPhysicalDeviceMemoryProperties(handle, &p->memory);
    p->api = p->properties.core.properties.apiVersion;
    if (p->api > in->api) p->api = in->api;

    VkResult r = query_extensions(p);
    if (r == VK_SUCCESS) r = query_family(p);
    if (r == VK_SUCCESS && p->api >= VK_API_VERSION_1_1) {
        p->properties.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
        link(p, &p->properties, ROWS(property_rows), NULL);
        in->GetPhysicalDeviceProperties2(handle, &p->properties.core);
        vkrt_features_link(p, &p->features, NULL);
        in->GetPhysicalDeviceFeatures2(handle, &p->features.core);
        r = query_shapes(p);
    } else if (r == VK_SUCCESS) {
        in->GetPhysicalDeviceFeatures(handle, &p->features.core.features);
    }
    if (r != VK_SUCCESS) {
        vkrt_physical_free(p);
        return r;
    }
    *out = p;
    return VK_SUCCESS;
}

void vkrt_physical_free(vkrt_physical *p) {
    free(p->extensions);
    free(p->shapes);
    free(p);
}
