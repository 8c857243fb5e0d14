// Scan and scatter, as Thrust did before 2024: flags are written to memory, an exclusive scan over
// all flags is computed in memory, and the elements are written to the positions from the scan. The
// papers compare their methods with it. There are three forms of the scan.

#include "compute/compaction/compaction.h"

#include "shaders/shared/scan_scatter.h"

struct scan_scatter_push {
    struct compact_push stream;
    struct scan_scatter_own own;
};

enum { PASS_FLAGS, PASS_SCAN, PASS_ADD, PASS_SCATTER };

// Number of entries of the next level of the scan.
static uint32_t scan_scatter_level_above(uint32_t entries)
{
    return (uint32_t)(((uint64_t)entries + GROUP - 1) / GROUP);
}

static struct compaction_scratch
scan_scatter_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    struct compaction_scratch need = { .masks = size->lanes, .levels = size->lanes };
    for (uint32_t entries = size->lanes; entries > GROUP;) {
        entries = scan_scatter_level_above(entries);
        need.blocks += entries;
    }
    return need;
}

// Dispatches a pass over a level of the scan: for level 0 over the lanes of the stream, for a
// higher level over its largest possible number of entries.
static void scan_scatter_dispatch_level(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what,
    uint32_t pass, const struct scan_scatter_push *push, uint32_t entries)
{
    struct kernel *kernel = compaction_kernel(compaction, what, pass);
    if (push->own.level == 0 && what->lane_arguments) {
        run_dispatch_indirect(
            run, kernel, what->table, push, what->lane_arguments, what->lane_arguments_offset);
    } else {
        uint32_t groups[2];
        run_fold(entries, GROUP, groups);
        run_dispatch(run, kernel, what->table, push, groups[0], groups[1], 1);
    }
}

static void scan_scatter_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    struct scan_scatter_push push = {
        compaction_push(compaction, what),
        { 0 },
    };
    compaction_dispatch_lanes(compaction, run, what, PASS_FLAGS, &push);

    uint32_t entries[5] = { push.stream.lanes }; // 256^4 lanes have four levels
    for (push.own.level = 0; entries[push.own.level] > GROUP; push.own.level++) {
        scan_scatter_dispatch_level(
            compaction, run, what, PASS_SCAN, &push, entries[push.own.level]);
        entries[push.own.level + 1] = scan_scatter_level_above(entries[push.own.level]);
    }
    push.own.top = 1;
    scan_scatter_dispatch_level(compaction, run, what, PASS_SCAN, &push, entries[push.own.level]);
    push.own.top = 0;
    while (push.own.level > 0) {
        push.own.level--;
        scan_scatter_dispatch_level(
            compaction, run, what, PASS_ADD, &push, entries[push.own.level]);
    }
    compaction_stamp(run, what, "scatter scan");
    compaction_dispatch_lanes(compaction, run, what, PASS_SCATTER, &push);
}

#define SCAN_NOTES                                                                                 \
    "The scan works on 256 counts at a time in shared memory, and then on their sums. The papers " \
    "have a pass per step over the whole stream.",                                                 \
        "A lane of cells has a count of up to 32 elements, not a flag per element."

const struct method method_scan_scatter_hs = {
    .name = "scan-scatter-hs",
    .summary =
        "writes flags, scans them by recursive doubling, scatters; Thrust did so before 2024",
    .paper = "Hillis and Steele 1986; the papers' baseline",
    .notes = { SCAN_NOTES },
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 40, .kept = 8, .dispatches = 6 },
    .passes = { { "scatter flags", STREAM_SHADERS(scatter_flags) },
                { "scatter scan hs", STREAM_SHADERS(scatter_scan_hs) },
                { "scatter add", STREAM_SHADERS(scatter_add) },
                { "scatter write", STREAM_SHADERS(scatter_write) } },
    .scratch = scan_scatter_scratch,
    .record = scan_scatter_record,
};

const struct method method_scan_scatter_bl = {
    .name = "scan-scatter-bl",
    .summary = "writes flags, scans them by a balanced tree, scatters; Thrust did so before 2024",
    .paper = "Blelloch 1990; the papers' baseline",
    .notes = { SCAN_NOTES, "Recursive doubling near the root, as in Sengupta's hybrid, is left to "
                           "the form scan-scatter-bl:hybrid." },
    .order = ORDER_STREAM,
    .cost = { .reads = 1, .lane = 20, .kept = 8, .dispatches = 5 },
    .passes = { { "scatter flags", STREAM_SHADERS(scatter_flags) },
                { "scatter scan bl", STREAM_SHADERS(scatter_scan_bl) },
                { "scatter add", STREAM_SHADERS(scatter_add) },
                { "scatter write", STREAM_SHADERS(scatter_write) } },
    .scratch = scan_scatter_scratch,
    .record = scan_scatter_record,
};

const struct method method_scan_scatter_bl_hybrid = {
    .name = "scan-scatter-bl:hybrid",
    .summary = "as scan-scatter-bl, but recursive doubling scans the top of the tree",
    .paper =
        "Sengupta, Lefohn and Owens 2006, A Work-Efficient Step-Efficient Prefix-Sum Algorithm",
    .notes = { SCAN_NOTES },
    .order = ORDER_STREAM,
    .form = FORM_HYBRID,
    .passes = { { "scatter flags", STREAM_SHADERS(scatter_flags) },
                { "scatter scan bl", STREAM_SHADERS(scatter_scan_bl) },
                { "scatter add", STREAM_SHADERS(scatter_add) },
                { "scatter write", STREAM_SHADERS(scatter_write) } },
    .scratch = scan_scatter_scratch,
    .record = scan_scatter_record,
};
