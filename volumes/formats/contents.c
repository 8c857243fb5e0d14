#include "volumes/formats/contents.h"

#include "volumes/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The words for a choice. `option` is also the name of its axis.
static const struct {
    const char *option, *many;
    size_t place; // in struct pick
} contents_words[CONTENTS_CHOICES] = {
    [CONTENTS_TIME] = { "time", "time steps", offsetof(struct pick, time) },
    [CONTENTS_CHANNEL] = { "channel", "channels", offsetof(struct pick, channel) },
    [CONTENTS_LEVEL] = { "level", "levels", offsetof(struct pick, level) },
};

void contents_free(struct contents *contents)
{
    for (size_t i = 0; i < contents->count; i++) {
        free(contents->arrays[i].path);
    }
    free(contents->arrays);
    *contents = (struct contents){ 0 };
}

struct contents_array *contents_add(
    struct contents *contents, const char *path, const char *type, const char *file,
    struct problem *problem)
{
    struct contents_array *arrays =
        realloc(contents->arrays, (contents->count + 1) * sizeof *arrays);
    char *copy = strdup(path);
    contents->arrays = arrays ? arrays : contents->arrays;
    if (!arrays || !copy) {
        free(copy);
        problem_no_memory(problem, "reading", file);
        return NULL;
    }
    struct contents_array *array = &arrays[contents->count++];
    *array = (struct contents_array){ .path = copy, .levels = 1 };
    snprintf(array->type, sizeof array->type, "%s", type);
    return array;
}

void contents_add_axis(
    struct contents_array *array, const char *name, uint64_t size, double spacing, const char *unit)
{
    if (size <= 1) {
        return;
    }
    if (array->axes == CONTENTS_AXES) {
        array->axis[CONTENTS_AXES - 1].size *= size;
        return;
    }
    struct contents_axis *axis = &array->axis[array->axes++];
    *axis = (struct contents_axis){ .size = size, .spacing = spacing };
    snprintf(axis->name, sizeof axis->name, "%s", name);
    snprintf(axis->unit, sizeof axis->unit, "%s", unit ? unit : "");
}

bool contents_select(
    struct contents *contents, const char *wanted, size_t otherwise, bool more, const char *file,
    struct problem *problem)
{
    char list[300] = "";
    const struct contents_array *arrays = contents->arrays;
    size_t chosen = wanted ? contents->count : otherwise;
    for (size_t i = 0, at = 0; i < contents->count; i++) {
        chosen = wanted && strcmp(arrays[i].path, wanted) == 0 ? i : chosen;
        if (at < sizeof list) {
            at += (size_t)snprintf(
                list + at, sizeof list - at, "%s%s", i ? ", " : "", arrays[i].path);
        }
    }
    if (chosen == contents->count) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has no array '%s'; it has %s%s", file, wanted, list,
            more ? " ..." : "");
    }
    if (!wanted && contents->count > 1) {
        log_warn(
            "'%s' holds several arrays; %s is read (--array selects one of %s)", file,
            arrays[chosen].path, list);
    }
    contents->chosen = chosen;
    return true;
}

// 1 + the number that is asked for; 0: none.
static uint32_t contents_picked(const struct pick *pick, enum contents_choice choice)
{
    uint32_t number;
    memcpy(&number, (const char *)pick + contents_words[choice].place, sizeof number);
    return number;
}

const char *contents_word(enum contents_choice choice)
{
    return contents_words[choice].option;
}

bool contents_asked(const struct pick *pick, enum contents_choice choice)
{
    return contents_picked(pick, choice) > 0;
}

bool contents_choose(
    struct contents *contents, enum contents_choice choice, uint64_t count, const struct pick *pick,
    const char *file, uint64_t *at, struct problem *problem)
{
    const uint32_t number = contents_picked(pick, choice);
    *at = 0;
    if (count > 1 && number > count) {
        return problem_set(
            problem, PROBLEM_USAGE, "'%s' has %" PRIu64 " %s: --%s %u is not one of 0 to %" PRIu64,
            file, count, contents_words[choice].many, contents_words[choice].option, number - 1,
            count - 1);
    }
    if (count > 1 && number > 0) {
        *at = number - 1;
    }
    contents->choice[choice].count = count;
    contents->choice[choice].at = *at;
    return true;
}

bool contents_complete(
    struct contents *contents, const struct volume *volume, const struct pick *pick,
    const char *file, struct problem *problem)
{
    if (contents->count == 0) {
        struct contents_array *array =
            contents_add(contents, "", volume_type_name(volume->file_type), file, problem);
        if (!array) {
            return false;
        }
        for (size_t i = 0; i < 3; i++) {
            contents_add_axis(
                array, (const char *[]){ "x", "y", "z" }[i], volume->dim[i], volume->spacing[i],
                contents->unit);
        }
        for (size_t i = 0; i < CONTENTS_LEVEL; i++) {
            contents_add_axis(array, contents_words[i].option, contents->choice[i].count, 0, NULL);
        }
    }
    if (pick->array && !contents->arrays[contents->chosen].path[0]) {
        log_warn("'%s' has no named arrays: --array %s is ignored", file, pick->array);
    }
    for (size_t i = 0; i < CONTENTS_CHOICES; i++) {
        const uint32_t number = contents_picked(pick, (enum contents_choice)i);
        if (number > 0 && contents->choice[i].count <= 1) {
            log_warn(
                "'%s' has no %s: --%s %u is ignored", file, contents_words[i].many,
                contents_words[i].option, number - 1);
        }
    }
    return true;
}

// Whether the axis of the chosen array is one of time, channels or levels.
static bool contents_is_choice(const struct contents *contents, const struct contents_axis *axis)
{
    bool is = false;
    for (size_t i = 0; i < CONTENTS_CHOICES; i++) {
        is |= contents->choice[i].count == axis->size &&
              strcmp(contents_words[i].option, axis->name) == 0;
    }
    return is;
}

void contents_stretch(
    struct contents *contents, const struct volume *volume, const char *file, bool tells)
{
    if (contents->count == 0) {
        return;
    }
    const struct contents_array *array = &contents->arrays[contents->chosen];
    const struct contents_axis *axes[2] = { NULL, NULL }; // the shortest, the longest
    double sides[2] = { INFINITY, 0 };
    for (size_t a = 0, v = 0; a < array->axes && v < 3; a++) {
        if (array->axis[a].size != volume->dim[v] ||
            contents_is_choice(contents, &array->axis[a])) {
            continue;
        }
        const double side = volume->spacing[v] * (volume->dim[v] - 1);
        for (int k = 0; k < 2; k++) {
            const bool better = k ? side > sides[1] : side < sides[0];
            axes[k] = better ? &array->axis[a] : axes[k];
            sides[k] = better ? side : sides[k];
        }
        v++;
    }
    if (!(sides[1] > 50 * sides[0])) {
        return;
    }
    const char *unit = axes[0]->unit, *other = axes[1]->unit;
    contents->stretched = strncmp(unit, "degree", 6) == 0 ? strncmp(other, "degree", 6) != 0
                                                          : strcmp(unit, other) != 0;
    if (contents->stretched && tells) {
        log_note(
            "'%s': axis '%s' is %g long in '%s', axis '%s' %g in '%s'; --spacing 1,1,1 takes all "
            "steps as equal",
            file, axes[1]->name, sides[1], other, axes[0]->name, sides[0], unit);
    }
}

bool contents_plain(const struct contents *contents)
{
    bool plain = contents->count <= 1;
    for (size_t i = 0; i < CONTENTS_CHOICES; i++) {
        plain &= contents->choice[i].count <= 1;
    }
    return plain;
}
