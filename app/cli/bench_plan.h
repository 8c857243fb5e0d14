// What bench compaction and bench cast measure: lists, each read from one text of the command line
// or of a row of the papers' experiments (experiments.h).
#pragma once

#include "app/cli/words.h"
#include "compute/casting/caster.h"
#include "compute/compaction/compaction.h"

// Images that bench compaction can make. word_image lists their names in this order.
enum { IMAGE_ISLANDS, IMAGE_RIDGES, IMAGE_GRAIN, IMAGES };

words word_image;

// Which elements of a stream are kept.
enum pattern_kind {
    PATTERN_RANDOM, // kept elements lie anywhere
    PATTERN_RUNS,   // in runs of `run` elements; neighbouring runs may touch
    PATTERN_TAIL,   // of the k elements that are not kept, `share` percent are among the last k
    PATTERN_FIRST,  // one element
    PATTERN_MIDDLE, // one element
    PATTERN_LAST,   // one element
    PATTERN_ALTERNATING, // every second element
    PATTERN_MASK,        // given by a mask
};

struct pattern {
    enum pattern_kind kind;
    uint32_t run;
    double share;
};

// As the command line has it: "runs:64".
const char *pattern_text(const struct pattern *pattern, char text[32]);

// True: the density can be set. False: the pattern has its own.
bool pattern_takes_density(const struct pattern *pattern);

#define PLAN_SIZES     16
#define PLAN_DENSITIES 101
#define PLAN_PATTERNS  16
#define PLAN_IMAGES    16
#define PLAN_IMAGE     1024 // bytes of a name
#define PLAN_BLOCKS    16
#define PLAN_LEAVES    8

// The largest stream has 2^28 elements, 256M.
#define PLAN_LARGEST (1u << 28)

// Zero means not given. Strings belong to the caller.
struct plan {
    uint32_t sizes[PLAN_SIZES], size_count;
    double densities[PLAN_DENSITIES]; // kept, in percent
    uint32_t density_count;
    struct pattern patterns[PLAN_PATTERNS];
    uint32_t pattern_count;
    char images[PLAN_IMAGES][PLAN_IMAGE]; // names, or files
    uint32_t image_count;
    uint32_t blocks[PLAN_BLOCKS], block_count; // elements of a block
    const struct method *methods[METHODS_MOST];
    uint32_t method_count;
    bool all_methods;
    double threshold; // percent of white
    bool has_threshold;
    uint32_t subgroup_size;
    bool concatenate, stages;
    bool removals; // run every method by the words, and by a given list of removals
    // Of bench cast.
    const struct caster *casters[CASTERS_MOST];
    uint32_t caster_count;
    bool all_casters;
    uint32_t leaves[PLAN_LEAVES], leaf_count; // cells a side
    bool separate; // also compact in kernels of their own where the casters' could do so
};

enum plan_list {
    LIST_SIZES,     // "32K,4M"
    LIST_DENSITIES, // "0,12.5,100"
    LIST_PATTERNS,  // "random", "runs:64", "tail:25", "first", "middle", "last", "alternating"
    LIST_IMAGES,
    LIST_BLOCKS,
    LIST_LEAVES,
    LIST_METHODS, // names, or "all" by itself
    LIST_CASTERS, // the same
    PLAN_LISTS,
};

// What of a text is refused: all of it, or one name.
struct plan_wrong {
    char part[81];
    const char *expected; // NULL: a name of the table
};

// Reads a comma-separated text into a list of `plan`. False with *wrong where it has another form.
bool plan_read(struct plan *plan, enum plan_list list, const char *text, struct plan_wrong *wrong);

// A power of two, 1 to 128.
bool plan_read_subgroup_size(struct plan *plan, const char *text);

// Replaces members of `plan` by those that `over` has.
void plan_override(struct plan *plan, const struct plan *over);

// "4M", "32K", "1000"
const char *plan_size_text(uint32_t size, char text[16]);
