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

struct grid_array *grid_choose(struct grid *grid, const char *preferred)
{
    const char *wanted = protocol_value("array");
    double most = -1;
    size_t named = grid->count, exact = grid->count;
    if (grid->count == 0) {
        protocol_refuse("input", "it has no array of numbers with three axes");
    }
    for (size_t i = 0; i < grid->count; i++) {
        const struct grid_array *array = &grid->arrays[i];
        const char *name = wanted ? wanted : preferred;
        if (name && strcmp(array->path + (*name != '/' && array->path[0] == '/'), name) == 0) {
            exact = i;
        } else if (name && named == grid->count && grid_is_named(array->path, name)) {
            named = i;
        }
        if (grid_samples(array) > most) {
            most = grid_samples(array);
            grid->chosen = i;
        }
    }
    named = exact < grid->count ? exact : named;
    if (named < grid->count) {
        grid->chosen = named;
    } else if (wanted) {
        protocol_refuse(
            "usage", "it has no array '%s' of numbers with three axes; it has '%s'%s", wanted,
            grid->arrays[grid->chosen].path, grid->count > 1 ? " and others, see cubist info" : "");
    } else if (grid->count > 1) {
        grid_remark(
            grid, "the largest of %zu arrays is read: '%s'; --array NAME reads another",
            grid->count, grid->arrays[grid->chosen].path);
    }
    return &grid->arrays[grid->chosen];
}

static const char *const grid_choices[GRID_CHOICES] = { "time", "channel", "level" };

void grid_select(struct grid *grid, int choice, uint64_t count)
{
    const char *name = grid_choices[choice];
    grid->choice[choice].count = count;
    grid->choice[choice].at = count > 1 ? protocol_choice(name, count) : 0;
    if (count > 1 && choice != GRID_LEVEL && !protocol_value(name)) {
        grid_remark(
            grid, "the first %s of %" PRIu64 " is read; --%s N reads another", name, count, name);
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

// 0: time, 1: channel; -1: neither, by name and unit.
static int grid_role(const struct grid_axis *axis)
{
    const char *name = axis->name;
    return strcasecmp(name, "t") == 0 || strncasecmp(name, "time", 4) == 0 ||
                   strstr(axis->unit, " since ")
               ? 0
           : strcasecmp(name, "c") == 0 || strncasecmp(name, "channel", 7) == 0 ? 1
                                                                                : -1;
}

void grid_place(struct grid *grid)
{
    struct grid_array *array = &grid->arrays[grid->chosen];
    int axes[GRID_AXES], left = 0;
    int roles[2] = { -1, -1 };
    for (int i = 0; i < array->rank; i++) {
        const int role = grid_role(&array->axis[i]);
        if (role >= 0 && roles[role] < 0) {
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
        protocol_refuse("input", "'%s' has no three axes besides time and channels", array->path);
    }
    for (int i = 0; i < 3; i++) {
        grid->space[i] = axes[2 - i];
        grid->size[i] = array->axis[axes[2 - i]].size;
    }
    for (int i = 0; i < 2; i++) {
        if (roles[i] >= 0) {
            struct grid_axis *axis = &array->axis[roles[i]];
            grid_select(grid, i, axis->size);
            grid->at[roles[i]] = grid->choice[i].at;
            strcpy(axis->name, grid_choices[i]);
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

json_t *grid_answer(const struct grid *grid, const char *reader, json_t *files)
{
    const struct grid_array *array = &grid->arrays[grid->chosen];
    const char *by_index = protocol_value("axis-index");
    json_t *granule = json_array(), *arrays = json_array(), *steps = json_array(),
           *origin = json_array();
    json_t *choices = json_object(), *size = json_array();
    double first[3] = { 0 };
    bool known = !by_index;
    for (int i = 0; i < 3; i++) {
        known |= by_index && strcmp(by_index, array->axis[grid->space[i]].name) == 0;
    }
    if (!known) {
        protocol_refuse("usage", "'%s' has no axis '%s'", array->path, by_index);
    }
    for (int i = 0; i < 3; i++) {
        const struct grid_axis *axis = &array->axis[grid->space[i]];
        const bool index = by_index && strcmp(by_index, axis->name) == 0;
        const bool placed = axis->at && axis->size > 1 && !index;
        const double step = placed ? grid_step(axis) : 1;
        if (step == 0) {
            protocol_refuse(
                "input",
                "axis '%s' is not equally spaced (%.6g to %.6g%s%s): --axis-index %s takes "
                "it as 0, 1, 2",
                axis->name, axis->at[0], axis->at[axis->size - 1], *axis->unit ? " " : "",
                axis->unit, axis->name);
        }
        const double along[3] = { i == 0, i == 1, i == 2 };
        const double *direction = grid->space_name ? grid->direction[i] : along;
        for (int a = 0; a < 3; a++) {
            first[a] += placed ? axis->at[0] * direction[a] : 0;
        }
        json_array_append_new(
            steps,
            json_pack("[f, f, f]", step * direction[0], step * direction[1], step * direction[2]));
        json_array_append_new(size, json_integer((json_int_t)grid->size[i]));
        json_array_append_new(
            granule, json_integer(grid->granule[i] ? (json_int_t)grid->granule[i] : 1));
    }
    for (int a = 0; a < 3; a++) {
        json_array_append_new(origin, json_real(first[a]));
    }
    for (size_t i = 0; i < grid->count; i++) {
        json_array_append_new(arrays, grid_describe(&grid->arrays[i]));
    }
    for (int i = 0; i < GRID_CHOICES; i++) {
        if (grid->choice[i].count > 0) {
            json_object_set_new(
                choices, grid_choices[i],
                json_pack(
                    "{s:I, s:I}", "count", (json_int_t)grid->choice[i].count, "at",
                    (json_int_t)grid->choice[i].at));
        }
    }
    return json_pack(
        "{s:i, s:s, s:o, s:I, s:o, s:o, s:s, s:o, s:o, s:b, s:o, s:o, s:s*, s:o*}", "cubist", 1,
        "reader", reader, "arrays", arrays, "chosen", (json_int_t)grid->chosen, "choices", choices,
        "size", size, "type", array->type, "steps", steps, "origin", origin, "seekable", 1, "files",
        files, "granule", granule, "space", grid->space_name, "remarks", grid->remarks);
}
