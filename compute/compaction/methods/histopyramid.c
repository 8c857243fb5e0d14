// HistoPyramid (Ziegler 2006; as described in "Stream Compaction in WebGL"): a pyramid of counts
// over the stream, reduced 4 : 1. Then every output searches for its element from the top down.
// There are three methods. In the first, a level has a count per node, and a search loads three of
// four siblings. In the second, four siblings are one texel of partial sums, and a search loads
// that texel. In the third, the base for cells is the 2D picture of the slices, as in the papers.

#include "compute/compaction/methods/histopyramid.h"

#include "compute/compaction/compaction.h"
#include "shaders/shared/histopyramid.h"

struct histopyramid_push {
    struct compact_push stream;
    struct histopyramid_own own;
};

// The passes of both forms. A short stream has a single pass.
enum pyramid_pass {
    PYRAMID_BASE,
    PYRAMID_REDUCE,
    PYRAMID_APEX,
    PYRAMID_TRAVERSE,
    PYRAMID_SHORT, // not for cells: only the device knows the number of rows
};

// A stream with at most so many leaves is short.
#define SHORT_LEAVES 4096

// A level with at most this many fours is left to the single workgroup of the apex.
#define APEX_FOURS 2048

// APEX_FOURS for cells on a CPU device: most of the allocated levels are empty, and the single
// workgroup skips them faster than another dispatch would.
#define APEX_SERIAL_FOURS 32768

// The most lanes of the form over the slices, so that all its levels, at most 16/9 words per cell
// of the bricks, are within every device's limits of a buffer: 2^24 cells. Larger volumes go in
// parts.
#define ATLAS_LANES (1u << 19)

// Outputs per lane of the traversal, at most. Bricks: there are too few active ones for more.
// Cells: a subgroup searches from the top only for its first output.
static const uint32_t histopyramid_outputs[STREAMS] = {
    [STREAM_BRICKS] = 2,
    [STREAM_CELLS] = 16,
    [STREAM_WORDS] = 8,
};

static void histopyramid_constants(
    const struct compaction *compaction, enum stream stream, uint32_t constants[CONSTANTS])
{
    const uint32_t most = histopyramid_outputs[stream];
    const struct gpu *gpu = compaction->gpu;
    const uint32_t apex = gpu->traits->apex_lanes;
    // The larger one is a multiple of the subgroup size: both are powers of two.
    constants[CONSTANT_APEX] = apex > gpu->subgroup_lanes ? apex : gpu->subgroup_lanes;
    // The apex counts the outputs. So a lane can have several even if the stream is counted.
    const uint32_t each =
        compaction->constants[CONSTANT_COUNTED] ? gpu->traits->most_each : compaction->each[stream];
    constants[CONSTANT_EACH] = each < most ? each : most;
}

static uint32_t histopyramid_quarter(uint32_t nodes)
{
    return nodes / 4 + (nodes % 4 != 0);
}

uint32_t histopyramid_leaves(uint32_t lanes, enum stream stream)
{
    return stream == STREAM_CELLS ? lanes : lanes / 8 + (lanes % 8 != 0);
}

// Not measured on a GPU, where dispatches cost less.
static bool histopyramid_is_short(const struct gpu *gpu, enum stream stream, uint32_t lanes)
{
    return gpu->traits->short_pyramids && stream != STREAM_CELLS &&
           histopyramid_leaves(lanes, stream) <= SHORT_LEAVES;
}

static bool
histopyramid_needs(const struct gpu *gpu, uint32_t pass, enum stream stream, uint32_t lanes)
{
    return histopyramid_is_short(gpu, stream, lanes) == (pass == PYRAMID_SHORT);
}

// Even a base of one texel has a level above it.
struct histopyramid_levels histopyramid_levels(uint32_t leaves)
{
    struct histopyramid_levels levels = { 0 };
    uint32_t nodes = histopyramid_quarter(leaves);
    do {
        nodes = histopyramid_quarter(nodes);
        levels.fours += nodes;
        levels.count++;
    } while (nodes > 1);
    return levels;
}

// A leaf is a word of the masks. The levels have a word per node: so 1/3 of the base, in either
// form.
static struct compaction_scratch
histopyramid_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    const uint32_t leaves = histopyramid_leaves(size->lanes, stream);
    return (struct compaction_scratch){
        .masks = (uint64_t)histopyramid_quarter(leaves) * 4,
        .levels = histopyramid_levels(leaves).fours * 4,
    };
}

static void histopyramid_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const uint32_t lanes = compaction->size[what->stream].lanes;
    const uint32_t leaves = histopyramid_leaves(lanes, what->stream),
                   nodes = histopyramid_quarter(leaves);
    const struct histopyramid_levels levels = histopyramid_levels(leaves);
    struct histopyramid_push push = {
        compaction_push(compaction, what),
        { .leaves = leaves, .last = levels.count },
    };
    uint32_t groups[2];
    if (histopyramid_is_short(compaction->gpu, what->stream, lanes)) {
        run_dispatch(
            run, compaction_kernel(compaction, what, PYRAMID_SHORT), what->table, &push, 1, 1, 1);
        compaction_stamp(run, what, "short pyramid");
        return;
    }
    if (what->lane_arguments && what->stream == STREAM_CELLS) {
        // A lane per four rows of cells, as in all passes that take items.
        run_dispatch_indirect(
            run, compaction_kernel(compaction, what, PYRAMID_BASE), what->table, &push,
            what->lane_arguments, what->four_arguments_offset);
    } else if (what->lane_arguments) {
        compaction_arrange(compaction, run, what, 1, 32); // per lane four leaves of eight words
        run_dispatch_indirect(
            run, compaction_kernel(compaction, what, PYRAMID_BASE), what->table, &push,
            &compaction->arguments, 0);
    } else {
        run_fold(nodes, GROUP, groups);
        run_dispatch(
            run, compaction_kernel(compaction, what, PYRAMID_BASE), what->table, &push, groups[0],
            groups[1], 1);
    }
    compaction_stamp(run, what, "pyramid base");

    push.own.level = 1;
    uint32_t fours = histopyramid_quarter(nodes);
    const bool serial = compaction->gpu->traits->short_pyramids && what->stream == STREAM_CELLS;
    while (fours > (serial ? APEX_SERIAL_FOURS : APEX_FOURS)) {
        run_fold(histopyramid_quarter(fours), GROUP, groups);
        run_dispatch(
            run, compaction_kernel(compaction, what, PYRAMID_REDUCE), what->table, &push, groups[0],
            groups[1], 1);
        push.own.top += fours;
        push.own.level++;
        fours = histopyramid_quarter(fours);
    }
    run_dispatch(
        run, compaction_kernel(compaction, what, PYRAMID_APEX), what->table, &push, 1, 1, 1);
    compaction_stamp(run, what, "pyramid reduce");

    push.own.level = levels.count;
    push.own.top = (uint32_t)levels.fours - 1;
    run_dispatch_indirect(
        run, compaction_kernel(compaction, what, PYRAMID_TRAVERSE), what->table, &push,
        &compaction->arguments, 0);
    compaction_stamp(run, what, "pyramid traverse");
}

#define SHORT(label, name)                                                                         \
    {                                                                                              \
        label,                                                                                     \
        {                                                                                          \
            [STREAM_BRICKS] = &shader_##name##_bricks, [STREAM_WORDS] = &shader_##name##_words     \
        }                                                                                          \
    }

#define PYRAMID_NOTES                                                                              \
    "The base is not a 2D texture of the volume's slices, which is left to the form "              \
    "histopyramid:atlas, but masks of up to 32 elements of the stream. So a search ends by "       \
    "loading four masks and counting bits.",                                                       \
        "Levels are whole numbers in buffers along the Z-order curve, not textures of float. One " \
        "workgroup makes all small levels.",                                                       \
        "A lane may make several outputs. Only the first is searched from the top."

const struct method method_histopyramid = {
    .name = "histopyramid",
    .summary =
        "a pyramid of counts, which each output searches from the top down: three loads a level; "
        "4/3 words of memory per leaf",
    .paper = "Ziegler et al. 2006; Stream Compaction in WebGL",
    .notes = { PYRAMID_NOTES },
    .order = ORDER_STREAM,
    .writes_arguments = true,
    .pyramid = PYRAMID_COUNTS,
    .cost = { .reads = 1, .lane = 4, .kept = 8, .dispatches = 3 },
    .passes = { [PYRAMID_BASE] = { "pyramid base", STREAM_SHADERS(pyramid_base) },
                [PYRAMID_REDUCE] = { "pyramid reduce", STREAM_SHADERS(pyramid_reduce) },
                [PYRAMID_APEX] = { "pyramid apex", STREAM_SHADERS(pyramid_apex) },
                [PYRAMID_TRAVERSE] = { "pyramid traverse", STREAM_SHADERS(pyramid_traverse) },
                [PYRAMID_SHORT] = SHORT("short pyramid", pyramid_short) },
    .needs = histopyramid_needs,
    .scratch = histopyramid_scratch,
    .record = histopyramid_record,
    .constants = histopyramid_constants,
};

const struct method method_histopyramid_vec4 = {
    .name = "histopyramid-vec4",
    .summary =
        "as histopyramid, but a texel holds the partial sums of four nodes: one load a level; "
        "4/3 words of memory per leaf",
    .paper = "Ziegler et al. 2006; Stream Compaction in WebGL, vec4 form",
    .notes = { PYRAMID_NOTES },
    .order = ORDER_STREAM,
    .writes_arguments = true,
    .pyramid = PYRAMID_SUMS,
    .cost = { .reads = 1, .lane = 4, .kept = 8, .dispatches = 3 },
    .passes = { [PYRAMID_BASE] = { "pyramid base, sums", STREAM_SHADERS(pyramid_base_vec4) },
                [PYRAMID_REDUCE] = { "pyramid reduce, sums", STREAM_SHADERS(pyramid_reduce_vec4) },
                [PYRAMID_APEX] = { "pyramid apex, sums", STREAM_SHADERS(pyramid_apex_vec4) },
                [PYRAMID_TRAVERSE] = { "pyramid traverse, sums",
                                       STREAM_SHADERS(pyramid_traverse_vec4) },
                [PYRAMID_SHORT] = SHORT("short pyramid, sums", pyramid_short_vec4) },
    .needs = histopyramid_needs,
    .scratch = histopyramid_scratch,
    .record = histopyramid_record,
    .constants = histopyramid_constants,
};

// The base, and the levels up to a single texel. Returns the number of levels above the base.
static uint32_t histopyramid_atlas_levels(const uint32_t texels[2], uint64_t *all)
{
    uint32_t level = 0;
    uint64_t w = texels[0], h = texels[1];
    for (*all = w * h; w * h > 1; *all += w * h, level++) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    return level;
}

static struct compaction_scratch
histopyramid_atlas_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    if (stream != STREAM_CELLS) {
        return histopyramid_scratch(size, stream, block);
    }
    struct compaction_scratch scratch = { 0 };
    histopyramid_atlas_levels(size->texels, &scratch.levels);
    return scratch;
}

static void histopyramid_atlas_record(
    const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    if (what->stream != STREAM_CELLS) {
        histopyramid_record(compaction, run, what);
        return;
    }
    const uint32_t *texels = compaction->size[STREAM_CELLS].texels;
    struct {
        struct compact_push stream;
        struct atlas_levels_own own;
    } push = { compaction_push(compaction, what),
               { .wide = texels[0],
                 .high = texels[1],
                 .cols = texels[0] / compaction->constants[CONSTANT_DIM_X] } };
    uint64_t all;
    uint32_t w = texels[0], h = texels[1], groups[2];
    const uint32_t last = histopyramid_atlas_levels(texels, &all);
    run_fill(run, &compaction->levels, 0, (uint64_t)w * h * sizeof(uint32_t), 0);
    compaction_dispatch_lanes(compaction, run, what, PYRAMID_BASE, &push);
    while (push.own.level < last) {
        push.own.offset += w * h;
        push.own.level++;
        w = (w + 1) / 2;
        h = (h + 1) / 2;
        run_fold(w * h, GROUP, groups);
        run_dispatch(
            run, compaction_kernel(compaction, what, PYRAMID_REDUCE), what->table, &push, groups[0],
            groups[1], 1);
    }
    compaction_stamp(run, what, "pyramid reduce");
    run_dispatch_indirect(
        run, compaction_kernel(compaction, what, PYRAMID_TRAVERSE), what->table, &push,
        &compaction->arguments, 0);
    compaction_stamp(run, what, "pyramid traverse");
}

// As a pass of histopyramid, but of cells by a kernel of its own.
#define ATLAS_SHADERS(pass, cells)                                                                 \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_pyramid_##pass##_bricks, [STREAM_CELLS] = cells,                 \
        [STREAM_WORDS] = &shader_pyramid_##pass##_words,                                           \
    }

const struct method method_histopyramid_atlas = {
    .name = "histopyramid:atlas",
    .summary = "as histopyramid, but the levels of cells are those over the 2D picture of the "
               "slices: three loads a level; 4/3 words of memory per sample",
    .paper = "Ziegler et al. 2006; Stream Compaction in WebGL",
    .notes = { "Sides of levels are halved and rounded up, not powers of two. The paper's are.",
               "Levels are whole numbers in one buffer, row by row, not textures of float.",
               "Only cells are searched so: bricks and words are compacted as by histopyramid." },
    .order = ORDER_FIXED,
    .writes_arguments = true,
    .pyramid = PYRAMID_ATLAS,
    .largest = ATLAS_LANES,
    .form = FORM_ATLAS,
    .passes = { [PYRAMID_BASE] = { "pyramid base, tiles",
                                   ATLAS_SHADERS(base, &shader_atlas_base_cells) },
                [PYRAMID_REDUCE] = { "pyramid reduce, tiles",
                                     ATLAS_SHADERS(reduce, &shader_atlas_reduce_cells) },
                [PYRAMID_APEX] = { "pyramid apex", ATLAS_SHADERS(apex, NULL) },
                [PYRAMID_TRAVERSE] = { "pyramid traverse, tiles",
                                       ATLAS_SHADERS(traverse, &shader_atlas_traverse_cells) },
                [PYRAMID_SHORT] = SHORT("short pyramid", pyramid_short) },
    .needs = histopyramid_needs,
    .scratch = histopyramid_atlas_scratch,
    .record = histopyramid_atlas_record,
    .constants = histopyramid_constants,
};
