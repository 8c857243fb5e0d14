#include "app/picture/cast_show.h"

#include "compute/casting/counter.h"
#include "compute/compaction/compaction.h"
#include "shaders.h"
#include "shaders/shared/picture.h"

#include <math.h>

bool cast_show_create(struct gpu *gpu, struct cast_show *out, struct problem *problem)
{
    uint32_t own[CONSTANTS] = { 0 };
    const struct kernel_params rows[CAST_SHOW_KERNELS][2] = {
        [CAST_SHOW_HITS] = { { .name = "shade", .shader = &shader_cast_shade, .alternates = true },
                             { .name = "shade with occlusion",
                               .shader = &shader_cast_shade_occluded,
                               .alternates = true } },
        [CAST_SHOW_EDGES] = { { .name = "shade edges",
                                .shader = &shader_cast_shade_edges,
                                .constants = own },
                              { .name = "shade edges with occlusion",
                                .shader = &shader_cast_shade_edges_occluded,
                                .constants = own } },
    };
    static const struct kernel_params means[2] = {
        { .name = "mean of edges", .shader = &shader_cast_edge_mean },
        { .name = "mean of edges of layers", .shader = &shader_cast_edge_mean_layers },
    };
    *out = (struct cast_show){ 0 };
    compaction_constants(gpu, own);
    bool fine = kernel_create(gpu, &means[0], &out->mean[0], problem) &&
                kernel_create(gpu, &means[1], &out->mean[1], problem);
    for (int i = 0; i < 2 * CAST_SHOW_KERNELS; i++) {
        fine =
            fine && kernel_create(gpu, &rows[i / 2][i % 2], &out->kernels[i / 2][i % 2], problem);
    }
    if (!fine) {
        cast_show_destroy(gpu, out);
    }
    return fine;
}

void cast_show_destroy(struct gpu *gpu, struct cast_show *show)
{
    for (int i = 0; i < CAST_SHOW_KERNELS; i++) {
        kernel_destroy(gpu, &show->kernels[i][0]);
        kernel_destroy(gpu, &show->kernels[i][1]);
    }
    kernel_destroy(gpu, &show->mean[0]);
    kernel_destroy(gpu, &show->mean[1]);
    *show = (struct cast_show){ 0 };
}

static void cast_show_use(struct run *run, const struct binding table[BINDINGS])
{
    run_use(run, table[BINDING_HITS].buffer, ACCESS_SHOW);
    run_use(run, table[BINDING_TILES].buffer, ACCESS_SHOW);
    run_use(run, table[BINDING_COLOURS].buffer, ACCESS_SHOW);
}

void cast_show_shade(
    struct cast_show *show, struct run *run, const struct buffer *block,
    const struct casting *casting, const struct cast *cast, const struct light *light)
{
    const bool edges = cast->edges && !cast_layered(cast);
    const bool folds = run->gpu->traits->folds;
    const struct buffer *samples = &casting->edges.buffers[EDGES_COUNTS];
    uint64_t offset;
    const struct buffer *arguments = casting_arguments(casting, &offset);
    struct shade_push push = {
        .cell_bits = casting_cell_bits(casting),
        .caps = casting->many >= CAST_MANY_CAPS ? cast->caps : 0,
    };
    struct binding table[BINDINGS] = { [BINDING_PICTURE] = { block } };
    if (!casting->atlas) { // no part was cast: there are no hits
        return;
    }
    for (int i = 0; i < CONTOURS_MOST; i++) {
        push.fronts |= (uint32_t)cast->numbers[i] << 4 * i;
    }
    if (light) {
        light_bind(light, table);
    }
    casting_bind_hits(casting, table);
    if (!edges || !folds) {
        run_dispatch_indirect(
            run, &show->kernels[CAST_SHOW_HITS][light ? 1 : 0], table, &push, arguments, offset);
    }
    if (edges) {
        run_dispatch_indirect(
            run, &show->kernels[CAST_SHOW_EDGES][light ? 1 : 0], table, &push,
            folds ? arguments : samples, folds ? offset : COUNTER_FIRST);
        run_dispatch_indirect(run, &show->mean[0], table, NULL, samples, COUNTER_FIRST);
    }
    cast_show_use(run, table);
}

void cast_show_mean(
    struct cast_show *show, struct run *run, const struct buffer *block,
    const struct casting *casting)
{
    const struct edges *edges = &casting->edges;
    struct binding table[BINDINGS] = { [BINDING_PICTURE] = { block } };
    casting_bind_hits(casting, table);
    run_dispatch_indirect(
        run, &show->mean[1], table, &edges->samples, &edges->buffers[EDGES_COUNTS], COUNTER_FIRST);
    cast_show_use(run, table);
}

static void cast_show_light(const struct rays_camera *from, struct rays_light *out)
{
    double towards[3] = { KEY_LIGHT_X, KEY_LIGHT_Y, KEY_LIGHT_Z };
    const double length = hypot(hypot(towards[0], towards[1]), towards[2]);
    for (int i = 0; i < 3; i++) {
        towards[i] /= length;
    }
    rays_light_of(from, towards, KEY_LIGHT_WIDTH, out);
}

void cast_show_rays(
    const struct camera *camera, const struct placement *placement, uint32_t width, uint32_t height,
    struct rays *out, struct rays_light *light)
{
    struct camera_matrices matrices;
    camera_matrices(camera, (float)width, (float)height, &matrices);
    const double depth = matrices.projection[2][2], shift = matrices.projection[3][2];
    struct rays_camera from = {
        .half_width = 1 / (double)matrices.projection[0][0],
        .half_height = 1 / fabs((double)matrices.projection[1][1]),
        .ortho = camera->ortho,
        .near_plane = shift / depth,
        .width = width,
        .height = height,
    };
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            for (int i = 0; i < 4; i++) {
                from.to_view[c][r] += (double)matrices.view[i][r] * placement->model[c][i];
            }
        }
    }
    rays_of(&from, placement->dim, out);
    if (light) {
        cast_show_light(&from, light);
    }
}
