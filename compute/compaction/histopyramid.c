#include "compute/compaction/histopyramid.h"

#include "compute/compaction/kernels.h"

#include "pyramid_apex_streams.h"
#include "pyramid_base_streams.h"
#include "pyramid_reduce_streams.h"
#include "pyramid_traverse_streams.h"

COMPACT_KERNELS(
    "pyramid base", pyramid_base, STREAM_PORTS, PORT(struct compact_push, masks, ACCESS_WRITE),
    PORT(struct compact_push, levels, ACCESS_WRITE));
COMPACT_KERNELS(
    "pyramid reduce", pyramid_reduce, PORT(struct compact_push, levels, ACCESS_READ_WRITE));
COMPACT_KERNELS(
    "pyramid apex", pyramid_apex, PORT(struct compact_push, levels, ACCESS_READ_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
COMPACT_KERNELS(
    "pyramid traverse", pyramid_traverse, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, masks, ACCESS_READ),
    PORT(struct compact_push, levels, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

// Levels of at most this many texels are left to the one workgroup of the apex.
#define APEX_TEXELS 4096

// A level is stored with even sides (shaders/lib/pyramid.glsl).
static uint64_t level_words(uint32_t width, uint32_t height)
{
    return ((uint64_t)width + 1) / 2 * 2 * (((uint64_t)height + 1) / 2 * 2);
}

uint64_t histopyramid_words(uint32_t width, uint32_t height)
{
    uint64_t words = level_words(width, height);
    do {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        words += level_words(width, height);
    } while (width * height > 1);
    return words;
}

struct compaction_scratch
histopyramid_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    const uint64_t words = histopyramid_words(size->width, size->height);
    return (struct compaction_scratch){ .masks = words, .levels = words };
}

void histopyramid_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    struct compact_push push = compaction_push(compaction, what);
    const uint64_t words = histopyramid_words(push.width, push.height);
    run_fill(run, &compaction->levels, 0, words * sizeof(uint32_t), 0);
    compaction_dispatch_lanes(compaction, run, what, 0, &push);

    uint32_t width = push.width, height = push.height, groups[2];
    while (width * height > APEX_TEXELS) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        run_fold((uint64_t)width * height, GROUP, groups);
        run_dispatch(run, compaction_kernel(compaction, what, 1), &push, groups[0], groups[1], 1);
        push.level++;
    }
    run_dispatch(run, compaction_kernel(compaction, what, 2), &push, 1, 1, 1);
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
    do {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        push.level++;
    } while (width * height > 1);
    push.top = (uint32_t)(words - level_words(1, 1));
    run_dispatch_indirect(
        run, compaction_kernel(compaction, what, 3), &push, &compaction->groups, 0);
    compaction_stamp(run, what, "pyramid traverse");
}
