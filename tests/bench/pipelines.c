// Creates the pipelines of compute/ and app/picture/ on a device, and prints what the driver's
// compiler says of each shader, a line of JSON each:
//
//     pipelines [LANES]    LANES: the smallest subgroup that the device seems to have
//
// Subgroups have the size that the program asks for, or else the driver's choice. LANES of 64 hides
// that a GPU has subgroups of 32, too. Nothing runs: no command is recorded or submitted. So RADV's
// null device will do, which compiles for an AMD GPU that is not there; pipelines.py runs it so.
// `code` is the CRC-32 of the SPIR-V, by which pipelines.py knows the shader's name.
//
// The program is linked with --wrap=volkLoadInstance. So it can put its own functions in place of
// some of Vulkan's, and compute/ and app/ know nothing of it.
#include "app/bench/words_bench.h"
#include "app/picture/composite.h"
#include "app/picture/renderer.h"
#include "compute/atlas_load.h"
#include "compute/casting/casting.h"
#include "compute/extraction/extraction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static uint32_t lanes;           // 0: the driver's own
static const char *samples = ""; // what the pipelines that come next are for

// ---- what the pipelines are made of ----

#define MODULES 4096
static struct {
    VkShaderModule module;
    uint32_t code;
} modules[MODULES];
static uint32_t module_count;

static PFN_vkCreateShaderModule create_module;

// The sum of a module as it was built: without what compute/gpu/reconvergence.c adds.
static uint32_t module_sum(const uint32_t *words, uint32_t count)
{
    uint32_t sum = (uint32_t)crc32(0, (const Bytef *)words, 20);
    for (uint32_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t op = words[at] & 0xffff;
        const bool extension =
            op == 10 && (strstr((const char *)(words + at + 1), "reconvergence") ||
                         strstr((const char *)(words + at + 1), "uniform_control"));
        const bool mode = op == 16 && (words[at + 2] == 4421 || words[at + 2] == 6023);
        if (!extension && !mode) {
            sum = (uint32_t)crc32(sum, (const Bytef *)(words + at), (words[at] >> 16) * 4);
        }
    }
    return sum;
}

static VKAPI_ATTR VkResult VKAPI_CALL note_module(
    VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *host,
    VkShaderModule *out)
{
    const VkResult result = create_module(device, info, host, out);
    if (result == VK_SUCCESS && module_count < MODULES) {
        modules[module_count].module = *out;
        modules[module_count++].code = module_sum(info->pCode, (uint32_t)(info->codeSize / 4));
    }
    return result;
}

static uint32_t code_of(VkShaderModule module)
{
    uint32_t code = 0; // the newest: a handle may come back
    for (uint32_t i = 0; i < module_count; i++) {
        code = modules[i].module == module ? modules[i].code : code;
    }
    return code;
}

// ---- what the driver's compiler says ----

static void print_statistic(const VkPipelineExecutableStatisticKHR *it)
{
    printf(", \"%s\": ", it->name);
    switch (it->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        printf("%u", it->value.b32);
        break;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        printf("%lld", (long long)it->value.i64);
        break;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        printf("%llu", (unsigned long long)it->value.u64);
        break;
    default:
        printf("%g", it->value.f64);
    }
}

#define MOST 64 // executables of a pipeline, statistics of an executable

static void print_executable(
    VkDevice device, VkPipeline pipeline, uint32_t index,
    const VkPipelineExecutablePropertiesKHR *executable,
    const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count)
{
    printf(
        "{\"executable\": \"%s\", \"lanes\": %u, \"samples\": \"%s\"", executable->name,
        executable->subgroupSize, samples);
    for (uint32_t i = 0; i < stage_count; i++) {
        if (executable->stages & stages[i].stage) {
            printf(", \"code\": %u", code_of(stages[i].module));
        }
    }
    const VkPipelineExecutableInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
        .pipeline = pipeline,
        .executableIndex = index,
    };
    VkPipelineExecutableStatisticKHR list[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        list[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR,
        };
    }
    uint32_t count = MOST;
    vkGetPipelineExecutableStatisticsKHR(device, &info, &count, list);
    for (uint32_t i = 0; i < count; i++) {
        print_statistic(&list[i]);
    }
    printf("}\n");
}

static void print_pipeline(
    VkDevice device, VkPipeline pipeline, const VkPipelineShaderStageCreateInfo *stages,
    uint32_t stage_count)
{
    const VkPipelineInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
        .pipeline = pipeline,
    };
    VkPipelineExecutablePropertiesKHR list[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        list[i] = (VkPipelineExecutablePropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR,
        };
    }
    uint32_t count = MOST;
    vkGetPipelineExecutablePropertiesKHR(device, &info, &count, list);
    for (uint32_t i = 0; i < count; i++) {
        print_executable(device, pipeline, i, &list[i], stages, stage_count);
    }
}

static PFN_vkCreateComputePipelines create_compute;
static PFN_vkCreateGraphicsPipelines create_graphics;

static VKAPI_ATTR VkResult VKAPI_CALL ask_compute(
    VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *info,
    const VkAllocationCallbacks *host, VkPipeline *out)
{
    for (uint32_t i = 0; i < count; i++) {
        VkComputePipelineCreateInfo asked = info[i];
        asked.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
        const VkResult result = create_compute(device, cache, 1, &asked, host, &out[i]);
        if (result != VK_SUCCESS) {
            return result;
        }
        print_pipeline(device, out[i], &asked.stage, 1);
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL ask_graphics(
    VkDevice device, VkPipelineCache cache, uint32_t count,
    const VkGraphicsPipelineCreateInfo *info, const VkAllocationCallbacks *host, VkPipeline *out)
{
    for (uint32_t i = 0; i < count; i++) {
        VkGraphicsPipelineCreateInfo asked = info[i];
        asked.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
        const VkResult result = create_graphics(device, cache, 1, &asked, host, &out[i]);
        if (result != VK_SUCCESS) {
            return result;
        }
        print_pipeline(device, out[i], asked.pStages, asked.stageCount);
    }
    return VK_SUCCESS;
}

// ---- Vulkan's functions, replaced ----

static PFN_vkCreateDevice create_device;
static PFN_vkGetPhysicalDeviceProperties2 get_properties;
static PFN_vkGetDeviceProcAddr get_device_proc;

static VKAPI_ATTR VkResult VKAPI_CALL create_asking_device(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *host,
    VkDevice *out)
{
    const char *names[32];
    VkDeviceCreateInfo asked = *info;
    for (uint32_t i = 0; i < info->enabledExtensionCount && i < 31; i++) {
        names[i] = info->ppEnabledExtensionNames[i];
    }
    names[asked.enabledExtensionCount++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = (void *)(uintptr_t)info->pNext,
        .pipelineExecutableInfo = VK_TRUE,
    };
    asked.pNext = &feature;
    asked.ppEnabledExtensionNames = names;
    return create_device(physical, &asked, host, out);
}

// A device without smaller subgroups than `lanes`.
static VKAPI_ATTR void VKAPI_CALL
get_posed_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    get_properties(physical, out);
    for (VkBaseOutStructure *at = out->pNext; lanes && at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
            ((VkPhysicalDeviceSubgroupSizeControlProperties *)(void *)at)->minSubgroupSize = lanes;
        }
    }
}

// RADV's null device reports no memory type, yet it allocates memory. So this program reports one
// memory type for every device. An allocation of that type takes the driver's first type that the
// host can map.
#define HEAP_BYTES ((VkDeviceSize)8 << 30)

static PFN_vkGetPhysicalDeviceMemoryProperties get_real_memory;
static PFN_vkAllocateMemory allocate;
static uint32_t mapped_kind;

static VKAPI_ATTR void VKAPI_CALL
get_memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *out)
{
    get_real_memory(physical, out);
    mapped_kind = 0;
    while (mapped_kind + 1 < out->memoryTypeCount &&
           !(out->memoryTypes[mapped_kind].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) {
        mapped_kind++;
    }
    *out = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 1,
        .memoryTypes = { { VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                           VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                           VK_MEMORY_PROPERTY_HOST_CACHED_BIT } },
        .memoryHeapCount = 1,
        .memoryHeaps = { { HEAP_BYTES, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT } },
    };
}

static VKAPI_ATTR void VKAPI_CALL
get_memory2(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    get_memory(physical, &out->memoryProperties);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
            VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = (void *)at;
            budget->heapBudget[0] = HEAP_BYTES;
            budget->heapUsage[0] = 0;
        }
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_mapped(
    VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *host,
    VkDeviceMemory *out)
{
    VkMemoryAllocateInfo mapped = *info;
    mapped.memoryTypeIndex = mapped_kind;
    return allocate(device, &mapped, host, out);
}

static PFN_vkGetBufferMemoryRequirements get_buffer_needs;

static VKAPI_ATTR void VKAPI_CALL
get_buffer_needs_of_it(VkDevice device, VkBuffer buffer, VkMemoryRequirements *out)
{
    get_buffer_needs(device, buffer, out);
    out->memoryTypeBits = 1;
}

// It cannot make images either.
static const VkMemoryRequirements image_needs = {
    .size = 1 << 20,
    .alignment = 256,
    .memoryTypeBits = 1,
};

static VKAPI_ATTR void VKAPI_CALL
get_image_needs(VkDevice device, VkImage image, VkMemoryRequirements *out)
{
    (void)device;
    (void)image;
    *out = image_needs;
}

static VKAPI_ATTR void VKAPI_CALL get_described_image_needs(
    VkDevice device, const VkDeviceImageMemoryRequirements *info, VkMemoryRequirements2 *out)
{
    (void)device;
    (void)info;
    out->memoryRequirements = image_needs;
}

static VkResult do_nothing(void)
{
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_none(VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out)
{
    (void)device;
    static int none;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        out[i] = (VkCommandBuffer)&none;
    }
    return VK_SUCCESS;
}

// Nothing can be recorded, submitted or waited for on such a device.
static const char *const nothing[] = {
    "vkBeginCommandBuffer", "vkEndCommandBuffer", "vkResetCommandBuffer", "vkFreeCommandBuffers",
    "vkQueueSubmit2",       "vkQueueWaitIdle",    "vkDeviceWaitIdle",     "vkCreateFence",
    "vkResetFences",        "vkWaitForFences",    "vkGetFenceStatus",     "vkGetQueryPoolResults",
    "vkCreateImage",        "vkCreateImageView",  "vkBindImageMemory",
};

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction real = get_device_proc(device, name);
    bool idle = strncmp(name, "vkCmd", 5) == 0;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        idle |= strcmp(name, nothing[i]) == 0;
    }
    if (idle && real) {
        return (PFN_vkVoidFunction)do_nothing;
    }
#define REPLACE(call, by)                                                                          \
    if (strcmp(name, #call) == 0) {                                                                \
        return (PFN_vkVoidFunction)(by);                                                           \
    }
#define REPLACE_AND_KEEP(call, by, kept)                                                           \
    if (strcmp(name, #call) == 0) {                                                                \
        kept = (PFN_##call)real;                                                                   \
        return (PFN_vkVoidFunction)(by);                                                           \
    }
    REPLACE(vkAllocateCommandBuffers, allocate_none)
    REPLACE(vkGetImageMemoryRequirements, get_image_needs)
    REPLACE(vkGetDeviceImageMemoryRequirements, get_described_image_needs)
    REPLACE_AND_KEEP(vkAllocateMemory, allocate_mapped, allocate)
    REPLACE_AND_KEEP(vkGetBufferMemoryRequirements, get_buffer_needs_of_it, get_buffer_needs)
    REPLACE_AND_KEEP(vkCreateShaderModule, note_module, create_module)
    REPLACE_AND_KEEP(vkCreateComputePipelines, ask_compute, create_compute)
    REPLACE_AND_KEEP(vkCreateGraphicsPipelines, ask_graphics, create_graphics)
    return real;
}

void __real_volkLoadInstance(VkInstance instance);
void __wrap_volkLoadInstance(VkInstance instance);
void __wrap_volkLoadInstance(VkInstance instance)
{
    __real_volkLoadInstance(instance);
    create_device = vkCreateDevice;
    vkCreateDevice = create_asking_device;
    get_properties = vkGetPhysicalDeviceProperties2;
    vkGetPhysicalDeviceProperties2 = get_posed_properties;
    get_real_memory = vkGetPhysicalDeviceMemoryProperties;
    vkGetPhysicalDeviceMemoryProperties = get_memory;
    vkGetPhysicalDeviceMemoryProperties2 = get_memory2;
    get_device_proc = vkGetDeviceProcAddr;
    vkGetDeviceProcAddr = get_proc;
}

// ---- every pipeline ----

static struct gpu gpu;
static struct problem problem;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if (!(call)) {                                                                             \
            fflush(stdout);                                                                        \
            fprintf(stderr, "pipelines: %s: %s\n", #call, problem.text);                           \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

// The kernels of casting and extraction for such an atlas, and with `methods` those of each method
// for its two streams: these do not depend on the storage.
static void extract(
    const char *name, uint32_t extent, enum volume_type type, const struct atlas_params *params,
    bool methods)
{
    struct volume volume;
    struct atlas atlas;
    struct extraction *extraction;
    struct cubes cubes;
    samples = name;
    TRY(volume_create((const uint32_t[3]){ extent, extent, extent }, type, &volume, &problem));
    TRY(atlas_create(&gpu, &volume, params, &atlas, &problem));
    TRY(extraction_create(&gpu, &atlas, &extraction, &problem));
    TRY(volume_cubes(&volume, NULL, &cubes, &problem));
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        struct casting casting;
        TRY(casting_create(&gpu, &atlas, &cubes, row, 1, 4, &casting, &problem));
        TRY(row != caster_default() || casting_prepare_shadow(&casting, &problem));
        // One contour, then several with planes and caps, which alone have layers.
        for (int several = 0; several < 2; several++) {
            const struct cast cast = {
                .contours = 3, .clipped = 7, .plane_count = 1, .caps = CAPS_SOLID
            };
            TRY(!several || casting_set_many(&casting, &cast, &problem));
            const struct method *method = method_next(NULL);
            for (; row->wavefront && method; method = method_next(method)) {
                // A method in kernels of its own stands for all others.
                if (method->once || method == method_find("count-scan-compact")) {
                    TRY(casting_prepare(&casting, row, method, &problem));
                    TRY(!several || casting_prepare_layers(&casting, method, &problem));
                }
            }
        }
        casting_destroy(&casting);
        // The caster's kernels for measurements.
        struct caster other = *row;
        other.buffer = row->turns_buffer;
        other.image = row->turns_image;
        if (other.buffer) {
            TRY(casting_create(&gpu, &atlas, &cubes, &other, 1, 1, &casting, &problem));
            casting_destroy(&casting);
        }
        for (const struct caster_test *test = row->tests; test && test->name; test++) {
            other.buffer = test->buffer;
            other.image = test->image;
            TRY(casting_create(&gpu, &atlas, &cubes, &other, 1, 1, &casting, &problem));
            casting_destroy(&casting);
        }
    }
    struct section section = { 0 };
    TRY(section_fit(&gpu, &section, &atlas, 1, &problem));
    section_destroy(&gpu, &section);
    struct casting parts; // with kernels of its own, and the default caster's for parts
    TRY(casting_create_parts(&gpu, &atlas, &cubes, caster_default(), 1, 4, &parts, &problem));
    casting_destroy(&parts);
    cubes_destroy(&cubes);
    const struct method *method = methods ? method_next(NULL) : NULL;
    for (; method; method = method_next(method)) {
        if (!method->selects && !extraction_refuses(extraction, method)) {
            struct surface surface = { 0 };
            TRY(extraction_prepare(extraction, &surface, method, &problem));
            surface_destroy(&gpu, &surface);
        }
    }
    extraction_destroy(extraction);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

// The kernels of each method for plain words, and those that bench compares them with.
static void compact(uint32_t count)
{
    struct words words;
    struct words_bench bench = { 0 };
    uint32_t kept;
    double ms;
    TRY(words_create(&gpu, &(struct words_params){ .count = count }, &words, &problem));
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!method->selects && !method_refuses(method, &gpu, count)) {
            TRY(words_prepare(&words, &(struct words_step){ .method = method }, &problem));
        }
    }
    for (int i = 0; i < WORDS_KERNELS; i++) {
        TRY(words_bench_run(&bench, &words, i, &words.source, count, &kept, &ms, &problem));
    }
    words_bench_destroy(&gpu, &bench);
    words_destroy(&words);
}

int main(int argc, char **argv)
{
    lanes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    TRY(gpu_create(&(struct gpu_params){ .draws = true }, &gpu, &problem));
    fprintf(stderr, "%s, %s\n", gpu.properties.deviceName, gpu.driver);
    for (int image = 0; image < 2; image++) {
        struct atlas_params params = {
            .storage = image ? ATLAS_STORAGE_IMAGE : ATLAS_STORAGE_BUFFER,
        };
        extract("uint8", 256, VOLUME_UINT8, &params, !image);
        params.gaps = true;
        extract("float32 with gaps", 64, VOLUME_FLOAT32, &params, !image);
    }
    samples = "";
    compact(4000000);
    compact(5000);
    struct renderer renderer;
    TRY(renderer_create(&gpu, VK_FORMAT_R8G8B8A8_UNORM, 0, &renderer, &problem));
    struct placement placement = { 0 };
    struct view view = { .clips = { { .kind = PLANE_I, .value = 1 }, { .kind = PLANE_J } } };
    struct volume volume;
    struct atlas atlas;
    volume_describe((const uint32_t[3]){ 8, 8, 8 }, VOLUME_UINT8, &volume);
    TRY(atlas_describe(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    const struct scene scene = { .view = &view, .placement = &placement, .atlas = &atlas };
    for (int all = 0; all < 2; all++) {
        view.clip_all = all;
        TRY(renderer_prepare(&renderer, &scene, 1, &problem));
    }
    static const VkSampleCountFlagBits counts[] = { VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT };
    const struct bands bands = bands_of(64, 64);
    for (int i = 0; i < 2; i++) {
        struct composite composite;
        TRY(composite_create(
            &gpu, &bands, VK_FORMAT_R8G8B8A8_SRGB, counts[i], &composite, &problem));
    }
    fflush(stdout);
    _exit(0); // a device without hardware may not survive its own end
}
