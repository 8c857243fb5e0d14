#include "compute/compaction/histopyramid_vec4.h"

#include "compute/compaction/kernels.h"

#include "partials_first_streams.h"
#include "partials_reduce_streams.h"
#include "partials_traverse_streams.h"

static const uint32_t partials_base_cells[] =
#include "partials_base_cells.inc"
    ;

const struct kernel_info partials_base[STREAMS] = {
    [STREAM_CELLS] = COMPACT_KERNEL(
        "pyramid masks", partials_base_cells, STREAM_PORTS,
        PORT(struct compact_push, masks, ACCESS_WRITE)),
};
COMPACT_KERNELS(
    "pyramid partials", partials_first, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, masks, ACCESS_READ), PORT(struct compact_push, levels, ACCESS_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
COMPACT_KERNELS(
    "pyramid levels", partials_reduce, PORT(struct compact_push, levels, ACCESS_READ_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
COMPACT_KERNELS(
    "pyramid descent", partials_traverse, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, masks, ACCESS_READ),
    PORT(struct compact_push, levels, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

static uint32_t half(uint32_t side)
{
    return (side + 1) / 2;
}

struct histopyramid_levels histopyramid_vec4_levels(uint32_t width, uint32_t height)
{
    struct histopyramid_levels levels = { 0 };
    do {
        width = half(width);
        height = half(height);
        levels.count++;
        levels.nodes += (uint64_t)width * height;
    } while (width > 1 || height > 1);
    return levels;
}

struct compaction_scratch
histopyramid_vec4_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    return (struct compaction_scratch){
        .masks = stream == STREAM_CELLS ? (uint64_t)size->width * size->height : 0,
        .levels = histopyramid_vec4_levels(size->width, size->height).nodes * 4,
    };
}

void histopyramid_vec4_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    struct compact_push push = compaction_push(compaction, what);
    if (what->stream == STREAM_CELLS) {
        const uint64_t base = (uint64_t)push.width * push.height;
        run_fill(run, &compaction->masks, 0, base * sizeof(uint32_t), 0);
        compaction_dispatch_lanes(compaction, run, what, 0, &push);
    }
    const struct histopyramid_levels levels = histopyramid_vec4_levels(push.width, push.height);
    uint32_t width = push.width, height = push.height, groups[2];
    for (; push.level < levels.count; push.level += 2) {
        // Two levels per pass, a lane per node of the upper one.
        const struct kernel *kernel = compaction_kernel(compaction, what, push.level ? 2 : 1);
        run_fold((uint64_t)half(half(width)) * half(half(height)), GROUP, groups);
        run_dispatch(run, kernel, &push, groups[0], groups[1], 1);
        push.top += (push.level ? width * height : 0) + half(width) * half(height);
        width = half(half(width));
        height = half(half(height));
    }
    compaction_stamp(run, what, "pyramid reduce");

    run_dispatch(
        run, &compaction->arrange,
        &(struct arrange_push){
            .head = what->head,
            .groups = compaction->groups.address,
            .lanes = 1,
            .each = what->stream == STREAM_CELLS ? LOOKUPS : 1,
        },
        1, 1, 1);
    push.level = levels.count;
    push.top = (uint32_t)(levels.nodes - 1);
    run_dispatch_indirect(
        run, compaction_kernel(compaction, what, 3), &push, &compaction->groups, 0);
    compaction_stamp(run, what, "pyramid traverse");
}
