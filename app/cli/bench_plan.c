#include "app/cli/bench_plan.h"

#include "app/base/number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct word image_words[IMAGES] = {
    [IMAGE_FINGER] = { "finger", "the ridges of a fingertip: high spatial frequency" },
    [IMAGE_HAND] = { "hand", "the shape of a hand" },
    [IMAGE_BUNNY] = { "bunny", "the shape of a bunny: low spatial frequency" },
};

bool word_image(size_t index, struct word *out)
{
    if (index < IMAGES) {
        *out = image_words[index];
    }
    return index < IMAGES;
}

static const char *const pattern_names[] = {
    [PATTERN_RANDOM] = "random",
    [PATTERN_RUNS] = "runs:",
    [PATTERN_TAIL] = "tail:",
    [PATTERN_FIRST] = "first",
    [PATTERN_MIDDLE] = "middle",
    [PATTERN_LAST] = "last",
    [PATTERN_ALTERNATING] = "alternating",
};
enum { PATTERN_NAMES = sizeof pattern_names / sizeof *pattern_names };

static bool plan_read_pattern(const char *text, size_t length, void *item)
{
    struct pattern *out = item;
    for (int i = 0; i < PATTERN_NAMES; i++) {
        const size_t head = strlen(pattern_names[i]);
        if (head > length || memcmp(text, pattern_names[i], head) != 0) {
            continue;
        }
        *out = (struct pattern){ .kind = (enum pattern_kind)i };
        if (i == PATTERN_RUNS) {
            uint64_t run = 0;
            const enum whole whole = whole_parse(text + head, length - head, 1u << 28, &run);
            out->run = (uint32_t)run;
            return whole == WHOLE_OK && run > 0;
        }
        if (i == PATTERN_TAIL) {
            return number_parse(text + head, length - head, &out->share) && out->share >= 0 &&
                   out->share <= 100;
        }
        return head == length;
    }
    return false;
}

const char *pattern_text(const struct pattern *pattern, char text[32])
{
    char number[32];
    switch (pattern->kind) {
    case PATTERN_RUNS:
        snprintf(text, 32, "runs:%u", pattern->run);
        break;
    case PATTERN_TAIL:
        snprintf(text, 32, "tail:%.20s", number_text(pattern->share, number));
        break;
    case PATTERN_MASK:
        snprintf(text, 32, "image");
        break;
    default:
        snprintf(text, 32, "%s", pattern_names[pattern->kind]);
    }
    return text;
}

bool pattern_takes_density(const struct pattern *pattern)
{
    return pattern->kind == PATTERN_RANDOM || pattern->kind == PATTERN_RUNS ||
           pattern->kind == PATTERN_TAIL;
}

// ---- lists ----

static bool plan_read_size(const char *text, size_t length, void *item)
{
    uint64_t size, unit = 1;
    if (length > 0 && (text[length - 1] == 'K' || text[length - 1] == 'M')) {
        unit = text[--length] == 'K' ? 1u << 10 : 1u << 20;
    }
    if (whole_parse(text, length, PLAN_LARGEST / unit, &size) != WHOLE_OK || size == 0) {
        return false;
    }
    *(uint32_t *)item = (uint32_t)(size * unit);
    return true;
}

static bool plan_read_density(const char *text, size_t length, void *item)
{
    double *density = item;
    return number_parse(text, length, density) && *density >= 0 && *density <= 100;
}

static bool plan_read_image(const char *text, size_t length, void *item)
{
    snprintf(item, PLAN_IMAGE, "%.*s", (int)length, text);
    return length > 0 && length < PLAN_IMAGE;
}

// Reads a power of two from `least` to `most`. On false *out is 0.
static bool
plan_read_power(const char *text, size_t length, uint64_t least, uint64_t most, uint32_t *out)
{
    uint64_t value;
    const bool fine = whole_parse(text, length, most, &value) == WHOLE_OK && value >= least &&
                      (value & (value - 1)) == 0;
    *out = fine ? (uint32_t)value : 0;
    return fine;
}

static bool plan_read_block(const char *text, size_t length, void *item)
{
    return plan_read_power(text, length, 16, 2048, item);
}

static bool plan_read_leaf(const char *text, size_t length, void *item)
{
    return plan_read_power(text, length, 4, 64, item);
}

static bool plan_read_element(const char *text, size_t length, void *item)
{
    return plan_read_power(text, length, 4, 64, item);
}

static bool plan_read_work(const char *text, size_t length, void *item)
{
    uint64_t work = 0;
    const enum whole whole = whole_parse(text, length, 256, &work);
    *(uint32_t *)item = (uint32_t)work;
    return whole == WHOLE_OK;
}

bool plan_read_subgroup_size(struct plan *plan, const char *text)
{
    return plan_read_power(text, strlen(text), 1, 128, &plan->subgroup_size);
}

static bool plan_read_method(const char *text, size_t length, void *item)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const struct method *method = method_find(name);
    *(const struct method **)item = method;
    return method;
}

static bool plan_read_caster(const char *text, size_t length, void *item)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const struct caster *caster = caster_find(name);
    *(const struct caster **)item = caster;
    return caster;
}

// Of a list in struct plan: the offsets of its items and of their count, then the bytes of one item
// and of all.
#define PLACE(items, count)                                                                        \
    offsetof(struct plan, items), offsetof(struct plan, count),                                    \
        sizeof((struct plan *)0)->items[0], sizeof((struct plan *)0)->items

static const struct list {
    size_t items, count, size, bytes;
    bool (*read)(const char *text, size_t length, void *item);
    const char *expected;
    const char *too_many; // text for too many items; NULL: the first name is refused
    size_t all;           // for names: offset of the bool that "all" sets; 0: none
} lists[PLAN_LISTS] = {
    [LIST_SIZES] = { PLACE(sizes, size_count), plan_read_size,
                     "comma-separated numbers of elements, each 1 to 256M, such as 32K,4M",
                     "at most 16 sizes" },
    [LIST_DENSITIES] = { PLACE(densities, density_count), plan_read_density,
                         "comma-separated percentages of kept elements, each 0 to 100, such as "
                         "10,50",
                         "at most 101 densities" },
    [LIST_PATTERNS] = { PLACE(patterns, pattern_count), plan_read_pattern,
                        "random, runs:N (a length), tail:P (0 to 100 percent), first, middle, "
                        "last or alternating, separated by commas",
                        "at most 16 patterns" },
    [LIST_IMAGES] = { PLACE(images, image_count), plan_read_image,
                      "finger, hand, bunny or PNG files, separated by commas",
                      "at most 16 images" },
    [LIST_BLOCKS] = { PLACE(blocks, block_count), plan_read_block,
                      "comma-separated powers of two from 16 to 2048, such as 32,256",
                      "at most 16 block sizes" },
    [LIST_LEAVES] = { PLACE(leaves, leaf_count), plan_read_leaf,
                      "comma-separated powers of two from 4 to 64, such as 8,16",
                      "at most 8 sizes of leaves" },
    [LIST_ELEMENTS] = { PLACE(elements, element_count), plan_read_element,
                        "comma-separated powers of two from 4 to 64, such as 4,64",
                        "at most 5 sizes of elements" },
    [LIST_WORKS] = { PLACE(works, work_count), plan_read_work,
                     "comma-separated numbers from 0 to 256, such as 0,64", "at most 16 numbers" },
    [LIST_METHODS] = { PLACE(methods, method_count), plan_read_method,
                       "a name from cubist methods, or all by itself",
                       .all = offsetof(struct plan, all_methods) },
    [LIST_CASTERS] = { PLACE(casters, caster_count), plan_read_caster,
                       .all = offsetof(struct plan, all_casters) },
};

bool plan_read(struct plan *plan, enum plan_list list, const char *text, struct plan_wrong *wrong)
{
    const struct list *row = &lists[list];
    const size_t most = row->bytes / row->size;
    const char *starts[PLAN_DENSITIES];
    size_t lengths[PLAN_DENSITIES];
    size_t count = split(text, ',', most, starts, lengths);
    const bool many = count > most, all = row->all && strcmp(text, "all") == 0;
    if (row->all) {
        *(bool *)((char *)plan + row->all) = all;
    }
    count = all ? 0 : count;
    for (size_t i = 0; i < count; i++) {
        if (many || !row->read(starts[i], lengths[i], (char *)plan + row->items + i * row->size)) {
            const char *part = row->all ? starts[i] : text;
            const size_t length = row->all ? lengths[i] : strlen(text);
            snprintf(wrong->part, sizeof wrong->part, "%.*s", (int)length, part);
            wrong->expected = many && row->too_many ? row->too_many : row->expected;
            return false;
        }
    }
    *(uint32_t *)((char *)plan + row->count) = (uint32_t)count;
    return true;
}

void plan_override(struct plan *plan, const struct plan *over)
{
    char *to = (char *)plan;
    const char *from = (const char *)over;
    for (int list = 0; list < PLAN_LISTS; list++) {
        const struct list *row = &lists[list];
        const uint32_t count = *(const uint32_t *)(from + row->count);
        if (count > 0) {
            memcpy(to + row->items, from + row->items, row->bytes);
            *(uint32_t *)(to + row->count) = count;
        }
        if (row->all) {
            bool *all = (bool *)(to + row->all);
            *all = *(const bool *)(from + row->all) || (*all && count == 0);
        }
    }
    if (over->has_threshold) {
        plan->threshold = over->threshold;
        plan->has_threshold = true;
    }
    plan->seeds = over->seeds ? over->seeds : plan->seeds;
    if (over->subgroup_size) {
        plan->subgroup_size = over->subgroup_size;
    }
    plan->concatenate |= over->concatenate;
    plan->stages |= over->stages;
    plan->removals |= over->removals;
    plan->separate |= over->separate;
}

const char *plan_size_text(uint32_t size, char text[16])
{
    const bool mega = size % (1u << 20) == 0, kilo = size % (1u << 10) == 0;
    const uint32_t shown = mega ? size >> 20 : kilo ? size >> 10 : size;
    snprintf(text, 16, "%u%s", shown, mega ? "M" : kilo ? "K" : "");
    return text;
}
