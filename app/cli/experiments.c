#include "app/cli/experiments.h"

#include "app/base/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define JUMPING_JACK   "Moreira et al. 2009, A Parallel Algorithm for Non-Monotonic Stream Compaction"
#define NEW_ALGORITHMS "Moreira et al. 2009, New Algorithms for GPU Stream Compaction"
#define REDZONE        "Bontes and Gain 2024, Redzone"
#define INK            "Hughes et al. 2013, In-Kernel Stream Compaction"

// The papers plot over the share of invalid elements, 0 to 100 percent. A density is the share of
// kept elements.
#define OVER_DENSITIES "100,90,80,70,60,50,40,30,20,10,5,1,0"
#define MOREIRA        "horn,jumping-jack,rlz,binary-tree,lookback"
// The paper has 128 KiB to 2 GiB. Here a stream can have at most 1 GiB.
#define REDZONE_SIZES "32K,128K,512K,2M,8M,32M,128M,256M"
#define OURS          "none of the papers"
#define IN_ORDER_OR_NOT                                                                            \
    "ink-collate,lookback,chag,count-scan-compact,scan-scatter-bl,horn,histopyramid-vec4"
#define WHOLE     "scan-scatter-bl,count-scan-compact,lookback,ink-collate"
#define ONE_BLOCK "128K,512K,2M,8M,32M,128M,256M"

const struct experiment experiments[] = {
    {
        .name = "jumping-jack-9",
        .paper = JUMPING_JACK,
        .figure = "figure 9",
        .summary = "two kinds of prefix sum, over block sizes",
        .sizes = "4M",
        .densities = "50",
        .blocks = "16,32,64,128,256,512,1024,2048",
        .prefixes = true,
    },
    {
        .name = "jumping-jack-10",
        .paper = JUMPING_JACK,
        .figure = "figure 10",
        .summary = "putting compacted blocks together, over block sizes",
        .methods = "jumping-jack",
        .sizes = "4M",
        .densities = "50",
        .blocks = "16,32,64,128,256,512,1024,2048",
        .concatenate = true,
        .stages = true,
    },
    {
        .name = "jumping-jack-11",
        .paper = JUMPING_JACK,
        .figure = "figure 11",
        .summary = "the whole compaction over densities, blocks of 256",
        .methods = "horn,jumping-jack,lookback",
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "256",
    },
    {
        .name = "jumping-jack-12",
        .paper = JUMPING_JACK,
        .figure = "figure 12",
        .summary = "the compaction within blocks of 32 and 256, over densities",
        .methods = "horn,jumping-jack,lookback",
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "32,256",
        .concatenate = true,
        .stages = true,
    },
    {
        .name = "jumping-jack-13",
        .paper = JUMPING_JACK,
        .figure = "figure 13",
        .summary = "as jumping-jack-12; the paper's second device, select it with --device",
        .methods = "horn,jumping-jack,lookback",
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "32,256",
        .concatenate = true,
        .stages = true,
    },
    {
        .name = "jumping-jack-density",
        .paper = JUMPING_JACK,
        .figure = "section 6",
        .summary = "the concatenation over densities, blocks of 32, 256 and 2048",
        .methods = "jumping-jack",
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "32,256,2048",
        .concatenate = true,
        .stages = true,
    },
    {
        .name = "new-algorithms-7",
        .paper = NEW_ALGORITHMS,
        .figure = "figure 7",
        .summary = "the stages at three densities, blocks of 256; rlz also as in the paper",
        .methods = MOREIRA ",rlz:doubling,rlz:tree",
        .sizes = "4M",
        .densities = "90,50,10",
        .blocks = "256",
        .concatenate = true,
        .stages = true,
    },
    {
        .name = "new-algorithms-8",
        .paper = NEW_ALGORITHMS,
        .figure = "figure 8",
        .summary = "over densities, blocks of 32",
        .methods = MOREIRA,
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "32",
    },
    {
        .name = "new-algorithms-9",
        .paper = NEW_ALGORITHMS,
        .figure = "figure 9",
        .summary = "over densities, blocks of 256",
        .methods = MOREIRA,
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "256",
    },
    {
        .name = "new-algorithms-10",
        .paper = NEW_ALGORITHMS,
        .figure = "figure 10",
        .summary = "over densities, blocks of 2048",
        .methods = MOREIRA,
        .sizes = "4M",
        .densities = OVER_DENSITIES,
        .blocks = "2048",
    },
    {
        .name = "new-algorithms-table-1",
        .paper = NEW_ALGORITHMS,
        .figure = "table 1",
        .summary = "images after the paper's, and their negatives, three sizes and blocks",
        .methods = MOREIRA,
        .sizes = "256K,1M,4M",
        .images = "finger,hand,bunny",
        .blocks = "32,128,512",
    },
    {
        .name = "new-algorithms-sizes",
        .paper = NEW_ALGORITHMS,
        .figure = "section 4",
        .summary = "whether streams of 1/4 and 1/16 take 1/4 and 1/16 of the time",
        .methods = MOREIRA,
        .sizes = "256K,1M,4M",
        .densities = "90,50,10",
        .blocks = "32,256,2048",
    },
    {
        .name = "redzone-4",
        .paper = REDZONE,
        .figure = "figure 4",
        .summary = "removing 2, 10, 50, 90 % over sizes to 1 GiB, against four methods",
        .methods = "redzone-2,scan-scatter-bl,ink-compact,count-scan-compact,lookback",
        .sizes = REDZONE_SIZES,
        .densities = "98,90,50,10",
        .stages = true,
        .removals = true,
    },
    {
        .name = "redzone-5",
        .paper = REDZONE,
        .figure = "figure 5",
        .summary = "as redzone-4 on one workgroup, against a single pass",
        .methods = "redzone-1,single-pass,lookback",
        .sizes = ONE_BLOCK,
        .densities = "98,90,50,10",
        .stages = true,
        .removals = true,
    },
    {
        .name = "redzone-6",
        .paper = REDZONE,
        .figure = "figure 6",
        .summary = "removing 2, 10, 50 %, 0 to 100 % of them in the last places (red zone)",
        .methods = "redzone-2",
        .sizes = ONE_BLOCK,
        .densities = "98,90,50",
        .patterns = "tail:0,tail:25,tail:50,tail:75,tail:100",
        .stages = true,
        .removals = true,
    },
    {
        .name = "redzone-7",
        .paper = REDZONE,
        .figure = "figure 7",
        .summary = "removing 2, 10, 50, 90 % over sizes, on the CPU",
        .methods = "cpu-redzone,cpu-stencil,cpu-remove",
        .sizes = ONE_BLOCK,
        .densities = "98,90,50,10",
        .stages = true,
        .removals = true,
    },
    {
        .name = "redzone-add",
        .paper = REDZONE,
        .figure = "section 4.6",
        .summary = "adding and removing 1, 2, 10, 50 %, against compaction of the whole",
        .methods = "redzone-2," WHOLE,
        .sizes = "4M",
        .densities = "99,98,90,50",
        .patterns = "tail:0",
        .stages = true,
        .removals = true,
        .adds = true,
    },
    {
        .name = "redzone-preserve",
        .paper = REDZONE,
        .figure = "section 6",
        .summary = "keeping 0.1, 1, 2, 10, 50 % by their positions, against other ways",
        .methods = "redzone-2," WHOLE,
        .sizes = "4M",
        .densities = "0.1,1,2,10,50",
        .removals = true,
        .preserves = true,
    },
    {
        .name = "element-size",
        .paper = OURS,
        .figure = "elements",
        .summary = "elements of 4 to 64 bytes, at three densities",
        .methods = IN_ORDER_OR_NOT,
        .sizes = "1M",
        .densities = "90,50,10",
        .elements = "4,8,16,32,64",
    },
    {
        .name = "predicate-cost",
        .paper = OURS,
        .figure = "predicate",
        .summary = "a predicate that also computes 0 to 256 rounds of a hash",
        .methods = IN_ORDER_OR_NOT,
        .sizes = "1M",
        .densities = "50",
        .works = "0,16,64,256",
    },
    {
        .name = "atomics",
        .paper = "Bakunas-Milanowski et al. 2017, Efficient Algorithms for Stream Compaction",
        .figure = "atomics",
        .summary = "an atomic per kept element, subgroup or workgroup, over densities",
        .methods = "ink-collate",
        .sizes = "1M",
        .densities = "90,50,10,1",
        .atomics = true,
    },
    {
        .name = "ink-extraction",
        .paper = INK,
        .figure = "of meshes, not in the paper",
        .summary = "frames per second of the extraction on the FILEs, over isovalues",
        .methods = "ink-compact,ink-collate,ofk-compact,scan-scatter-bl,chag,lookback",
        .volumes = true,
    },
    {
        .name = "ink-table-1",
        .paper = INK,
        .figure = "table 1",
        .summary = "bench cast: frames per second of rays on the FILEs, by method",
        .casters = "wavefront-bvh,single-bvh,kd-jump,wavefront-dda,dda",
        .methods = "ink-compact,scan-scatter-bl,scan-scatter-hs,chag,ink-collate,lookback,"
                   "histopyramid-vec4",
        .leaves = "16",
        .casts = true,
        .separate = true,
        .stages = true,
    },
    {
        .name = "ink-fig-6",
        .paper = INK,
        .figure = "figure 6",
        .summary = "bench cast: methods over isovalues, on the FILEs",
        .casters = "wavefront-bvh",
        .methods = "ink-compact,scan-scatter-bl,chag,lookback",
        .leaves = "16",
        .casts = true,
        .separate = true,
        .sweep = true,
    },
    {
        .name = "ink-fig-7",
        .paper = INK,
        .figure = "figure 7",
        .summary = "bench cast: rounds, one kernel, and other kernels, over isovalues",
        .casters = "wavefront-bvh,single-bvh",
        .methods = "ink-compact,ink-collate,lookback",
        .leaves = "16",
        .casts = true,
        .separate = true,
        .sweep = true,
    },
    {
        .name = "ink-fig-8",
        .paper = INK,
        .figure = "figure 8",
        .summary = "bench cast: rounds and one kernel at three isovalues; take --images, too",
        .casters = "wavefront-bvh,single-bvh",
        .methods = "ink-compact,lookback",
        .leaves = "16",
        .casts = true,
    },
    {
        .name = "leaf-size",
        .paper = INK,
        .figure = "3.1, 16^3 leaves",
        .summary = "bench cast: leaves of 4, 8, 16 and 32 cells a side",
        .casters = "single-bvh,kd-jump,wavefront-bvh",
        .methods = "ink-compact",
        .leaves = "4,8,16,32",
        .casts = true,
    },
    {
        .name = "efficiency",
        .paper = INK,
        .figure = "3.1, one kernel",
        .summary = "bench cast: busy lanes of single kernels, by subgroup size",
        .casters = "single-bvh,kd-jump,dda",
        .leaves = "16",
        .casts = true,
        .lanes = true,
    },
    {
        .name = "cell-test",
        .paper = INK,
        .figure = "3.1, steps along a ray",
        .summary = "bench cast: other tests of a cell: time, pixels that they lose",
        .casters = "dda",
        .casts = true,
        .tests = true,
    },
    { 0 },
};

bool word_rerun(size_t index, struct word *out)
{
    if (index >= sizeof experiments / sizeof *experiments - 1) {
        return false;
    }
    snprintf(out->text, sizeof out->text, "%s", experiments[index].name);
    out->summary = experiments[index].summary;
    return true;
}

// Whether `part` is "all", the name, or the part of the name before the figure.
static bool experiment_means(const struct experiment *row, const char *part, size_t length)
{
    const char *figure = strstr(row->name, "-table-");
    figure = figure ? figure : strstr(row->name, "-fig-");
    figure = figure ? figure : strrchr(row->name, '-');
    figure = figure ? figure : row->name + strlen(row->name);
    return (length == 3 && memcmp(part, "all", 3) == 0) ||
           ((length == strlen(row->name) || length == (size_t)(figure - row->name)) &&
            memcmp(row->name, part, length) == 0);
}

bool experiments_read(const char *text, bool selected[EXPERIMENTS], char name[80])
{
    const char *starts[EXPERIMENTS];
    size_t lengths[EXPERIMENTS];
    const size_t count = split(text, ',', EXPERIMENTS, starts, lengths);
    for (size_t i = 0; i < count && i < EXPERIMENTS; i++) {
        bool known = false;
        for (uint32_t row = 0; experiments[row].name; row++) {
            if (experiment_means(&experiments[row], starts[i], lengths[i])) {
                selected[row] = known = true;
            }
        }
        if (!known) {
            snprintf(name, 80, "%.*s", (int)(lengths[i] < 79 ? lengths[i] : 79), starts[i]);
            return false;
        }
    }
    return true;
}

void experiment_plan(const struct experiment *row, struct plan *out)
{
    *out = (struct plan){
        .concatenate = row->concatenate,
        .stages = row->stages,
        .removals = row->removals,
        .separate = row->separate,
    };
    const char *const texts[PLAN_LISTS] = {
        row->sizes,  row->densities, row->patterns, row->images,  row->blocks,
        row->leaves, row->elements,  row->works,    row->methods, row->casters,
    };
    bool fine = true;
    for (int list = 0; list < PLAN_LISTS; list++) {
        struct plan_wrong wrong;
        fine = fine && (!texts[list] || plan_read(out, (enum plan_list)list, texts[list], &wrong));
    }
    assert(fine);
    (void)fine;
}
