// Vulkan calls that take a struct, or that the binding does not have.
//
// The binding frees the memory it passes for slices of structs while C still
// reads it, so every struct here lives on the C stack or in C memory, and Go
// passes only numbers, handles and flat arrays. Handles travel as void *.

#ifndef KRISPTUNE_VKRT_CALLS_H
#define KRISPTUNE_VKRT_CALLS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "vulkan_subset.h"

// loader.c

// vkrt_loader opens libvulkan.so.1 and returns its vkGetInstanceProcAddr;
// NULL on failure, with the dynamic linker's words in error.
void *vkrt_loader(char *error, size_t size);

// instance.c

typedef struct vkrt_message {
    struct vkrt_message *next;
    uint32_t severity;
    char *id;
    char *text;
} vkrt_message;

#define VKRT_INSTANCE_FUNCTIONS(X)                                             \
    X(DestroyInstance)                                                         \
    X(GetPhysicalDeviceProperties)                                             \
    X(GetPhysicalDeviceFeatures)                                               \
    X(GetPhysicalDeviceMemoryProperties)                                       \
    X(GetPhysicalDeviceQueueFamilyProperties)                                  \
    X(GetPhysicalDeviceProperties2)                                            \
    X(GetPhysicalDeviceFeatures2)                                              \
    X(EnumerateDeviceExtensionProperties)                                      \
    X(GetPhysicalDeviceCooperativeMatrixPropertiesKHR)                         \
    X(CreateDevice)                                                            \
    X(GetDeviceProcAddr)                                                       \
    X(CreateDebugUtilsMessengerEXT)                                            \
    X(DestroyDebugUtilsMessengerEXT)

#define VKRT_FIELD(name) PFN_vk##name name;

typedef struct vkrt_instance {
    VkInstance handle;
    uint32_t api; // the version that was asked for
    VKRT_INSTANCE_FUNCTIONS(VKRT_FIELD)
    VkDebugUtilsMessengerEXT messenger;
    pthread_mutex_t lock; // guards messages: drivers report from their own threads
    vkrt_message *first, **last;
} vkrt_instance;

// vkrt_instance_create returns VK_ERROR_LAYER_NOT_PRESENT when validate is set
// and the Khronos layer or its debug utils extension is not installed.
VkResult vkrt_instance_create(void *get_proc, int validate, vkrt_instance **out);
void vkrt_instance_destroy(vkrt_instance *);
// vkrt_messages_take empties the queue; the caller frees with vkrt_message_free.
vkrt_message *vkrt_messages_take(vkrt_instance *);
vkrt_message *vkrt_message_free(vkrt_message *); // returns the next one

// physical_device.c

typedef struct vkrt_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceShaderFloat16Int8Features float16_int8;
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product;
    VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16;
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size;
    VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types;
    VkPhysicalDeviceHostQueryResetFeatures query_reset;
    VkPhysicalDeviceVulkanMemoryModelFeatures memory_model;
    VkPhysicalDeviceScalarBlockLayoutFeatures scalar_layout;
    VkPhysicalDeviceMaintenance4Features maintenance4;
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR coopmat;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
    VkPhysicalDevicePipelineRobustnessFeaturesEXT pipeline_robustness;
} vkrt_features;

typedef struct vkrt_properties {
    VkPhysicalDeviceProperties2 core;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceMaintenance3Properties maintenance3;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_size;
    VkPhysicalDeviceShaderIntegerDotProductProperties dot_product;
    VkPhysicalDeviceMaintenance4Properties maintenance4;
    VkPhysicalDeviceCooperativeMatrixPropertiesKHR coopmat;
} vkrt_properties;

// A struct that its driver does not know stays zero and unlinked.
typedef struct vkrt_physical {
    VkPhysicalDevice handle;
    vkrt_instance *instance;
    uint32_t api; // what may be used: the lower of the instance's and the device's
    uint32_t extension_count;
    VkExtensionProperties *extensions;
    vkrt_features features;
    vkrt_properties properties;
    VkPhysicalDeviceMemoryProperties memory;
    int has_compute;
    uint32_t family, timestamp_bits; // of the queue family that vkrt uses
    uint32_t shape_count;
    VkCooperativeMatrixPropertiesKHR *shapes;
} vkrt_physical;

VkResult vkrt_physical_query(vkrt_instance *, void *handle, vkrt_physical **out);
void vkrt_physical_free(vkrt_physical *);
int vkrt_physical_has(const vkrt_physical *, const char *extension);
// vkrt_features_link chains the feature structs that the device knows and
// appends the extensions to enable for them; names holds VKRT_MAX_EXTENSIONS.
enum { VKRT_MAX_EXTENSIONS = 16 };
uint32_t vkrt_features_link(const vkrt_physical *, vkrt_features *, const char **names);

// device.c

#define VKRT_DEVICE_FUNCTIONS(X)                                               \
    X(CreateBuffer)                                                            \
    X(GetBufferMemoryRequirements)                                             \
    X(AllocateMemory)                                                          \
    X(FlushMappedMemoryRanges)                                                 \
    X(InvalidateMappedMemoryRanges)                                            \
    X(CreateShaderModule)                                                      \
    X(CreatePipelineCache)                                                     \
    X(CreateDescriptorSetLayout)                                               \
    X(CreatePipelineLayout)                                                    \
    X(CreateComputePipelines)                                                  \
    X(GetPipelineExecutablePropertiesKHR)                                      \
    X(GetPipelineExecutableStatisticsKHR)                                      \
    X(CreateDescriptorPool)                                                    \
    X(AllocateDescriptorSets)                                                  \
    X(UpdateDescriptorSets)                                                    \
    X(CreateCommandPool)                                                       \
    X(AllocateCommandBuffers)                                                  \
    X(BeginCommandBuffer)                                                      \
    X(CmdPipelineBarrier)                                                      \
    X(CmdCopyBuffer)                                                           \
    X(CreateQueryPool)                                                         \
    X(ResetQueryPool)                                                          \
    X(CreateFence)                                                             \
    X(QueueSubmit)

typedef struct vkrt_device {
    VkDevice handle;
    VKRT_DEVICE_FUNCTIONS(VKRT_FIELD)
} vkrt_device;

VkResult vkrt_device_create(vkrt_physical *, int robust, int statistics, vkrt_device **out);

VkResult vkrt_buffer_create(vkrt_device *, uint64_t size, void **out, VkMemoryRequirements *);
VkResult vkrt_memory_allocate(vkrt_device *, uint64_t size, uint32_t type, void **out);
VkResult vkrt_memory_flush(vkrt_device *, void *memory);
VkResult vkrt_memory_invalidate(vkrt_device *, void *memory);

VkResult vkrt_command_buffer_create(vkrt_device *, uint32_t family, void **pool, void **buffer);
VkResult vkrt_command_buffer_begin(vkrt_device *, void *buffer);
void vkrt_cmd_barrier(vkrt_device *, void *buffer, uint32_t dst_stages, uint32_t dst_access);
void vkrt_cmd_copy(vkrt_device *, void *buffer, void *src, uint64_t src_offset, void *dst,
                   uint64_t dst_offset, uint64_t size);
VkResult vkrt_fence_create(vkrt_device *, void **out);
VkResult vkrt_submit(vkrt_device *, void *queue, void *buffer, void *fence);
VkResult vkrt_query_pool_create(vkrt_device *, uint32_t count, void **out);
void vkrt_query_pool_reset(vkrt_device *, void *pool, uint32_t count);

// pipeline.c

VkResult vkrt_module_create(vkrt_device *, const uint32_t *words, size_t bytes, void **out);
VkResult vkrt_pipeline_cache_create(vkrt_device *, const void *data, size_t size, void **out);
VkResult vkrt_set_layout_create(vkrt_device *, uint32_t n, const uint32_t *bindings, void **out);
VkResult vkrt_pipeline_layout_create(vkrt_device *, uint32_t n, void **set_layouts,
                                     uint32_t push_bytes, void **out);

typedef struct vkrt_pipeline_info {
    void *cache, *layout, *module;
    uint32_t spec_count;
    size_t data_size;
    uint32_t subgroup_size; // 0: the driver's choice
    int statistics;
} vkrt_pipeline_info;

VkResult vkrt_pipeline_create(vkrt_device *, vkrt_pipeline_info, const char *entry,
                              const uint32_t *spec_ids, const uint32_t *spec_sizes,
                              const void *spec_data, void **out);

VkResult vkrt_executables(vkrt_device *, void *pipeline, uint32_t *count,
                          VkPipelineExecutablePropertiesKHR **out);
VkResult vkrt_statistics(vkrt_device *, void *pipeline, uint32_t executable, uint32_t *count,
                         VkPipelineExecutableStatisticKHR **out);

VkResult vkrt_descriptor_sets_create(vkrt_device *, uint32_t n, void **set_layouts,
                                     uint32_t descriptors, void **pool, void **sets);
void vkrt_descriptor_write(vkrt_device *, void *set, uint32_t binding, void *buffer,
                           uint64_t offset, uint64_t range);

#endif
