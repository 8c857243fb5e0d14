// What bench compaction and bench cast measure. A plan has several lists. Each list is read from
// one text, of the command line or of an experiment of the papers (experiments.h).
#pragma once

#include "app/cli/words.h"
#include "compute/casting/caster.h"
#include "compute/compaction/compaction.h"

// Images that bench compaction can make. word_image lists their names in this order.
enum { IMAGE_FINGER, IMAGE_HAND, IMAGE_BUNNY, IMAGES };

words word_image;

// Which elements of a stream are kept.
enum pattern_kind {
    PATTERN_RANDOM,      // kept elements lie anywhere
    PATTERN_RUNS,        // kept elements lie in runs of `run`; neighbouring runs may touch
    PATTERN_TAIL,        // k elements are not kept; `share` percent of them are among the last k
    PATTERN_FIRST,       // only the first element is kept
    PATTERN_MIDDLE,      // only the middle element is kept
    PATTERN_LAST,        // only the last element is kept
    PATTERN_ALTERNATING, // every second element is kept
    PATTERN_MASK,        // a mask says which elements are kept
};

struct pattern {
    enum pattern_kind kind;
    uint32_t run;
    double share;
};

// Writes the pattern as on the command line, such as "runs:64". Returns `text`.
const char *pattern_text(const struct pattern *pattern, char text[32]);

// Whether the density can be set. If not, the pattern itself fixes the density.
bool pattern_takes_density(const struct pattern *pattern);

#define PLAN_SIZES     16
#define PLAN_DENSITIES 101
#define PLAN_PATTERNS  16
#define PLAN_IMAGES    16
#define PLAN_IMAGE     1024 // bytes of a name
#define PLAN_BLOCKS    16
#define PLAN_LEAVES    8
#define PLAN_ELEMENTS  5
#define PLAN_WORKS     16

// The largest stream has 2^28 elements, 256M.
#define PLAN_LARGEST (1u << 28)

// Zero means not given. Strings belong to the caller.
struct plan {
    uint32_t sizes[PLAN_SIZES], size_count;
    double densities[PLAN_DENSITIES]; // percent of elements that are kept
    uint32_t density_count;
    struct pattern patterns[PLAN_PATTERNS];
    uint32_t pattern_count;
    char images[PLAN_IMAGES][PLAN_IMAGE]; // names of word_image, or PNG files
    uint32_t image_count;
    uint32_t blocks[PLAN_BLOCKS], block_count;       // elements of a block
    uint32_t elements[PLAN_ELEMENTS], element_count; // bytes of an element
    uint32_t works[PLAN_WORKS], work_count;          // rounds of a hash that the predicate computes
    const struct method *methods[METHODS_MOST];
    uint32_t method_count;
    bool all_methods;
    double threshold; // a pixel of an image is kept from this brightness on, percent of white
    bool has_threshold;
    uint32_t seeds; // streams of each kind, with other random numbers; 0: one
    uint32_t subgroup_size;
    bool concatenate, stages;
    bool removals; // run each method twice: without and with a given list of removals
    // For bench cast:
    const struct caster *casters[CASTERS_MOST];
    uint32_t caster_count;
    bool all_casters;
    uint32_t leaves[PLAN_LEAVES], leaf_count; // cells along a side
    bool separate; // also compact in separate kernels where those of the casters can compact
};

enum plan_list {
    LIST_SIZES,     // "32K,4M"
    LIST_DENSITIES, // "0,12.5,100"
    LIST_PATTERNS,  // "random", "runs:64", "tail:25", "first", "middle", "last", "alternating"
    LIST_IMAGES,
    LIST_BLOCKS,
    LIST_LEAVES,
    LIST_ELEMENTS,
    LIST_WORKS,
    LIST_METHODS, // names, or "all" by itself
    LIST_CASTERS, // names, or "all" by itself
    PLAN_LISTS,
};

// Why a text is refused.
struct plan_wrong {
    char part[81];        // the whole text, or the one name that is refused
    const char *expected; // what the text should be; NULL: a name of the table
};

// Reads a comma-separated text into a list of `plan`. False: *wrong says what is refused.
bool plan_read(struct plan *plan, enum plan_list list, const char *text, struct plan_wrong *wrong);

// Reads a power of two from 1 to 128. False: the text is not one.
bool plan_read_subgroup_size(struct plan *plan, const char *text);

// Replaces the members of `plan` that are given in `over`.
void plan_override(struct plan *plan, const struct plan *over);

// Writes a size as "4M", "32K" or "1000". Returns `text`.
const char *plan_size_text(uint32_t size, char text[16]);
