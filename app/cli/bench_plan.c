#include "app/cli/bench_plan.h"

#include "app/base/number.h"

#include <stdio.h>
#include <string.h>

static const struct word image_words[IMAGES] = {
    [IMAGE_ISLANDS] = { "islands", "a few large shapes: low spatial frequency" },
    [IMAGE_RIDGES] = { "ridges", "lines like those of a fingerprint" },
    [IMAGE_GRAIN] = { "grain", "specks: high spatial frequency" },
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

bool pattern_parse(const char *text, size_t length, struct pattern *out)
{
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

#define PARTS 101

struct parts {
    const char *starts[PARTS];
    size_t lengths[PARTS];
    uint32_t count;
};

// False where there are more than `most` parts.
static bool plan_parts_of(const char *text, uint32_t most, struct parts *out)
{
    const size_t count = split(text, ',', most, out->starts, out->lengths);
    out->count = (uint32_t)count;
    return count <= most;
}

static bool plan_read_size(const char *text, size_t length, uint32_t *out)
{
    uint64_t size, unit = 1;
    if (length > 0 && (text[length - 1] == 'K' || text[length - 1] == 'M')) {
        unit = text[--length] == 'K' ? 1u << 10 : 1u << 20;
    }
    if (whole_parse(text, length, PLAN_LARGEST / unit, &size) != WHOLE_OK || size == 0) {
        return false;
    }
    *out = (uint32_t)(size * unit);
    return true;
}

const char *plan_read_sizes(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_SIZES, &parts)) {
        return "at most 16 sizes";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        if (!plan_read_size(parts.starts[i], parts.lengths[i], &plan->sizes[i])) {
            return "comma-separated numbers of elements, each 1 to 256M, such as 32K,4M";
        }
    }
    plan->size_count = parts.count;
    return NULL;
}

const char *plan_read_densities(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_DENSITIES, &parts)) {
        return "at most 101 densities";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        double *density = &plan->densities[i];
        if (!number_parse(parts.starts[i], parts.lengths[i], density) || !(*density >= 0) ||
            *density > 100) {
            return "comma-separated percentages of kept elements, each 0 to 100, such as 10,50";
        }
    }
    plan->density_count = parts.count;
    return NULL;
}

const char *plan_read_patterns(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_PATTERNS, &parts)) {
        return "at most 16 patterns";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        if (!pattern_parse(parts.starts[i], parts.lengths[i], &plan->patterns[i])) {
            return "random, runs:N (a length), tail:P (0 to 100 percent), first, middle, last or "
                   "alternating, separated by commas";
        }
    }
    plan->pattern_count = parts.count;
    return NULL;
}

const char *plan_read_images(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_IMAGES, &parts)) {
        return "at most 16 images";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        if (parts.lengths[i] == 0 || parts.lengths[i] >= sizeof plan->images[i]) {
            return "islands, ridges, grain or PNG files, separated by commas";
        }
        memcpy(plan->images[i], parts.starts[i], parts.lengths[i]);
        plan->images[i][parts.lengths[i]] = 0;
    }
    plan->image_count = parts.count;
    return NULL;
}

static bool plan_power_of_two(uint64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

const char *plan_read_blocks(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_BLOCKS, &parts)) {
        return "at most 16 block sizes";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        uint64_t block;
        if (whole_parse(parts.starts[i], parts.lengths[i], 2048, &block) != WHOLE_OK ||
            block < 16 || !plan_power_of_two(block)) {
            return "comma-separated powers of two from 16 to 2048, such as 32,256";
        }
        plan->blocks[i] = (uint32_t)block;
    }
    plan->block_count = parts.count;
    return NULL;
}

const char *plan_read_leaves(struct plan *plan, const char *text)
{
    struct parts parts;
    if (!plan_parts_of(text, PLAN_LEAVES, &parts)) {
        return "at most 8 sizes of leaves";
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        uint64_t side;
        if (whole_parse(parts.starts[i], parts.lengths[i], 64, &side) != WHOLE_OK || side < 4 ||
            !plan_power_of_two(side)) {
            return "comma-separated powers of two from 4 to 64, such as 8,16";
        }
        plan->leaves[i] = (uint32_t)side;
    }
    plan->leaf_count = parts.count;
    return NULL;
}

const char *plan_read_threshold(struct plan *plan, const char *text)
{
    plan->has_threshold = true;
    return number_parse(text, strlen(text), &plan->threshold) && plan->threshold >= 0 &&
                   plan->threshold <= 100
               ? NULL
               : "a percentage of white, 0 to 100";
}

const char *plan_read_subgroup_size(struct plan *plan, const char *text)
{
    uint64_t size;
    if (whole_parse(text, strlen(text), 128, &size) != WHOLE_OK || !plan_power_of_two(size)) {
        return "a power of two, 1 to 128";
    }
    plan->subgroup_size = (uint32_t)size;
    return NULL;
}

bool plan_read_methods(struct plan *plan, const char *text, char name[80])
{
    plan->all_methods = strcmp(text, "all") == 0;
    plan->method_count = 0;
    struct parts parts;
    const bool few = plan_parts_of(text, METHODS_MOST, &parts);
    for (uint32_t i = 0; !plan->all_methods && i < parts.count; i++) {
        const size_t length = parts.lengths[i] < 79 ? parts.lengths[i] : 79;
        snprintf(name, 80, "%.*s", (int)length, parts.starts[i]);
        const struct method *method = few ? method_find(name) : NULL;
        if (!method) {
            return false;
        }
        plan->methods[plan->method_count++] = method;
    }
    return true;
}

bool plan_read_casters(struct plan *plan, const char *text, char name[80])
{
    plan->all_casters = strcmp(text, "all") == 0;
    plan->caster_count = 0;
    struct parts parts;
    const bool few = plan_parts_of(text, CASTERS_MOST, &parts);
    for (uint32_t i = 0; !plan->all_casters && i < parts.count; i++) {
        const size_t length = parts.lengths[i] < 79 ? parts.lengths[i] : 79;
        snprintf(name, 80, "%.*s", (int)length, parts.starts[i]);
        const struct caster *caster = few ? caster_find(name) : NULL;
        if (!caster) {
            return false;
        }
        plan->casters[plan->caster_count++] = caster;
    }
    return true;
}

#define TAKE(list, count)                                                                          \
    if (over->count > 0) {                                                                         \
        memcpy(plan->list, over->list, sizeof plan->list);                                         \
        plan->count = over->count;                                                                 \
    }

void plan_override(struct plan *plan, const struct plan *over)
{
    TAKE(sizes, size_count)
    TAKE(densities, density_count)
    TAKE(patterns, pattern_count)
    TAKE(images, image_count)
    TAKE(blocks, block_count)
    TAKE(methods, method_count)
    TAKE(casters, caster_count)
    TAKE(leaves, leaf_count)
    plan->all_methods = over->all_methods || (plan->all_methods && over->method_count == 0);
    plan->all_casters = over->all_casters || (plan->all_casters && over->caster_count == 0);
    if (over->has_threshold) {
        plan->threshold = over->threshold;
        plan->has_threshold = true;
    }
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
