#include "compute/casting/section.h"

#include "compute/atlas_keys.h"
#include "compute/casting/spans.h"
#include "shaders.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct cast_push) <= 128, "cast_push is over 128 bytes");

static struct buffer_params section_colours(uint64_t pixels)
{
    return (struct buffer_params){
        .name = "colours of planes",
        .size = pixels * 8,
        .purpose = PURPOSE_PICTURE,
    };
}

static const struct buffer_params section_block = {
    .name = "planes of a picture",
    .size = sizeof(struct section_block),
    .purpose = PURPOSE_PICTURE,
};

uint64_t section_bytes(const struct gpu *gpu, uint64_t pixels)
{
    const struct buffer_params colours = section_colours(pixels);
    return buffer_bytes(gpu, &colours) + buffer_bytes(gpu, &section_block);
}

// The constants of the kernel. It is told of a part which slices and rows are its own.
static void section_constants(const struct atlas *atlas, uint32_t constants[CONSTANTS])
{
    const bool part = memcmp(atlas->dim, atlas->whole, sizeof atlas->dim) != 0;
    atlas_constants(atlas, constants);
    constants[CONSTANT_OWN_FIRST] = constants[CONSTANT_OWN_Y_FIRST] = 0;
    constants[CONSTANT_OWN_LAST] = atlas->dim[2] - 1;
    constants[CONSTANT_OWN_Y_LAST] = atlas->dim[1] - 1;
    constants[CONSTANT_WHOLE_Y] = part ? atlas->whole[1] : 0;
    constants[CONSTANT_WHOLE_Z] = part ? atlas->whole[2] : 0;
}

bool section_fit(
    struct gpu *gpu, struct section *section, const struct atlas *atlas, uint64_t pixels,
    struct problem *problem)
{
    const struct buffer_params colours = section_colours(pixels);
    uint32_t constants[CONSTANTS];
    section_constants(atlas, constants);
    if (memcmp(constants, section->constants, sizeof constants) != 0) {
        kernel_destroy(gpu, &section->kernel);
    }
    if (section->colours.size < colours.size) {
        buffer_destroy(gpu, &section->colours);
    }
    const bool image = atlas->storage == ATLAS_STORAGE_IMAGE;
    const struct kernel_params kernel = {
        .name = "planes",
        .shader = image ? &shader_cast_section_image : &shader_cast_section_buffer,
        .constants = constants,
    };
    memcpy(section->constants, constants, sizeof constants);
    if ((section->kernel.pipeline || kernel_create(gpu, &kernel, &section->kernel, problem)) &&
        (section->block.handle || buffer_create(gpu, &section_block, &section->block, problem)) &&
        (section->colours.handle || buffer_create(gpu, &colours, &section->colours, problem))) {
        return true;
    }
    section_destroy(gpu, section);
    return false;
}

void section_destroy(struct gpu *gpu, struct section *section)
{
    kernel_destroy(gpu, &section->kernel);
    buffer_destroy(gpu, &section->block);
    buffer_destroy(gpu, &section->colours);
    *section = (struct section){ 0 };
}

// Widens the rectangle `out`, of left, top, right and bottom, so that it has the points where the
// plane meets the edges of the box of the atlas's samples. False: a point is beside the eye.
static bool section_outline(
    const struct spans_push *to, const uint32_t base[3], const uint32_t dim[3],
    const float plane[4], float begin, double out[4])
{
    for (int edge = 0; edge < 12; edge++) {
        const int axis = edge >> 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double p[3] = { base[0], base[1], base[2] };
        p[u] += edge & 1 ? dim[u] - 1 : 0;
        p[v] += edge >> 1 & 1 ? dim[v] - 1 : 0;
        const double first = (double)plane[0] * p[0] + (double)plane[1] * p[1] +
                             (double)plane[2] * p[2] + (double)plane[3];
        const double slope = (double)plane[axis];
        // A plane along an edge meets its ends; a bit of slack allows for rounding.
        const double way = slope == 0 ? (fabs(first) < 1e-3 ? 0 : -1) : -first / slope;
        const double most = dim[axis] - 1, slack = 1e-3;
        if (way < -slack || way > most + slack) {
            continue;
        }
        for (int end = 0; end < (slope == 0 ? 2 : 1); end++) {
            double q[3] = { p[0], p[1], p[2] };
            q[axis] += slope == 0 ? end * most : way;
            double at[3] = { (double)to->x[3], (double)to->y[3], (double)to->t[3] };
            for (int k = 0; k < 3; k++) {
                at[0] += (double)to->x[k] * (q[k] - base[k]);
                at[1] += (double)to->y[k] * (q[k] - base[k]);
                at[2] += (double)to->t[k] * (q[k] - base[k]);
            }
            const double s = (double)to->perspective * at[2] + 1;
            if (s <= 0 || (at[2] < (double)begin && to->perspective > 0)) {
                return false;
            }
            out[0] = fmin(out[0], at[0] / s);
            out[1] = fmin(out[1], at[1] / s);
            out[2] = fmax(out[2], at[0] / s);
            out[3] = fmax(out[3], at[1] / s);
        }
    }
    return true;
}

// Sets the rectangle of the pixels that the planes may cover.
static void section_bound(
    struct section *section, const struct atlas *atlas, const struct section_params *params)
{
    const uint32_t base[3] = { 0, atlas->base_y, atlas->base_z };
    const double width = params->width, height = params->height;
    double rim[4] = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    struct spans_push to;
    spans_of(
        &params->rays, base, atlas->dim, params->x, params->y, params->width, params->height, &to);
    for (uint32_t i = 0; i < params->count; i++) {
        if (!section_outline(&to, base, atlas->dim, params->planes[i], params->rays.begin, rim)) {
            rim[0] = rim[1] = 0;
            rim[2] = width;
            rim[3] = height;
            break;
        }
    }
    const double left = fmax(floor(rim[0]) - 1, 0), top = fmax(floor(rim[1]) - 1, 0);
    const double right = fmin(ceil(rim[2]) + 1, width), bottom = fmin(ceil(rim[3]) + 1, height);
    section->width = section->height = 0;
    if (right > left && bottom > top) {
        section->x = params->x + (int32_t)left;
        section->y = params->y + (int32_t)top;
        section->width = (uint32_t)(right - left);
        section->height = (uint32_t)(bottom - top);
    }
}

// Fills the contours in, from the greatest isovalue on.
static void section_contours(
    const struct section_params *params, enum volume_type type, struct section_block *out)
{
    bool done[CONTOURS_MOST] = { false };
    out->contours = params->contours;
    for (uint32_t k = 0; k < params->contours; k++) {
        uint32_t next = CONTOURS_MOST;
        for (uint32_t i = 0; i < params->contours; i++) {
            if (!done[i] && (next == CONTOURS_MOST || params->isos[i] > params->isos[next])) {
                next = i;
            }
        }
        done[next] = true;
        out->isos[k] = atlas_iso(type, params->isos[next]);
        out->colours[k] = params->colours[next];
        out->cut |= params->cut[next] ? 1u << k : 0;
        const double iso = params->isos[next];
        const struct volume_limits *limits = &volume_limits[type];
        out->lines |= iso >= limits->least && iso <= limits->most ? 1u << k : 0;
    }
}

struct grey_range section_greys(const struct greys *greys, const struct atlas *atlas)
{
    const bool scaled = atlas->type == VOLUME_FLOAT32 && atlas->has_extremes;
    const double range = greys->white - greys->black;
    struct grey_range out = {
        .black = atlas_iso(atlas->type, greys->black),
        .nearest = greys->nearest,
    };
    double mantissa = range > 0 ? frexp(range, &out.exponent) : 0;
    if (!scaled) {
        mantissa = range;
        out.exponent = 0;
    }
    out.white = mantissa > 0 ? (float)(1 / mantissa) : 3e38f; // without a range: black or white
    return out;
}

static void section_fill(
    const struct section_params *params, const struct atlas *atlas, struct section_block *out)
{
    *out = (struct section_block){
        .count = params->count,
        .caps = params->caps,
        .all = params->all,
        .values = params->values,
        .samples = params->samples,
        .grey = section_greys(&params->greys, atlas),
    };
    memcpy(out->planes, params->planes, sizeof out->planes);
    section_contours(params, atlas->type, out);
}

void section_record(
    struct section *section, struct run *run, const struct atlas *atlas,
    const struct buffer *picture, const struct section_params *params)
{
    section_bound(section, atlas, params);
    if (section->width == 0) {
        return;
    }
    struct binding table[BINDINGS] = {
        [BINDING_SECTION] = { &section->block },
        [BINDING_COLOURS] = { &section->colours },
        [BINDING_PICTURE] = { picture },
    };
    struct section_block block;
    struct cast_push push = {
        .perspective = params->rays.perspective,
        .begin = params->rays.begin,
        .x = section->x,
        .y = section->y,
        .width = section->width,
        .height = section->height,
        .own_y = (atlas->base_y + atlas->own_y_first) | (atlas->base_y + atlas->own_y_last) << 16,
        .own_z = (atlas->base_z + atlas->own_first) | (atlas->base_z + atlas->own_last) << 16,
    };
    memcpy(push.anchor, params->rays.anchor, sizeof push.anchor);
    memcpy(push.across, params->rays.across, sizeof push.across);
    memcpy(push.down, params->rays.down, sizeof push.down);
    memcpy(push.eye, params->rays.eye, sizeof push.eye);
    section_fill(params, atlas, &block);
    section->samples = params->samples;
    atlas_bind(atlas, table);
    run_update(run, &section->block, 0, &block, sizeof block);
    run_dispatch(
        run, &section->kernel, table, &push, (section->width + CAST_TILE - 1) / CAST_TILE,
        (section->height + CAST_TILE - 1) / CAST_TILE, 1);
    run_use(run, &section->colours, ACCESS_SHOW);
}
