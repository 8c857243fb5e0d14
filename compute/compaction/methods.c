// The table of methods.

#include "compute/compaction/blocks.h"
#include "compute/compaction/chag.h"
#include "compute/compaction/cpu.h"
#include "compute/compaction/histopyramid.h"
#include "compute/compaction/kernels.h"
#include "compute/compaction/lookback.h"
#include "compute/compaction/redzone.h"
#include "compute/compaction/scan_scatter.h"

#include "ink_collate_streams.h"
#include "ink_compact_streams.h"
#include "ink_settle_streams.h"
#include "ofk_compact_streams.h"
#include "ofk_count_streams.h"
#include "ofk_scan_streams.h"

#include <assert.h>
#include <string.h>

static COMPACT_KERNELS(
    "ink-collate", ink_collate, STREAM_PORTS, PORT(struct compact_push, head, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE),
    PORT(struct compact_push, groups, ACCESS_READ_WRITE));

static COMPACT_KERNELS(
    "ink-compact", ink_compact, STREAM_PORTS, PORT(struct compact_push, head, ACCESS_READ_WRITE),
    PORT(struct compact_push, list, ACCESS_WRITE),
    PORT(struct compact_push, masks, ACCESS_READ_WRITE),
    PORT(struct compact_push, blocks, ACCESS_READ_WRITE));
static COMPACT_KERNELS(
    "ink-settle", ink_settle, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE),
    PORT(struct compact_push, masks, ACCESS_READ), PORT(struct compact_push, blocks, ACCESS_READ));

static COMPACT_KERNELS(
    "ofk count", ofk_count, STREAM_PORTS, PORT(struct compact_push, masks, ACCESS_WRITE),
    PORT(struct compact_push, blocks, ACCESS_WRITE));
static COMPACT_KERNELS(
    "ofk scan", ofk_scan, PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, blocks, ACCESS_READ_WRITE),
    PORT(struct compact_push, head, ACCESS_WRITE));
static COMPACT_KERNELS(
    "ofk compact", ofk_compact, PORT(struct compact_push, source, ACCESS_READ),
    PORT(struct compact_push, source_head, ACCESS_READ),
    PORT(struct compact_push, masks, ACCESS_READ), PORT(struct compact_push, blocks, ACCESS_READ),
    PORT(struct compact_push, head, ACCESS_READ), PORT(struct compact_push, list, ACCESS_WRITE));

// ink-compact's ticket and section words; the block counts need no clearing.
static uint64_t ink_clears(uint32_t lanes)
{
    const uint64_t blocks = ((uint64_t)lanes + GROUP - 1) / GROUP;
    const uint64_t sections = (blocks + SECTION - 1) / SECTION;
    return (INK_SECTIONS + sections * INK_SECTION_WORDS) * sizeof(uint32_t);
}

static struct compaction_scratch
no_scratch(const struct compaction_size *size, enum stream stream, uint32_t block)
{
    (void)size;
    (void)stream;
    (void)block;
    return (struct compaction_scratch){ 0 };
}

const struct method methods[] = {
    {
        .name = "ink-collate",
        .summary = "in-kernel, blocks in any order: one atomic per block",
        .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.4",
        .order = ORDER_WITHIN_BLOCKS,
        .arranges = true,
        .passes = { { ink_collate, PASS_ITEMS } },
        .scratch = no_scratch,
    },
    {
        .name = "ink-compact",
        .summary = "in-kernel, order kept: sections of blocks hand their prefix on, nobody waits",
        .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 2.3",
        .order = ORDER_STREAM,
        .passes = { { ink_compact, PASS_LANES }, { ink_settle, PASS_LANES } },
        .clears = ink_clears,
    },
    {
        .name = "ofk-compact",
        .summary = "out of kernel, order kept: count, scan the blocks, compact",
        .paper = "Hughes et al. 2013, the out-of-kernel form it compares with",
        .order = ORDER_STREAM,
        .passes = { { ofk_count, PASS_LANES },
                    { ofk_scan, PASS_ONE_GROUP },
                    { ofk_compact, PASS_LANES } },
    },
    {
        .name = "chag",
        .summary = "out of kernel, order kept: a range of the stream per workgroup, read twice",
        .paper = "Billeter et al. 2009, Efficient Stream Compaction on Wide SIMD Many-Core",
        .order = ORDER_STREAM,
        .passes = { { chag_count, PASS_RANGES },
                    { chag_scan, PASS_ONE_GROUP },
                    { chag_compact, PASS_RANGES } },
        .scratch = chag_scratch,
    },
    {
        .name = "chag-ballot",
        .summary = "as chag, but the first read leaves a bit per element for the second",
        .paper = "Billeter et al. 2009; masks as in Hughes et al. 2013",
        .order = ORDER_STREAM,
        .passes = { { chag_ballot_count, PASS_RANGES },
                    { chag_scan, PASS_ONE_GROUP },
                    { chag_ballot_compact, PASS_RANGES } },
        .scratch = chag_ballot_scratch,
    },
    {
        .name = "lookback",
        .summary = "one pass, order kept: a tile adds up what those before it tell, or helps them",
        .paper = "Merrill and Garland 2016; Smith, Levien and Owens 2025, Decoupled Fallback",
        .order = ORDER_STREAM,
        .waits = true,
        .tells = true,
        .largest = LOOKBACK_LARGEST,
        .passes = { { lookback, PASS_LANES } },
        .scratch = lookback_scratch,
        .record = lookback_record,
    },
    {
        .name = "single-pass",
        .summary = "one workgroup reads the whole stream once, order kept",
        .paper = "Bontes and Gain 2024, Redzone stream compaction, 5.1, fig. 5",
        .order = ORDER_STREAM,
        .in_place = true,
        .largest = SINGLE_PASS_LARGEST,
        .passes = { { single_pass, PASS_ONE_GROUP } },
        .scratch = single_pass_scratch,
    },
    {
        .name = "scan-scatter-hs",
        .summary = "flags, a scan of them all by recursive doubling, scatter: Thrust before 2024",
        .paper = "Hillis and Steele 1986; the papers' baseline",
        .order = ORDER_STREAM,
        .passes = { { scatter_flags }, { scatter_scan_hs }, { scatter_add }, { scatter_write } },
        .scratch = scan_scatter_scratch,
        .record = scan_scatter_record,
    },
    {
        .name = "scan-scatter-bl",
        .summary = "flags, a scan of them all by a balanced tree, scatter: Thrust before 2024",
        .paper = "Blelloch 1990; the papers' baseline",
        .order = ORDER_STREAM,
        .passes = { { scatter_flags }, { scatter_scan_bl }, { scatter_add }, { scatter_write } },
        .scratch = scan_scatter_scratch,
        .record = scan_scatter_record,
    },
    {
        .name = "horn",
        .summary = "blocks; every output looks for its element in the prefix sum",
        .paper = "Horn 2005, GPU Gems 2, chapter 36",
        .order = ORDER_STREAM,
        .blocks = true,
        .shared = BLOCKS_SHARED,
        .passes = { { block_count }, { block_scan }, { horn }, { block_concatenate } },
        .scratch = blocks_scratch,
        .record = blocks_record,
    },
    {
        .name = "jumping-jack",
        .summary = "blocks; kept elements in front stay, holes jump to the others",
        .paper = "Moreira et al. 2009, Jumping Jack",
        .order = ORDER_FIXED,
        .blocks = true,
        .shared = BLOCKS_SHARED,
        .passes = { { block_count }, { block_scan }, { jumping_jack }, { block_concatenate } },
        .scratch = blocks_scratch,
        .record = blocks_record,
    },
    {
        .name = "rlz",
        .summary = "blocks; every output climbs the summed run lengths of zeros",
        .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.3",
        .order = ORDER_STREAM,
        .blocks = true,
        .shared = BLOCKS_SHARED,
        .passes = { { block_count }, { block_scan }, { rlz }, { block_concatenate } },
        .scratch = blocks_scratch,
        .record = blocks_record,
    },
    {
        .name = "binary-tree",
        .summary = "blocks; no prefix sum: every output walks down a tree of counts",
        .paper = "Moreira et al. 2009, New Algorithms for GPU Stream Compaction, 3.4",
        .order = ORDER_STREAM,
        .blocks = true,
        .shared = BLOCKS_SHARED,
        .passes = { { block_count }, { block_scan }, { binary_tree }, { block_concatenate } },
        .scratch = blocks_scratch,
        .record = blocks_record,
    },
    {
        .name = "histopyramid",
        .summary = "a pyramid of counts over the stream; outputs look themselves up",
        .paper = "Ziegler et al. 2006; Stream Compaction in WebGL",
        .order = ORDER_STREAM,
        .arranges = true,
        .passes = { [PYRAMID_BASE] = { pyramid_base },
                    [PYRAMID_REDUCE] = { pyramid_reduce },
                    [PYRAMID_APEX] = { pyramid_apex },
                    [PYRAMID_TRAVERSE] = { pyramid_traverse },
                    [PYRAMID_SHORT] = { pyramid_short } },
        .needs = histopyramid_needs,
        .scratch = histopyramid_scratch,
        .record = histopyramid_record,
    },
    {
        .name = "histopyramid-vec4",
        .summary = "the same with four partial sums per node: one load per level to look up",
        .paper = "Ziegler et al. 2006; Stream Compaction in WebGL, vec4 form",
        .order = ORDER_STREAM,
        .arranges = true,
        .passes = { [PYRAMID_BASE] = { pyramid_base_vec4 },
                    [PYRAMID_REDUCE] = { pyramid_reduce_vec4 },
                    [PYRAMID_APEX] = { pyramid_apex_vec4 },
                    [PYRAMID_TRAVERSE] = { pyramid_traverse_vec4 },
                    [PYRAMID_SHORT] = { pyramid_short_vec4 } },
        .needs = histopyramid_needs,
        .scratch = histopyramid_scratch,
        .record = histopyramid_record,
    },
    {
        .name = "redzone-1",
        .summary = "needs a removal list: takes k elements out of a kept list, O(k); one workgroup",
        .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 1",
        .order = ORDER_NONE,
        .in_place = true,
        .tells = true,
        .removes = true,
        .largest = REDZONE_LARGEST,
        .passes = { { removal_begin }, { removal_enter }, { removal_list }, { redzone_one } },
        .scratch = redzone_scratch,
        .record = redzone_record,
    },
    {
        .name = "redzone-2",
        .summary =
            "needs a removal list: takes k elements out of a kept list, O(k); a dispatch a phase",
        .paper = "Bontes and Gain 2024, Redzone Stream Compaction, algorithm 2",
        .order = ORDER_NONE,
        .in_place = true,
        .tells = true,
        .removes = true,
        .passes = { { removal_begin },
                    { removal_enter },
                    { removal_list },
                    { redzone_open },
                    { redzone_mark },
                    { redzone_pair },
                    { redzone_settle } },
        .scratch = redzone_scratch,
        .record = redzone_record,
    },
    {
        .name = "auto",
        .summary = "the fastest of the others, by times measured on this device and the last step",
        .paper = "Moreira et al. 2014, the meta-algorithm of its future work",
        .order = ORDER_NONE,
        .waits = true,
        .picks = true,
    },
    {
        .name = "cpu-remove",
        .summary = "one thread, one pass: what std::remove_if does",
        .paper = "Bontes & Gain 2024, Redzone Stream Compaction, 5.3: compared with on the CPU",
        .order = ORDER_STREAM,
        .in_place = true,
        .cpu = cpu_remove,
    },
    {
        .name = "cpu-stencil",
        .summary = "threads: mark a Boolean stencil, sum the counts up, copy",
        .paper = "Bernabe & Acacio 2018, Stream Compaction on a Low-Cost SDC Cluster, alg. 2",
        .order = ORDER_STREAM,
        .cpu = cpu_stencil,
    },
    {
        .name = "cpu-redzone",
        .summary = "threads: fills the gaps of k removed words with the last k, O(k)",
        .paper = "Bontes & Gain 2024, Redzone Stream Compaction, algorithm 2",
        .order = ORDER_FIXED,
        .in_place = true,
        .removes = true,
        .cpu = cpu_redzone,
    },
    { 0 },
};

static_assert(sizeof methods / sizeof *methods <= METHODS_MOST, "rows beyond METHODS_MOST");

uint32_t method_count(void)
{
    return (uint32_t)(sizeof methods / sizeof *methods) - 1;
}

const struct method *method_find(const char *name)
{
    for (const struct method *method = methods; method->name; method++) {
        if (strcmp(method->name, name) == 0) {
            return method;
        }
    }
    return NULL;
}

const struct method *method_default(void)
{
    return &methods[0];
}

const char *method_unavailable(const struct method *method, const struct gpu *gpu)
{
    if (method->cpu) {
        return "runs on the CPU: in bench compaction and verify";
    }
    if (method->shared > gpu->properties.limits.maxComputeSharedMemorySize) {
        return "its workgroups take more shared memory than the device has";
    }
    return NULL;
}

const char *method_refuses(const struct method *method, const struct gpu *gpu, uint64_t lanes)
{
    if (method->largest && lanes > method->largest) {
        return method->waits ? "the stream is longer than its words of state can count"
                             : "one workgroup does all the work, and the stream is longer than it "
                               "may loop over";
    }
    return method_unavailable(method, gpu);
}
