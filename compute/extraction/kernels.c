#include "compute/extraction/kernels.h"

#include "shaders/shared/extraction.h"

static const uint32_t classify_buffer[] =
#include "classify_buffer.inc"
    ;
static const uint32_t classify_image[] =
#include "classify_image.inc"
    ;
static const uint32_t vertices_buffer[] =
#include "vertices_buffer.inc"
    ;
static const uint32_t vertices_image[] =
#include "vertices_image.inc"
    ;
static const uint32_t edges_buffer[] =
#include "edges_buffer.inc"
    ;
static const uint32_t edges_image[] =
#include "edges_image.inc"
    ;
static const uint32_t triangles[] =
#include "triangles.inc"
    ;
static const uint32_t finish[] =
#include "finish.inc"
    ;

#define STAGE(label, words, type, ...)                                                             \
    {                                                                                              \
        .name = label, .code = words, .code_size = sizeof words, .push_size = sizeof(type),        \
        .ports = { __VA_ARGS__ },                                                                  \
    }
#define CLASSIFY(words)                                                                            \
    STAGE(                                                                                         \
        "classify", words, struct classify_push,                                                   \
        PORT(struct classify_push, bricks_counter, ACCESS_READ),                                   \
        PORT(struct classify_push, bricks, ACCESS_READ),                                           \
        PORT(struct classify_push, row_masks, ACCESS_WRITE),                                       \
        PORT(struct classify_push, slots, ACCESS_WRITE),                                           \
        PORT(struct classify_push, rows_arguments, ACCESS_WRITE),                                  \
        PORT(struct classify_push, fours_arguments, ACCESS_WRITE))
#define EDGES(words)                                                                               \
    STAGE(                                                                                         \
        "edges", words, struct edges_push, PORT(struct edges_push, bricks_counter, ACCESS_READ),   \
        PORT(struct edges_push, bricks, ACCESS_READ),                                              \
        PORT(struct edges_push, row_masks, ACCESS_READ),                                           \
        PORT(struct edges_push, valid_masks, ACCESS_READ),                                         \
        PORT(struct edges_push, row_prefixes, ACCESS_WRITE),                                       \
        PORT(struct edges_push, vertices_counter, ACCESS_READ_WRITE),                              \
        PORT(struct edges_push, edges, ACCESS_WRITE),                                              \
        PORT(struct edges_push, vertices, ACCESS_WRITE),                                           \
        PORT(struct edges_push, vertices_arguments, ACCESS_READ_WRITE),                            \
        PORT(struct edges_push, cells_counter, ACCESS_READ),                                       \
        PORT(struct edges_push, cells_arguments, ACCESS_WRITE))
#define VERTICES(words)                                                                            \
    STAGE(                                                                                         \
        "vertices", words, struct vertices_push,                                                   \
        PORT(struct vertices_push, vertices_counter, ACCESS_READ),                                 \
        PORT(struct vertices_push, edges, ACCESS_READ),                                            \
        PORT(struct vertices_push, vertices, ACCESS_WRITE))

static const struct kernel_info infos[][2] = {
    [KERNEL_CLASSIFY] = { CLASSIFY(classify_buffer), CLASSIFY(classify_image) },
    [KERNEL_VERTICES] = { VERTICES(vertices_buffer), VERTICES(vertices_image) },
    [KERNEL_EDGES] = { EDGES(edges_buffer), EDGES(edges_image) },
    [KERNEL_TRIANGLES] = { STAGE(
        "triangles", triangles, struct triangles_push,
        PORT(struct triangles_push, cells_counter, ACCESS_READ),
        PORT(struct triangles_push, cells, ACCESS_READ),
        PORT(struct triangles_push, slots, ACCESS_READ),
        PORT(struct triangles_push, row_masks, ACCESS_READ),
        PORT(struct triangles_push, row_prefixes, ACCESS_READ),
        PORT(struct triangles_push, triangles_counter, ACCESS_READ_WRITE),
        PORT(struct triangles_push, indices, ACCESS_WRITE)) },
    [KERNEL_FINISH] = { STAGE(
        "finish", finish, struct finish_push, PORT(struct finish_push, bricks_counter, ACCESS_READ),
        PORT(struct finish_push, cells_counter, ACCESS_READ),
        PORT(struct finish_push, vertices_counter, ACCESS_READ),
        PORT(struct finish_push, triangles_counter, ACCESS_READ),
        PORT(struct finish_push, draw, ACCESS_WRITE),
        PORT(struct finish_push, previous_draw, ACCESS_READ_WRITE),
        PORT(struct finish_push, counts, ACCESS_WRITE)) },
};

const struct kernel_info *step_kernel_info(enum step_kernel kernel, bool image)
{
    return &infos[kernel][image && infos[kernel][1].name];
}
