// InK-Compact and OfK-Compact: see shaders/compact/ink_compact.comp.

#include "compute/compaction/compaction.h"

#include "shaders/shared/ink_compact.h"

static uint64_t ink_blocks(uint64_t lanes)
{
    return (lanes + GROUP - 1) / GROUP;
}

// See OUTPUTS in shaders/lib/outputs.glsl.
static uint64_t ink_outputs(enum stream stream)
{
    return stream == STREAM_MARCH || stream == STREAM_MARCH_IMAGE || stream == STREAM_INTERSECT ||
                   stream == STREAM_INTERSECT_IMAGE
               ? 2
               : 1;
}

// Words of the ticket and of the sections, which must be 0 at first. The counts of the blocks
// follow them.
static uint64_t ink_words(uint64_t lanes, enum stream stream)
{
    const uint64_t sections = (ink_blocks(lanes) + SECTION - 1) / SECTION;
    return INK_OUTPUT_SECTIONS(ink_outputs(stream), sections);
}

static struct compaction_scratch
ink_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)block;
    return (struct compaction_scratch){
        .masks = size->lanes,
        .blocks = ink_words(size->lanes, stream) + ink_outputs(stream) * ink_blocks(size->lanes),
    };
}

static void
ink_record(const struct compaction *compaction, struct run *run, const struct compaction_run *what)
{
    const struct compact_push push = compaction_push(compaction, what);
    run_fill(
        run, &compaction->blocks, 0, ink_words(push.lanes, what->stream) * sizeof(uint32_t), 0);
    compaction_record_passes(compaction, run, what, &push);
}

// This pass only depends on the kind of elements, which all streams of rays share.
#define SETTLE_SHADERS                                                                             \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_ink_settle_bricks, [STREAM_CELLS] = &shader_ink_settle_cells,    \
        [STREAM_WORDS] = &shader_ink_settle_words, [STREAM_PIXELS] = &shader_ink_settle_rays,      \
        [STREAM_MARCH] = &shader_ink_settle_hits, [STREAM_MARCH_IMAGE] = &shader_ink_settle_hits,  \
        [STREAM_TRAVERSE] = &shader_ink_settle_rays, [STREAM_INTERSECT] = &shader_ink_settle_hits, \
        [STREAM_INTERSECT_IMAGE] = &shader_ink_settle_hits,                                        \
        [STREAM_LAYERS] = &shader_ink_settle_layers,                                               \
        [STREAM_LAYERS_IMAGE] = &shader_ink_settle_layers,                                         \
    }

#define INK_NOTES                                                                                  \
    "No workgroup waits, because Vulkan does not promise that such a wait ends. The workgroup "    \
    "that sets the second of a section's bits \"ready\" and \"reached\" goes on; a second kernel " \
    "moves late sections.",                                                                        \
        "The staging buffer has a bit per element, not the element. So its memory, the "           \
        "limitation of section 5, cannot be studied.",                                             \
        "Blocks are numbered in the order in which they start.",                                   \
        "Thread offsets are ballots only where a lane has one element: cells have 32. Warp "       \
        "offsets and those of a section's blocks are subgroup sums, not a ballot per bit (eq. 3 "  \
        "and 4)."

const struct method method_ink_compact = {
    .name = "ink-compact",
    .summary = "in the kernel that tests the elements, order kept; a second kernel moves late "
               "sections, and bench counts them",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.3",
    .notes = { INK_NOTES,
               "Rays: the method compacts those that go on. Hits are appended by one atomic per "
               "subgroup or workgroup; both are compacted by the form ink-compact:both." },
    .order = ORDER_STREAM,
    .once = true,
    .has_events = true,
    .cost = { .reads = 1, .lane = 8, .kept = 12, .dispatches = 3 },
    .passes = { { "ink-compact", ONCE_SHADERS(ink_compact), PASS_LANES },
                { "ink-settle", SETTLE_SHADERS, PASS_LANES } },
    .scratch = ink_scratch,
    .record = ink_record,
};

const struct method method_ink_compact_both = {
    .name = "ink-compact:both",
    .summary = "as ink-compact; in casts it also compacts the hits",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 3.1",
    .notes = { INK_NOTES },
    .order = ORDER_STREAM,
    .once = true,
    .has_events = true,
    .form = FORM_BOTH,
    .passes = { { "ink-compact", ONCE_SHADERS(ink_compact), PASS_LANES },
                { "ink-settle", SETTLE_SHADERS, PASS_LANES } },
    .scratch = ink_scratch,
    .record = ink_record,
};

const struct method method_ofk_compact = {
    .name = "ofk-compact",
    .summary = "ink-compact in kernels of its own, over masks that another kernel has written",
    .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 4: OfK-Compact",
    .notes = { INK_NOTES },
    .order = ORDER_STREAM,
    .has_events = true,
    .cost = { .reads = 1, .lane = 12, .kept = 12, .dispatches = 4 },
    .passes = { { "ofk mark", STREAM_SHADERS(ofk_mark), PASS_LANES },
                { "ofk compact", STREAM_SHADERS(ofk_compact), PASS_LANES },
                { "ofk settle", STREAM_SHADERS(ink_settle), PASS_LANES } },
    .scratch = ink_scratch,
    .record = ink_record,
};
