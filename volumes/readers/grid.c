#include "volumes/readers/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CHANNELS 4 // a last axis without a name that has at most so many samples is of channels

struct grid_array *grid_add(struct grid *grid, const char *path, int rank)
{
    if (rank < 3 || rank > GRID_AXES || strlen(path) >= sizeof grid->arrays->path) {
        return NULL;
    }
    grid->arrays = realloc(grid->arrays, (grid->count + 1) * sizeof *grid->arrays);
    if (!grid->arrays) {
        exit(1);
    }
    struct grid_array *array = &grid->arrays[grid->count++];
    *array = (struct grid_array){ .rank = rank };
    strcpy(array->path, path);
    return array;
}

void grid_remark(struct grid *grid, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    grid->remarks = grid->remarks ? grid->remarks : json_array();
    json_array_append_new(grid->remarks, protocol_text(text));
}

// Whether `name` is the path, or its end behind a "/".
static bool grid_is_named(const char *path, const char *name)
{
    const size_t length = strlen(path), end = strlen(name);
    return end > 0 && end <= length && strcmp(path + length - end, name) == 0 &&
           (end == length || name[0] == '/' || path[length - end - 1] == '/');
}

static double grid_samples(const struct grid_array *array)
{
    double samples = 1;
    for (int i = 0; i < array->rank; i++) {
        samples *= (double)array->axis[i].size;
    }
    return samples;
}

void grid_choose(struct grid *grid, const char *preferred)
{
    const char *wanted = protocol_value("array"), *name = wanted ? wanted : preferred;
    double most = -1;
    size_t named = grid->count;
    if (grid->count == 0) {
        protocol_refuse("input", "it has no array of numbers with three axes");
    }
    for (size_t i = 0; i < grid->count; i++) {
        const struct grid_array *array = &grid->arrays[i];
        const bool exact =
            name && strcmp(array->path + (*name != '/' && array->path[0] == '/'), name) == 0;
        if (exact || (name && named == grid->count && grid_is_named(array->path, name))) {
            named = i;
        }
        if (grid_samples(array) > most) {
            most = grid_samples(array);
            grid->facts.chosen = i;
        }
    }
    if (named < grid->count) {
        grid->facts.chosen = named;
    } else if (wanted) {
        protocol_refuse(
            "usage", "it has no array '%s' of numbers with three axes; it has '%s'%s", wanted,
            grid->arrays[grid->facts.chosen].path,
            grid->count > 1 ? " and others, see cubist info" : "");
    } else if (grid->count > 1) {
        grid_remark(
            grid, "the largest of %zu arrays is read: '%s'; --array NAME reads another",
            grid->count, grid->arrays[grid->facts.chosen].path);
    }
    for (size_t i = 0; i < grid->count; i++) {
        if (i != grid->facts.chosen) {
            protocol_other_array(grid->arrays[i].path);
        }
    }
}

struct grid_array *grid_find(struct grid *grid, const char *path)
{
    for (size_t i = 0; i < grid->count; i++) {
        if (strcmp(grid->arrays[i].path, path) == 0) {
            grid->facts.chosen = i;
            return &grid->arrays[i];
        }
    }
    protocol_refuse("input", "'%s' is not an array of numbers with three axes", path);
}

uint64_t grid_select(struct grid *grid, int choice, uint64_t count, uint64_t otherwise)
{
    const char *name = protocol_choices[choice];
    const bool asked = count > 1 && protocol_value(name);
    const uint64_t at = asked ? protocol_select(name, count) : otherwise;
    if (count > 1 && choice != GRID_LEVEL && !asked && at == 0) {
        grid_remark(
            grid, "the first %s of %" PRIu64 " is read; --%s N reads another", name, count, name);
    }
    grid->facts.choice[choice].count = count;
    grid->facts.choice[choice].at = at;
    return at;
}

const char *const grid_value_names[GRID_VALUES] = { "_FillValue", "missing_value", "scale_factor",
                                                    "add_offset", "valid_min",     "valid_max" };
const double grid_no_values[GRID_VALUES] = { NAN, NAN, 1, 0, NAN, NAN };

void grid_remark_values(struct grid *grid, const double values[GRID_VALUES])
{
    const double missing = isnan(values[GRID_FILL]) ? values[GRID_MISSING] : values[GRID_FILL];
    const double factor = values[GRID_FACTOR], offset = values[GRID_OFFSET];
    if (!isnan(missing)) {
        grid_remark(grid, "samples of %g stand for missing values", missing);
    }
    if (factor != 1 || offset != 0) {
        grid_remark(
            grid, "values are as stored: scale_factor %g and add_offset %g are not applied", factor,
            offset);
    }
}

bool grid_scale(
    struct grid *grid, const double valid[2], struct grid_limits least, struct grid_limits most)
{
    struct grid_array *array = &grid->arrays[grid->facts.chosen];
    const bool sign = array->type[0] == 'i';
    const int bits = array->type[0] == 'f' ? 0 : atoi(strpbrk(array->type, "0123456789"));
    const double first = !isnan(valid[0]) ? valid[0] : sign ? -ldexp(1, bits - 1) : 0;
    const double last = !isnan(valid[1]) ? valid[1] : ldexp(1, bits - sign) - 1;
    uint64_t slices = 1;
    int rank = 0;
    while (slices < least.count && rank < grid->space[0] &&
           !__builtin_mul_overflow(slices, array->axis[rank].size, &slices)) {
        rank++;
    }
    bool fits = least.numbers && most.numbers && least.count == slices && most.count == slices &&
                first < last && bits <= 32; // float32 holds no 64
    for (uint64_t i = 0; fits && i < slices; i++) {
        fits = isfinite(least.numbers[i]) && isfinite(most.numbers[i]); // NAN: the file has ended
    }
    if (bits > 0 && !fits) {
        grid_remark(grid, "values are as stored, without image-min and image-max");
    }
    for (uint64_t i = 0; bits > 0 && fits && i < slices; i++) {
        const double slope = (most.numbers[i] - least.numbers[i]) / (last - first);
        if (slope != 1 || least.numbers[i] != first) { // one slice at least is not as stored
            grid->scaled = rank, grid->valid = first, grid->least = least.numbers;
            grid->slope = most.numbers;
            array->type = "float32";
        }
        most.numbers[i] = slope;
    }
    return grid->slope;
}

void grid_apply(const struct grid *grid, const uint64_t box[3][2], float *samples)
{
    const struct grid_axis *axis = grid->arrays[grid->facts.chosen].axis;
    const int *space = grid->space;
    for (uint64_t z = box[2][0]; grid->slope && z < box[2][1]; z++) {
        for (uint64_t y = box[1][0]; y < box[1][1]; y++) {
            uint64_t i = 0;
            for (int a = 0; a < grid->scaled; a++) {
                i = i * axis[a].size + (a == space[2] ? z : a == space[1] ? y : grid->at[a]);
            }
            for (uint64_t x = box[0][0]; x < box[0][1]; x++, samples++) {
                *samples = (float)((*samples - grid->valid) * grid->slope[i] + grid->least[i]);
            }
        }
    }
}

void grid_space(struct grid_axis *axis, double first, double step)
{
    free(axis->at);
    axis->at =
        axis->size < SIZE_MAX / sizeof *axis->at ? malloc(axis->size * sizeof *axis->at) : NULL;
    for (uint64_t i = 0; axis->at && i < axis->size; i++) {
        axis->at[i] = first + (double)i * step;
    }
}

// Whether the key "axis-index" has this value.
static bool grid_by_index(const char *value)
{
    const char *by_index = protocol_value("axis-index");
    return by_index && strcmp(by_index, value) == 0;
}

// 0: time, 1: channel; -1: neither, by name and unit, or because the key "axis-index" names it.
static int grid_role(const struct grid_axis *axis)
{
    const char *name = axis->name;
    if (grid_by_index(name)) {
        return -1;
    }
    return strcasecmp(name, "t") == 0 || strncasecmp(name, "time", 4) == 0 ||
                   strstr(axis->unit, " since ")
               ? 0
           : strcasecmp(name, "c") == 0 || strncasecmp(name, "channel", 7) == 0 ? 1
                                                                                : -1;
}

void grid_place(struct grid *grid)
{
    struct grid_array *array = &grid->arrays[grid->facts.chosen];
    int axes[GRID_AXES], left = 0;
    int roles[2] = { -1, -1 };
    for (int i = 0; i < array->rank; i++) {
        const int role = grid_role(&array->axis[i]);
        const bool needed = grid_by_index("all") && left + array->rank - 1 - i < 3; // in space
        if (role >= 0 && roles[role] < 0 && !needed) {
            roles[role] = i;
        } else {
            axes[left++] = i;
        }
    }
    for (int i = left; i-- > 0 && left > 3;) { // axes of one sample
        if (array->axis[axes[i]].size == 1) {
            memmove(axes + i, axes + i + 1, (size_t)(--left - i) * sizeof *axes);
        }
    }
    while (left > 3) {
        const uint64_t first = array->axis[axes[0]].size, last = array->axis[axes[left - 1]].size;
        if (roles[1] < 0 && last <= CHANNELS && last < first) {
            roles[1] = axes[--left];
        } else if (roles[0] < 0 || roles[1] < 0) {
            roles[roles[0] >= 0] = axes[0];
            memmove(axes, axes + 1, (size_t)--left * sizeof *axes);
        } else {
            protocol_refuse("unsupported", "'%s' has %d axes", array->path, array->rank);
        }
    }
    if (left < 3) {
        const char *other = array->axis[roles[roles[0] < 0]].name;
        protocol_refuse(
            *other ? "axis-index" : "input",
            "'%s' has no three axes besides time and channels%s%s%s", array->path,
            *other ? "; --axis-index " : "", other,
            *other ? " takes that axis as one of the three" : "");
    }
    for (int i = 0; i < 3; i++) {
        grid->space[i] = axes[2 - i];
        grid->facts.size[i] = array->axis[axes[2 - i]].size;
    }
    for (int i = 0; i < 2; i++) {
        if (roles[i] >= 0) {
            struct grid_axis *axis = &array->axis[roles[i]];
            grid->at[roles[i]] = grid_select(grid, i, axis->size, 0);
            strcpy(axis->name, protocol_choices[i]);
        }
    }
    static const char *const names[] = { "x", "y", "z" };
    for (int i = 0; i < 3; i++) {
        char *name = array->axis[grid->space[i]].name;
        if (!*name) {
            strcpy(name, names[i]);
        }
    }
}

// The distance of the axis's samples; 0: they are not equally spaced. Positions in files are often
// rounded to float32.
static double grid_step(const struct grid_axis *axis)
{
    const double first = axis->at[0], last = axis->at[axis->size - 1];
    const double step = (last - first) / (double)(axis->size - 1);
    const double rounding = 2.4e-7 * fmax(fabs(first), fabs(last));
    bool even = isfinite(step);
    for (uint64_t i = 1; i < axis->size && even; i++) {
        even = fabs(axis->at[i] - axis->at[i - 1] - step) <= 1e-3 * fabs(step) + rounding;
    }
    return even ? step : 0;
}

static json_t *grid_describe(const struct grid_array *array)
{
    json_t *axes = json_array();
    for (int i = array->rank; i-- > 0;) {
        const struct grid_axis *axis = &array->axis[i];
        const double step = axis->at && axis->size > 1 ? fabs(grid_step(axis)) : 0;
        json_array_append_new(
            axes, json_pack(
                      "{s:o, s:I, s:f, s:o}", "name", protocol_text(axis->name), "size",
                      (json_int_t)axis->size, "spacing", step, "unit", protocol_text(axis->unit)));
    }
    return json_pack(
        "{s:o, s:s, s:o}", "path", protocol_text(array->path), "type", array->type, "axes", axes);
}

void grid_answer(struct grid *grid, const char *reader, json_t *files)
{
    struct protocol_facts *facts = &grid->facts;
    const struct grid_array *array = &grid->arrays[facts->chosen];
    const char *by_index = protocol_value("axis-index");
    const bool all = grid_by_index("all");
    bool known = !by_index || all;
    for (int i = 0; i < 3; i++) {
        known |= grid_by_index(array->axis[grid->space[i]].name);
    }
    if (!known) {
        protocol_refuse(
            "usage", "'%s' has no axis '%s': its axes are '%s', '%s' and '%s'", array->path,
            by_index, array->axis[grid->space[0]].name, array->axis[grid->space[1]].name,
            array->axis[grid->space[2]].name);
    }
    for (int i = 0; i < 3; i++) {
        const struct grid_axis *axis = &array->axis[grid->space[i]];
        const bool uneven = all && axis->at && axis->size > 1 && grid_step(axis) == 0;
        const bool index = uneven || (all && grid_role(axis) >= 0) || grid_by_index(axis->name);
        const bool placed = axis->at && axis->size > 1 && !index;
        const double step = placed ? grid_step(axis) : 1;
        if (step == 0) {
            protocol_refuse(
                "axis-index",
                "axis '%s' is not equally spaced (%.6g to %.6g%s%s): --axis-index %s takes "
                "it as 0, 1, 2",
                axis->name, axis->at[0], axis->at[axis->size - 1], *axis->unit ? " " : "",
                axis->unit, axis->name);
        }
        const double *way = axis->direction;
        const bool turned = way[0] != 0 || way[1] != 0 || way[2] != 0;
        for (int a = 0; a < 3; a++) {
            const double direction = turned ? way[a] : a == i;
            facts->steps[i][a] = step * direction;
            facts->origin[a] += placed ? axis->at[0] * direction : 0;
        }
    }
    json_t *arrays = json_array();
    for (size_t i = 0; i < grid->count; i++) {
        json_array_append_new(arrays, grid_describe(&grid->arrays[i]));
    }
    facts->reader = reader;
    facts->type = array->type;
    protocol_answer(facts, arrays, files, grid->remarks);
}
