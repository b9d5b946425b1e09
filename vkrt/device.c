#include <string.h>

#include "calls.h"

// compute_features keeps, of what the device has, what compute kernels need.
// Vertex, image and capture features cost some drivers code or speed.
static void compute_features(vkrt_features *f, int robust, int statistics) {
    VkPhysicalDeviceFeatures all = f->core.features;
    f->core.features = (VkPhysicalDeviceFeatures){
        .robustBufferAccess = robust ? all.robustBufferAccess : VK_FALSE,
        .shaderFloat64 = all.shaderFloat64,
        .shaderInt64 = all.shaderInt64,
        .shaderInt16 = all.shaderInt16,
    };
    f->storage16.storageInputOutput16 = VK_FALSE;
    f->memory_model.vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
    if (!robust) f->coopmat.cooperativeMatrixRobustBufferAccess = VK_FALSE;
    if (!statistics) f->executables.pipelineExecutableInfo = VK_FALSE;
    f->pipeline_robustness.pipelineRobustness = VK_FALSE;
}

VkResult vkrt_device_create(vkrt_physical *p, int robust, int statistics, vkrt_device **out) {
    vkrt_features features = p->features;
    const char *names[VKRT_MAX_EXTENSIONS];
    uint32_t named = vkrt_features_link(p, &features, names);
    compute_features(&features, robust, statistics);

    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = p->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features.core,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = named,
                               .ppEnabledExtensionNames = names};
    vkrt_device *d = calloc(1, sizeof *d);
    if (!d) return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult r = p->instance->CreateDevice(p->handle, &info, NULL, &d->handle);
    if (r != VK_SUCCESS) {
        free(d);
        return r;
    }
#define LOAD(name) d->name = (PFN_vk##name)p->instance->GetDeviceProcAddr(d->handle, "vk" #name);
    VKRT_DEVICE_FUNCTIONS(LOAD)
    if (!features.query_reset.hostQueryReset)
        d->ResetQueryPool = NULL;
    else if (!d->ResetQueryPool) // before 1.2 it exists under the extension's name only
        d->ResetQueryPool = (PFN_vkResetQueryPool)p->instance->GetDeviceProcAddr(
            d->handle, "vkResetQueryPoolEXT");
    if (!features.executables.pipelineExecutableInfo)
        d->GetPipelineExecutablePropertiesKHR = NULL;
    *out = d;
    return VK_SUCCESS;
}

VkResult vkrt_buffer_create(vkrt_device *d, uint64_t size, void **out, VkMemoryRequirements *need) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = size,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    VkBuffer buffer = VK_NULL_HANDLE;
    VkResult r = d->CreateBuffer(d->handle, &info, NULL, &buffer);
    if (r != VK_SUCCESS) return r;
    d->GetBufferMemoryRequirements(d->handle, buffer, need);
    *out = buffer;
    return VK_SUCCESS;
}

VkResult vkrt_memory_allocate(vkrt_device *d, uint64_t size, uint32_t type, void **out) {
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = size,
                                 .memoryTypeIndex = type};
    return d->AllocateMemory(d->handle, &info, NULL, (VkDeviceMemory *)out);
}

// The whole memory is one range: no rounding to nonCoherentAtomSize is needed.
static VkMappedMemoryRange whole(void *memory) {
    return (VkMappedMemoryRange){.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = memory,
                                 .size = VK_WHOLE_SIZE};
}

VkResult vkrt_memory_flush(vkrt_device *d, void *memory) {
    VkMappedMemoryRange range = whole(memory);
    return d->FlushMappedMemoryRanges(d->handle, 1, &range);
}

VkResult vkrt_memory_invalidate(vkrt_device *d, void *memory) {
    VkMappedMemoryRange range = whole(memory);
    return d->InvalidateMappedMemoryRanges(d->handle, 1, &range);
}

VkResult vkrt_command_buffer_create(vkrt_device *d, uint32_t family, void **pool, void **buffer) {
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = family};
    VkResult r = d->CreateCommandPool(d->handle, &info, NULL, (VkCommandPool *)pool);
    if (r != VK_SUCCESS) return r;
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = *pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    return d->AllocateCommandBuffers(d->handle, &allocate, (VkCommandBuffer *)buffer);
}

VkResult vkrt_command_buffer_begin(vkrt_device *d, void *buffer) {
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return d->BeginCommandBuffer(buffer, &info);
}

void vkrt_cmd_barrier(vkrt_device *d, void *buffer, uint32_t dst_stages, uint32_t dst_access) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_READ_BIT |
                                                VK_ACCESS_SHADER_WRITE_BIT |
                                                VK_ACCESS_TRANSFER_READ_BIT |
                                                VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = dst_access};
    d->CmdPipelineBarrier(buffer,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                          dst_stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void vkrt_cmd_copy(vkrt_device *d, void *buffer, void *src, uint64_t src_offset, void *dst,
                   uint64_t dst_offset, uint64_t size) {
    VkBufferCopy region = {.srcOffset = src_offset, .dstOffset = dst_offset, .size = size};
    d->CmdCopyBuffer(buffer, src, dst, 1, &region);
}

VkResult vkrt_fence_create(vkrt_device *d, void **out) {
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    return d->CreateFence(d->handle, &info, NULL, (VkFence *)out);
}

VkResult vkrt_submit(vkrt_device *d, void *queue, void *buffer, void *fence) {
    VkCommandBuffer command = buffer;
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &command};
    return d->QueueSubmit(queue, 1, &info, fence);
}

VkResult vkrt_query_pool_create(vkrt_device *d, uint32_t count, void **out) {
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = count};
    return d->CreateQueryPool(d->handle, &info, NULL, (VkQueryPool *)out);
}

void vkrt_query_pool_reset(vkrt_device *d, void *pool, uint32_t count) {
    d->ResetQueryPool(d->handle, pool, 0, count);
}
