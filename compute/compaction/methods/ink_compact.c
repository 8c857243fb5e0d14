// InK-Compact and OfK-Compact: see shaders/compact/ink_compact.comp.

#include "compute/compaction/compaction.h"

#include "shaders/shared/ink_compact.h"
#include "shaders/shared/lookback.h"

struct ink_push {
    struct compact_push stream;
    struct lookback_own own; // not in kernels that do a stream's work
};

static uint64_t ink_blocks(uint64_t lanes)
{
    return (lanes + GROUP - 1) / GROUP;
}

// Words of the ticket, the sections and the blocks, which must be 0 at first.
static uint64_t ink_words(uint64_t lanes)
{
    const uint64_t blocks = ink_blocks(lanes);
    return INK_SECTIONS + (blocks + SECTION - 1) / SECTION * INK_SECTION_WORDS + blocks;
}

static struct compaction_scratch
ink_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)stream;
    (void)block;
    return (struct compaction_scratch){
        .masks = size->lanes,
        .blocks = ink_words(size->lanes),
    };
}

static void
ink_record(const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct ink_push push = {
        compaction_push(compaction, what),
        { .drop = what->drop },
    };
    const uint64_t words = ink_words(push.stream.lanes);
    run_fill(run, &compaction->blocks, 0, words * sizeof(uint32_t), 0);
    compaction_record_passes(compaction, run, what, &push);
}

// Rays are compacted by another kernel, and a second one moves what was late in it. The latter only
// depends on the kind of elements, which all streams of rays share.
#define INK_SHADERS                                                                                \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_ink_compact_bricks, [STREAM_CELLS] = &shader_ink_compact_cells,  \
        [STREAM_WORDS] = &shader_ink_compact_words, [STREAM_PIXELS] = &shader_ink_handoff_pixels,  \
        [STREAM_MARCH] = &shader_ink_handoff_march_buffer,                                         \
        [STREAM_MARCH_IMAGE] = &shader_ink_handoff_march_image,                                    \
        [STREAM_TRAVERSE] = &shader_ink_handoff_traverse,                                          \
        [STREAM_INTERSECT] = &shader_ink_handoff_intersect_buffer,                                 \
        [STREAM_INTERSECT_IMAGE] = &shader_ink_handoff_intersect_image,                            \
        [STREAM_LAYERS] = &shader_ink_handoff_layers_buffer,                                       \
        [STREAM_LAYERS_IMAGE] = &shader_ink_handoff_layers_image,                                  \
    }
#define SETTLE_SHADERS                                                                             \
    {                                                                                              \
        [STREAM_PIXELS] = &shader_ink_settle_rays, [STREAM_MARCH] = &shader_ink_settle_rays,       \
        [STREAM_MARCH_IMAGE] = &shader_ink_settle_rays,                                            \
        [STREAM_TRAVERSE] = &shader_ink_settle_rays, [STREAM_INTERSECT] = &shader_ink_settle_rays, \
        [STREAM_INTERSECT_IMAGE] = &shader_ink_settle_rays,                                        \
        [STREAM_LAYERS] = &shader_ink_settle_layers,                                               \
        [STREAM_LAYERS_IMAGE] = &shader_ink_settle_layers,                                         \
    }

const struct method method_ink_compact = {
    .name = "ink-compact",
    .summary = "in the kernel that tests the elements, order kept; counts late blocks itself. For "
               "rays, a second kernel moves sections",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.3",
    .order = ORDER_STREAM,
    .once = true,
    .waits = true,
    .has_events = true,
    .largest = LOOKBACK_LARGEST,
    .cost = { .reads = 1, .lane = 8, .kept = 12, .dispatches = 2 },
    .passes = { { "ink-compact", INK_SHADERS, PASS_LANES },
                { "ink-settle", SETTLE_SHADERS, PASS_LANES } },
    .scratch = ink_scratch,
    .record = ink_record,
};

const struct method method_ofk_compact = {
    .name = "ofk-compact",
    .summary = "ink-compact in a kernel of its own, over masks that another kernel has written",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 4: OfK-Compact",
    .order = ORDER_STREAM,
    .waits = true,
    .has_events = true,
    .largest = LOOKBACK_LARGEST,
    .cost = { .reads = 1, .lane = 12, .kept = 12, .dispatches = 3 },
    .passes = { { "ofk mark", STREAM_SHADERS(ofk_mark), PASS_LANES },
                { "ofk compact", STREAM_SHADERS(ofk_compact), PASS_LANES } },
    .scratch = ink_scratch,
    .record = ink_record,
};
