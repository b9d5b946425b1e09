#include <string.h>

#include "calls.h"

VkResult vkrt_module_create(vkrt_device *d, const uint32_t *words, size_t bytes, void **out) {
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = bytes,
                                     .pCode = words};
    return d->CreateShaderModule(d->handle, &info, NULL, (VkShaderModule *)out);
}

VkResult vkrt_pipeline_cache_create(vkrt_device *d, const void *data, size_t size, void **out) {
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                      .initialDataSize = size,
                                      .pInitialData = data};
    return d->CreatePipelineCache(d->handle, &info, NULL, (VkPipelineCache *)out);
}

VkResult vkrt_set_layout_create(vkrt_device *d, uint32_t n, const uint32_t *bindings, void **out) {
    VkDescriptorSetLayoutBinding *list = calloc(n ? n : 1, sizeof *list);
    if (!list) return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        list[i] = (VkDescriptorSetLayoutBinding){
            .binding = bindings[i],
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = n,
        .pBindings = list};
    VkResult r =
        d->CreateDescriptorSetLayout(d->handle, &info, NULL, (VkDescriptorSetLayout *)out);
    free(list);
    return r;
}

VkResult vkrt_pipeline_layout_create(vkrt_device *d, uint32_t n, void **set_layouts,
                                     uint32_t push_bytes, void **out) {
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = push_bytes};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = n,
                                       .pSetLayouts = (VkDescriptorSetLayout *)set_layouts,
                                       .pushConstantRangeCount = push_bytes ? 1 : 0,
                                       .pPushConstantRanges = &range};
    return d->CreatePipelineLayout(d->handle, &info, NULL, (VkPipelineLayout *)out);
}

VkResult vkrt_pipeline_create(vkrt_device *d, vkrt_pipeline_info in, const char *entry,
                              const uint32_t *spec_ids, const uint32_t *spec_sizes,
                              const void *spec_data, void **out) {
    VkSpecializationMapEntry *map = calloc(in.spec_count ? in.spec_count : 1, sizeof *map);
    if (!map) return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < in.spec_count; i++) {
        map[i] = (VkSpecializationMapEntry){
            .constantID = spec_ids[i], .offset = offset, .size = spec_sizes[i]};
        offset += spec_sizes[i];
    }
    VkSpecializationInfo spec = {.mapEntryCount = in.spec_count,
                                 .pMapEntries = map,
                                 .dataSize = in.data_size,
                                 .pData = spec_data};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = in.subgroup_size};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = in.statistics ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = in.subgroup_size ? &subgroup : NULL,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = in.module,
                  .pName = entry,
                  .pSpecializationInfo = in.spec_count ? &spec : NULL},
        .layout = in.layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult r = d->CreateComputePipelines(d->handle, in.cache, 1, &info, NULL, &pipeline);
    free(map);
    *out = pipeline;
    return r;
}

VkResult vkrt_executables(vkrt_device *d, void *pipeline, uint32_t *count,
                          VkPipelineExecutablePropertiesKHR **out) {
    VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    *count = 0;
    VkResult r = d->GetPipelineExecutablePropertiesKHR(d->handle, &info, count, NULL);
    if (r != VK_SUCCESS) return r;
    *out = calloc(*count ? *count : 1, sizeof **out);
    if (!*out) return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < *count; i++)
        (*out)[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    return d->GetPipelineExecutablePropertiesKHR(d->handle, &info, count, *out);
}

VkResult vkrt_statistics(vkrt_device *d, void *pipeline, uint32_t executable, uint32_t *count,
                         VkPipelineExecutableStatisticKHR **out) {
    VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                        .pipeline = pipeline,
                                        .executableIndex = executable};
    *count = 0;
    VkResult r = d->GetPipelineExecutableStatisticsKHR(d->handle, &info, count, NULL);
    if (r != VK_SUCCESS) return r;
    *out = calloc(*count ? *count : 1, sizeof **out);
    if (!*out) return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < *count; i++)
        (*out)[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    return d->GetPipelineExecutableStatisticsKHR(d->handle, &info, count, *out);
}

VkResult vkrt_descriptor_sets_create(vkrt_device *d, uint32_t n, void **set_layouts,
                                     uint32_t descriptors, void **pool, void **sets) {
    VkDescriptorPoolSize size = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                 .descriptorCount = descriptors};
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = n,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult r = d->CreateDescriptorPool(d->handle, &info, NULL, (VkDescriptorPool *)pool);
    if (r != VK_SUCCESS) return r;
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = *pool,
                                            .descriptorSetCount = n,
                                            .pSetLayouts = (VkDescriptorSetLayout *)set_layouts};
    return d->AllocateDescriptorSets(d->handle, &allocate, (VkDescriptorSet *)sets);
}

void vkrt_descriptor_write(vkrt_device *d, void *set, uint32_t binding, void *buffer,
                           uint64_t offset, uint64_t range) {
    VkDescriptorBufferInfo info = {.buffer = buffer, .offset = offset, .range = range};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &info};
    d->UpdateDescriptorSets(d->handle, 1, &write, 0, NULL);
}
