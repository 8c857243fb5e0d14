#include "compute/compaction/methods/blocks.h"

#include "compute/compaction/compaction.h"

enum { PASS_COUNT, PASS_SCAN, PASS_SEARCH, PASS_CONCATENATE };

bool blocks_check(
    const struct method *method, const struct compaction *compaction, struct problem *problem)
{
    const uint32_t block = compaction->block;
    return (block >= BLOCK_LEAST && block <= BLOCK_MOST && (block & (block - 1)) == 0) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "%s cannot work in blocks of %u elements: a power of two from %d to %d",
               method->name, block, BLOCK_LEAST, BLOCK_MOST);
}

void blocks_constants(
    const struct compaction *compaction, enum stream stream, uint32_t constants[CONSTANTS])
{
    (void)stream;
    constants[CONSTANT_BLOCK] = compaction->block;
}

static uint32_t blocks_lane_elements(enum stream stream)
{
    return stream == STREAM_CELLS ? 32 : 1;
}

static uint64_t blocks_div_up(uint64_t n, uint64_t size)
{
    return (n + size - 1) / size;
}

// masks: a bit per element. blocks: a word per tile and per block. All are rounded up to whole
// tiles.
struct compaction_scratch
blocks_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    const uint64_t tiles =
        blocks_div_up((uint64_t)size->lanes * blocks_lane_elements(stream), BLOCK_TILE);
    return (struct compaction_scratch){
        .masks = tiles * GROUP,
        .blocks = tiles + tiles * (BLOCK_TILE / block),
        .levels = size->concatenate ? tiles * BLOCK_TILE : 0,
    };
}

// Elements of the stream per workgroup of a pass.
static uint32_t blocks_group_elements(uint32_t pass)
{
    return pass == PASS_COUNT ? BLOCK_TILE : BLOCK_SPAN;
}

static void blocks_dispatch(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const struct blocks_push *push)
{
    struct kernel *kernel = compaction_kernel(compaction, what, pass);
    const uint32_t elements = blocks_group_elements(pass);
    if (!what->lane_arguments) {
        uint32_t groups[2];
        run_fold(
            (uint64_t)push->stream.lanes * blocks_lane_elements(what->stream), elements, groups);
        run_dispatch(run, kernel, what->table, push, groups[0], groups[1], 1);
        return;
    }
    // Dispatch only the workgroups that the active bricks, or the words, need.
    if (what->stream == STREAM_CELLS) {
        compaction_arrange(compaction, run, what, BRICK_CELLS * GROUP / elements, 1);
    } else {
        compaction_arrange(compaction, run, what, 1, elements / GROUP);
    }
    run_dispatch_indirect(run, kernel, what->table, push, &compaction->arguments, 0);
}

void blocks_record_table(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    const char *table)
{
    struct blocks_push push = {
        compaction_push(compaction, what),
        { .stage = BLOCKS_STRAIGHT },
    };
    blocks_dispatch(compaction, run, what, PASS_COUNT, &push);
    compaction_stamp(run, what, "count");
    run_dispatch(run, compaction_kernel(compaction, what, PASS_SCAN), what->table, &push, 1, 1, 1);
    compaction_stamp(run, what, "scan");
    if (!compaction->size[what->stream].concatenate) {
        blocks_dispatch(compaction, run, what, PASS_SEARCH, &push);
        compaction_stamp(run, what, "search");
        return;
    }
    push.own.stage = BLOCKS_TABLE;
    blocks_dispatch(compaction, run, what, PASS_SEARCH, &push);
    compaction_stamp(run, what, table);
    push.own.stage = BLOCKS_FIND;
    blocks_dispatch(compaction, run, what, PASS_SEARCH, &push);
    compaction_stamp(run, what, "search");
    blocks_dispatch(compaction, run, what, PASS_CONCATENATE, &push);
    compaction_stamp(run, what, "concatenate");
}

void blocks_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    blocks_record_table(compaction, run, what, "prefix sum");
}
