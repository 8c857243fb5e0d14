#include "app/picture/light.h"

#include "shaders/shared/picture.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

static const uint32_t LIGHT_SIDE = 256; // most stored values along an axis
static const float LIGHT_REACH = 0.2f;  // a ray's length: a tenth of the box's diagonal, which is 2

// A byte is stored for each block of (2^halvings)^3 cubes. `size` can be halved for every level.
struct light_shape {
    uint32_t halvings, size[3];
};

static struct light_shape light_shape_of(const struct cubes *cubes)
{
    struct light_shape shape = { 0 };
    for (int i = 0; i < 3; i++) {
        while ((cubes->dim[i] - 1) >> shape.halvings >= LIGHT_SIDE) {
            shape.halvings++;
        }
    }
    const uint32_t whole = 1 << (LIGHT_LEVELS - 1);
    for (int i = 0; i < 3; i++) {
        const uint32_t texels = ((cubes->dim[i] - 1) >> shape.halvings) + 1;
        shape.size[i] = (texels + whole - 1) / whole * whole;
    }
    return shape;
}

static uint64_t light_level_bytes(const struct light_shape *shape, uint32_t level)
{
    return (uint64_t)(shape->size[0] >> level) * (shape->size[1] >> level) *
           (shape->size[2] >> level);
}

static uint64_t light_solid_bytes(const struct light_shape *shape)
{
    uint64_t bytes = 0;
    for (uint32_t level = 0; level < LIGHT_LEVELS; level++) {
        bytes += light_level_bytes(shape, level);
    }
    return bytes;
}

static struct buffer_params light_buffer(const struct light_shape *shape, bool filled)
{
    return (struct buffer_params){
        .name = filled ? "solid cubes on their way" : "solid cubes",
        .size = light_solid_bytes(shape),
        .memory = filled ? BUFFER_UPLOAD : BUFFER_DEVICE,
        .purpose = PURPOSE_PICTURE,
    };
}

uint64_t light_bytes(const struct gpu *gpu, const uint32_t dim[3])
{
    struct cubes cubes = { 0 };
    cubes_shape(dim, &cubes);
    const struct light_shape shape = light_shape_of(&cubes);
    const struct buffer_params solid = light_buffer(&shape, false);
    const struct buffer_params filled = light_buffer(&shape, true);
    return buffer_bytes(gpu, &solid) + buffer_bytes(gpu, &filled);
}

bool light_create(struct gpu *gpu, struct light *out, struct problem *problem)
{
    *out = (struct light){ 0 };
    const struct buffer_params params = {
        .name = "light",
        .size = sizeof(struct light_params),
        .memory = BUFFER_DEVICE,
        .purpose = PURPOSE_PICTURE,
    };
    return buffer_create(gpu, &params, &out->params, problem);
}

uint64_t light_held(const struct light *light)
{
    return light->solid.held + light->filled.held;
}

void light_clear(struct gpu *gpu, struct light *light)
{
    buffer_destroy(gpu, &light->solid);
    buffer_destroy(gpu, &light->filled);
    light->cubes = NULL;
}

void light_destroy(struct gpu *gpu, struct light *light)
{
    light_clear(gpu, light);
    buffer_destroy(gpu, &light->params);
    *light = (struct light){ 0 };
}

bool light_fits(const struct light *light, const struct cubes *cubes)
{
    const struct light_shape shape = light_shape_of(cubes);
    return light->solid.handle && light->solid.size == buffer_rounded(light_solid_bytes(&shape));
}

bool light_fit(
    struct gpu *gpu, struct light *light, const struct cubes *cubes, struct problem *problem)
{
    if (light_fits(light, cubes)) {
        return true;
    }
    const struct light_shape shape = light_shape_of(cubes);
    const struct buffer_params solid = light_buffer(&shape, false);
    const struct buffer_params filled = light_buffer(&shape, true);
    light_clear(gpu, light);
    if (!buffer_create(gpu, &solid, &light->solid, problem) ||
        !buffer_create(gpu, &filled, &light->filled, problem)) {
        light_clear(gpu, light);
        return false;
    }
    return true;
}

void light_bind(const struct light *light, struct binding table[BINDINGS])
{
    table[BINDING_SOLID] = (struct binding){ &light->solid };
    table[BINDING_LIGHT] = (struct binding){ &light->params };
}

// ---- what is solid ----

// The share of a cube that is over the isovalue if its samples are spread evenly; 255: all of it.
static uint32_t light_share(const float range[2], double iso)
{
    const double least = range[0], most = range[1];
    if (!(most >= iso)) {
        return 0;
    }
    return least >= iso ? 255 : (uint32_t)(255 * ((most - iso) / (most - least)) + 0.5);
}

// The share of a cube that the planes keep; there are some. `at`: the cube's number along each
// axis.
static float light_kept(const struct cuts *cuts, uint32_t edge, const uint32_t at[3])
{
    float kept = cuts->all ? 0 : 1;
    for (uint32_t i = 0; i < cuts->count; i++) {
        const float *plane = cuts->at[i];
        float share = 0.5f + plane[3] / (float)edge;
        for (int c = 0; c < 3; c++) {
            share += plane[c] * ((float)at[c] + 0.5f);
        }
        share = fminf(fmaxf(share, 0), 1);
        kept = cuts->all ? fmaxf(kept, share) : fminf(kept, share);
    }
    return kept;
}

// The mean of light_share in a stored block. Cubes beyond the volume count as empty.
static uint32_t
light_mean(const struct light_source *source, uint32_t halvings, uint32_t x, uint32_t y, uint32_t z)
{
    const struct cubes *cubes = source->cubes;
    const uint32_t at[3] = { x << halvings, y << halvings, z << halvings };
    uint32_t end[3];
    for (int i = 0; i < 3; i++) {
        end[i] = at[i] + (1u << halvings);
        end[i] = end[i] < cubes->dim[i] ? end[i] : cubes->dim[i];
    }
    uint64_t sum = 0;
    for (uint32_t k = at[2]; k < end[2]; k++) {
        for (uint32_t j = at[1]; j < end[1]; j++) {
            const size_t row = ((size_t)k * cubes->dim[1] + j) * cubes->dim[0];
            for (uint32_t i = at[0]; i < end[0]; i++) {
                const uint32_t share = light_share(cubes->range[row + i], source->iso);
                sum +=
                    source->cuts.count
                        ? (uint32_t)((float)share * light_kept(&source->cuts, cubes->edge, (uint32_t[3]){ i, j, k }))
                        : share;
            }
        }
    }
    return (uint32_t)(sum >> 3 * halvings);
}

static void
light_fill_first(const struct light_source *source, const struct light_shape *shape, uint8_t *to)
{
    for (uint32_t z = 0; z < shape->size[2]; z++) {
        for (uint32_t y = 0; y < shape->size[1]; y++) {
            for (uint32_t x = 0; x < shape->size[0]; x++) {
                *to++ = (uint8_t)light_mean(source, shape->halvings, x, y, z);
            }
        }
    }
}

// Fills a level from the finer one before, which has width x height values in a layer.
static void light_fill_next(
    const uint8_t *from, size_t width, size_t height, const uint32_t size[3], uint8_t *to)
{
    for (size_t z = 0; z < size[2]; z++) {
        for (size_t y = 0; y < size[1]; y++) {
            for (size_t x = 0; x < size[0]; x++) {
                const uint8_t *a = from + (2 * z * height + 2 * y) * width + 2 * x;
                const uint8_t *b = a + height * width;
                *to++ =
                    (uint8_t)((a[0] + a[1] + a[width] + a[width + 1] + b[0] + b[1] + b[width] + b[width + 1] + 4) / 8);
            }
        }
    }
}

static void light_fill(struct light *light, const struct light_source *source)
{
    const struct light_shape shape = light_shape_of(source->cubes);
    uint8_t *level = light->filled.mapped;
    light_fill_first(source, &shape, level);
    for (uint32_t i = 1; i < LIGHT_LEVELS; i++) {
        const uint32_t size[3] = { shape.size[0] >> i, shape.size[1] >> i, shape.size[2] >> i };
        uint8_t *next = level + light_level_bytes(&shape, i - 1);
        light_fill_next(level, (size_t)size[0] * 2, (size_t)size[1] * 2, size, next);
        level = next;
    }
    light->cubes = source->cubes;
    light->iso = source->iso;
    light->cuts = source->cuts;
}

// ---- recording ----

static void light_params_of(
    const struct light_source *source, uint32_t samples, const struct placement *placement,
    struct light_params *out)
{
    const struct light_shape shape = light_shape_of(source->cubes);
    const float cube = (float)((uint64_t)source->cubes->edge << shape.halvings);
    mat4 model;
    mat3 grid;
    memcpy(model, placement->model, sizeof model);
    glm_mat4_pick3(model, grid);
    mat3 back;
    glm_mat3_inv(grid, back);
    *out = (struct light_params){ 0 };
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            out->to_cubes[c][r] = back[c][r] / cube;
            out->normal[c][r] = placement->normal[c][r];
        }
        out->to_cubes[c][3] = (float)shape.size[c];
        out->extent[c] = (float)(source->cubes->dim[c]) / (float)(1u << shape.halvings);
    }
    out->extent[3] = source->cuts.all;
    for (uint32_t i = 0; i < PLANES_MOST; i++) {
        const bool used = i < source->cuts.count;
        for (int c = 0; c < 3; c++) {
            out->planes[i][c] = used ? source->cuts.at[i][c] : 0;
        }
        out->planes[i][3] = used ? source->cuts.at[i][3] / cube : source->cuts.all ? -1e6f : 1e6f;
    }
    out->normal[0][3] = 1 / cube;
    out->normal[1][3] = LIGHT_REACH;
    out->normal[2][3] = (float)(samples ? samples : LIGHT_SAMPLES);
}

void light_record(
    struct light *light, VkCommandBuffer cmd, const struct light_source *source, uint32_t samples,
    const struct placement *placement)
{
    if (light->cubes != source->cubes || light->iso != source->iso ||
        memcmp(&light->cuts, &source->cuts, sizeof light->cuts) != 0) {
        light_fill(light, source);
    }
    const VkPipelineStageFlags2 copies =
        VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
    const VkPipelineStageFlags2 readers =
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    VkMemoryBarrier2 turn = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = readers,
        .dstStageMask = copies,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &turn,
    };
    vkCmdPipelineBarrier2(cmd, &dependency);
    const VkBufferCopy whole = { .size = light->solid.size };
    vkCmdCopyBuffer(cmd, light->filled.handle, light->solid.handle, 1, &whole);
    struct light_params params;
    light_params_of(source, samples, placement, &params);
    vkCmdUpdateBuffer(cmd, light->params.handle, 0, sizeof params, &params);
    turn.srcStageMask = copies;
    turn.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    turn.dstStageMask = readers;
    turn.dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    vkCmdPipelineBarrier2(cmd, &dependency);
}
