#include "app/picture/composite.h"

#include "app/ranks/ranks.h"
#include "compute/gpu/label.h"
#include "compute/gpu/run.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

static const VkFormat PACKED = VK_FORMAT_R32G32_UINT;
static const uint32_t ORDERS = 256;

static struct image_params composite_packed(const struct bands *bands)
{
    return (struct image_params){
        .name = "packed samples",
        .format = PACKED,
        .width = bands->columns,
        .height = bands->rows,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .purpose = PURPOSE_PICTURE,
    };
}

static struct buffer_params composite_numbers(const struct bands *bands)
{
    return (struct buffer_params){
        .name = "packed samples for the host",
        .size = (uint64_t)bands->columns * bands->rows * sizeof(int64_t),
        .memory = BUFFER_READBACK,
        .purpose = PURPOSE_PICTURE,
    };
}

uint64_t composite_bytes(const struct gpu *gpu, const struct bands *bands)
{
    const struct image_params packed = composite_packed(bands);
    const struct buffer_params numbers = composite_numbers(bands);
    return image_bytes(gpu, &packed) + buffer_bytes(gpu, &numbers);
}

static bool composite_create_pipelines(
    struct gpu *gpu, VkFormat format, VkSampleCountFlagBits samples, struct composite *composite,
    struct problem *problem)
{
    const struct pipeline_params take = {
        .name = "samples taken",
        .vertex = &shader_whole_vert,
        .fragment = samples == VK_SAMPLE_COUNT_1_BIT ? &shader_sample_take_one_frag
                                                     : &shader_sample_take_frag,
        .format = PACKED,
    };
    struct pipeline_params put = take;
    put.name = "samples put";
    put.fragment = &shader_sample_put_frag;
    put.format = picture_bytes_format(format);
    put.depth = VK_FORMAT_D32_SFLOAT;
    put.depth_test = true;
    put.samples = samples;
    return pipeline_create(gpu, &take, &composite->take, problem) &&
           pipeline_create(gpu, &put, &composite->put, problem);
}

bool composite_create(
    struct gpu *gpu, const struct bands *bands, VkFormat format, VkSampleCountFlagBits samples,
    struct composite *out, struct problem *problem)
{
    *out = (struct composite){ .gpu = gpu };
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    if (!(limits->sampledImageColorSampleCounts & limits->sampledImageDepthSampleCounts &
          samples)) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED,
            "%s cannot read pictures of %u samples per pixel, which several ranks need: choose "
            "fewer with --samples",
            gpu->properties.deviceName, samples);
    }
    const struct image_params packed = composite_packed(bands);
    const struct buffer_params numbers = composite_numbers(bands);
    if (!composite_create_pipelines(gpu, format, samples, out, problem) ||
        !image_create(gpu, &packed, &out->packed, problem) ||
        !buffer_create(gpu, &numbers, &out->numbers, problem)) {
        composite_destroy(out);
        return false;
    }
    return true;
}

void composite_destroy(struct composite *composite)
{
    struct gpu *gpu = composite->gpu;
    if (gpu) {
        pipeline_destroy(gpu, &composite->take);
        pipeline_destroy(gpu, &composite->put);
        image_destroy(gpu, &composite->packed);
        buffer_destroy(gpu, &composite->numbers);
    }
    *composite = (struct composite){ 0 };
}

// The image that has the picture's samples.
static const struct image *composite_colours(const struct picture *picture)
{
    return picture->samples > VK_SAMPLE_COUNT_1_BIT ? &picture->colour : &picture->resolved;
}

static void composite_bind(struct composite *composite, const struct picture *picture)
{
    const struct binding table[BINDINGS] = {
        [BINDING_DRAWN] = { .image = composite_colours(picture), .view = 1 },
        [BINDING_DEPTHS] = { .image = &picture->depth },
        [BINDING_PACKED] = { &composite->numbers },
    };
    descriptors_bind(composite->gpu, &composite->take.descriptors, table);
    descriptors_bind(composite->gpu, &composite->put.descriptors, table);
}

// Makes colour and depth readable by shaders (`read`), or ready to be drawn into again.
static void composite_turn(VkCommandBuffer cmd, const struct picture *picture, bool read)
{
    struct image_turn colour = {
        .image = composite_colours(picture)->handle,
        .from_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .from_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .to_stage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .to_access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    struct image_turn depth = colour;
    depth.image = picture->depth.handle;
    depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    depth.from_stage =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    depth.from_access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    depth.from = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    struct image_turn *const turns[] = { &colour, &depth };
    for (int i = 0; i < 2; i++) {
        struct image_turn turn = *turns[i];
        if (!read) {
            turn.from_stage = turns[i]->to_stage;
            turn.from_access = 0;
            turn.to_stage = turns[i]->from_stage;
            turn.to_access =
                turns[i]->from_access | (i ? VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT
                                           : VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT);
            turn.from = turns[i]->to;
            turn.to = turns[i]->from;
        }
        image_turn(cmd, &turn);
    }
}

// Draws one triangle over the band. `depth`: VK_NULL_HANDLE if there is none.
static void composite_draw(
    const struct pipeline *pipeline, VkCommandBuffer cmd, VkImageView colour, VkImageView depth,
    const struct band *band, uint32_t number)
{
    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = colour,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = depth ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingAttachmentInfo depths = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = depth,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = { band->width, band->height },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &target,
        .pDepthAttachment = depth ? &depths : NULL,
    };
    const VkViewport viewport = {
        .width = (float)band->width,
        .height = (float)band->height,
        .maxDepth = 1,
    };
    const struct ranks *all = ranks();
    const uint64_t order = (uint64_t)all->rank * ORDERS / (uint64_t)all->count;
    const struct composite_push push = {
        .number = number,
        .order = (uint32_t)all->count <= ORDERS ? (uint32_t)all->rank : (uint32_t)order,
        .width = band->width,
    };
    vkCmdBeginRendering(cmd, &info);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &info.renderArea);
    pipeline_use(pipeline, cmd, false, &push);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRendering(cmd);
}

// Copies sample `number` of each pixel to the host.
static bool composite_take(
    const struct composite *composite, const struct picture *picture, const struct band *band,
    uint32_t number, struct problem *problem)
{
    struct gpu *gpu = composite->gpu;
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    label_begin(gpu, cmd, "samples taken");
    struct image_turn packed = {
        .image = composite->packed.handle,
        .from_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .to_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .to_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    image_turn(cmd, &packed);
    composite_turn(cmd, picture, true);
    composite_draw(&composite->take, cmd, composite->packed.view, VK_NULL_HANDLE, band, number);
    composite_turn(cmd, picture, false);
    packed = (struct image_turn){
        .image = composite->packed.handle,
        .from_stage = packed.to_stage,
        .from_access = packed.to_access,
        .to_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .to_access = VK_ACCESS_2_TRANSFER_READ_BIT,
        .from = packed.to,
        .to = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    image_turn(cmd, &packed);
    const VkBufferImageCopy region = {
        .imageSubresource = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1 },
        .imageExtent = { band->width, band->height, 1 },
    };
    run_use(&run, &composite->numbers, ACCESS_COPY_TO); // for the copy that follows
    vkCmdCopyImageToBuffer(
        cmd, composite->packed.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        composite->numbers.handle, 1, &region);
    run_use(&run, &composite->numbers, ACCESS_HOST);
    label_end(gpu, cmd);
    return gpu_submit_and_wait(gpu, cmd, problem);
}

static bool composite_put(
    const struct composite *composite, const struct picture *picture, const struct band *band,
    uint32_t number, struct problem *problem)
{
    struct gpu *gpu = composite->gpu;
    VkCommandBuffer cmd = gpu_begin(gpu, problem);
    if (!cmd) {
        return false;
    }
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    run_use(&run, &composite->numbers, ACCESS_SHOW);
    label_begin(gpu, cmd, "samples put");
    composite_draw(
        &composite->put, cmd, composite_colours(picture)->bytes, picture->depth.view, band, number);
    label_end(gpu, cmd);
    return gpu_submit_and_wait(gpu, cmd, problem);
}

bool composite_band(
    struct composite *composite, const struct picture *picture, const struct band *band,
    struct problem *problem)
{
    const size_t count = (size_t)band->width * band->height;
    bool fine = true;
    composite_bind(composite, picture);
    for (uint32_t number = 0; fine && number < picture->samples; number++) {
        fine = composite_take(composite, picture, band, number, problem) &&
               ranks_least(composite->numbers.mapped, count, problem) &&
               (ranks()->rank > 0 || composite_put(composite, picture, band, number, problem));
    }
    return fine;
}
