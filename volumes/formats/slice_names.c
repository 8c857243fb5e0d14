#include "volumes/formats/slice_names.h"

#include "volumes/base/log.h"
#include "volumes/base/problem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELDS 8     // numbers in a name; further numbers count as text
#define MOST_SPREAD 99999 // numbers that differ by more are dates, times or identifiers
#define SHOWN_GAPS  3     // missing numbers that the warning lists

// A name consists of numbers and of a pattern, which is its text with '#' for each number. Names
// with the same pattern form a group.
struct slice_name {
    const char *path;
    char *pattern;
    size_t order; // the position in the stack
    unsigned fields;
    uint64_t numbers[MOST_FIELDS];
    bool fraction[MOST_FIELDS]; // the number follows a number and a dot
};

struct slice_number {
    uint64_t value;
    const struct slice_name *name;
};

enum slice_run {
    RUN_WHOLE,     // evenly spaced
    RUN_GAPS,      // evenly spaced, but some numbers are missing
    RUN_IRREGULAR, // any other numbers
};

// Numbers of more than 18 digits are hashed, because only their equality matters.
static uint64_t slice_names_parse_number(const char *digits, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        value = length <= 18 ? 10 * value + (uint64_t)(digits[i] - '0')
                             : (value ^ (uint64_t)digits[i]) * UINT64_C(0x100000001b3);
    }
    return length <= 18 ? value : value | UINT64_C(1) << 63;
}

static bool slice_names_parse_name(const char *path, size_t order, struct slice_name *out)
{
    const char *at = basename(path);
    const char *end = strrchr(at, '.'); // the extension, which all slices have
    char *to = malloc(strlen(at) + 1);
    *out = (struct slice_name){ .path = path, .pattern = to, .order = order };
    if (!to) {
        return false;
    }
    for (const char *begin = at; at < end;) {
        if (!isdigit((unsigned char)*at) || out->fields == MOST_FIELDS) {
            *to++ = *at++;
            continue;
        }
        out->fraction[out->fields] =
            at - begin >= 2 && at[-1] == '.' && isdigit((unsigned char)at[-2]);
        at += strspn(at, "0");
        const size_t length = strspn(at, "0123456789");
        out->numbers[out->fields++] = slice_names_parse_number(at, length);
        *to++ = '#';
        at += length;
    }
    *to = 0;
    return true;
}

static int slice_names_by_pattern(const void *a, const void *b)
{
    const struct slice_name *p = a, *q = b;
    const int order = strcmp(p->pattern, q->pattern);
    return order ? order : (p->order > q->order) - (p->order < q->order);
}

static int slice_names_by_value(const void *a, const void *b)
{
    const struct slice_number *p = a, *q = b;
    if (p->value != q->value) {
        return p->value < q->value ? -1 : 1;
    }
    return (p->name->order > q->name->order) - (p->name->order < q->name->order);
}

// Sorts the numbers. Returns how many different values there are.
static size_t slice_names_count_values(struct slice_number *numbers, size_t count)
{
    size_t different = count > 0;
    qsort(numbers, count, sizeof *numbers, slice_names_by_value);
    for (size_t i = 1; i < count; i++) {
        different += numbers[i].value != numbers[i - 1].value;
    }
    return different;
}

static uint64_t slice_names_common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : slice_names_common_divisor(b, a % b);
}

// The greatest step of which all distances between the numbers are multiples; 1 for fewer than 4
// numbers. `numbers` are sorted and all differ.
static uint64_t slice_names_step_of(const struct slice_number *numbers, size_t count)
{
    uint64_t step = count < 4;
    for (size_t i = 1; i < count; i++) {
        step = slice_names_common_divisor(step, numbers[i].value - numbers[i - 1].value);
    }
    return step;
}

static enum slice_run slice_names_judge(const struct slice_number *numbers, size_t count)
{
    const uint64_t step = slice_names_step_of(numbers, count);
    size_t even = 0;
    for (size_t i = 1; i < count; i++) {
        even += numbers[i].value - numbers[i - 1].value == step;
    }
    if (count < 2 || even == count - 1) {
        return RUN_WHOLE;
    }
    const uint64_t spread = numbers[count - 1].value - numbers[0].value;
    const uint64_t missing = spread / step + 1 - count;
    // Eight digits are a date. Dates jump at the end of each month.
    const bool dates = numbers[0].value >= 10000000;
    const bool few = missing <= count || 4 * even >= 3 * (count - 1) ||
                     (even > 0 && even == count - 2); // one gap only
    return few && !dates && spread <= MOST_SPREAD ? RUN_GAPS : RUN_IRREGULAR;
}

static void slice_names_warn_series(
    const char *folder, size_t count, const struct slice_name *a, const struct slice_name *b)
{
    const struct slice_name *first = a->order < b->order ? a : b;
    const struct slice_name *second = first == a ? b : a;
    log_warn(
        "'%s' holds several series of slices, by their names ('%s' is of one, '%s' of another); "
        "all %zu slices are stacked as one volume, in the order of their names: put each series "
        "into a folder of its own",
        folder, basename(first->path), basename(second->path), count);
}

static void
slice_names_warn_twice(const char *folder, const struct slice_name *a, const struct slice_name *b)
{
    log_warn(
        "'%s': two slices have the same number ('%s' and '%s'); both are stacked: remove one, or "
        "put each series into a folder of its own",
        folder, basename(a->path), basename(b->path));
}

static void
slice_names_warn_gaps(const char *folder, const struct slice_number *numbers, size_t count)
{
    const uint64_t step = slice_names_step_of(numbers, count);
    char list[200] = "";
    size_t at = 0, gaps = 0;
    uint64_t missing = 0;
    const struct slice_number *first = NULL;
    for (size_t i = 0; i + 1 < count; i++) {
        const uint64_t from = numbers[i].value + step, to = numbers[i + 1].value - step;
        if (to < from) {
            continue;
        }
        first = first ? first : &numbers[i];
        missing += (to - from) / step + 1;
        if (gaps++ < SHOWN_GAPS) {
            at += (size_t)snprintf(
                list + at, sizeof list - at, "%s%" PRIu64, gaps > 1 ? ", " : "", from);
            if (to > from) {
                at += (size_t)snprintf(list + at, sizeof list - at, " to %" PRIu64, to);
            }
        }
    }
    log_warn(
        "'%s': by the names %" PRIu64
        " slice%s missing (number %s%s), first between '%s' and '%s'; "
        "the slices there are stacked as neighbours: add what is missing, or the shape is wrong",
        folder, missing, missing == 1 ? " is" : "s are", list, gaps > SHOWN_GAPS ? ", ..." : "",
        basename(first[0].name->path), basename(first[1].name->path));
}

// Finds the number that counts the slices of a group: it differs in all of them. If there is none,
// the group is several series or has a number twice; then it warns and returns false. *field: the
// number's position; MOST_FIELDS where the group has none. `numbers`: memory for `count`.
static bool slice_names_find_index(
    const char *folder, struct slice_name *names, size_t count, size_t all,
    struct slice_number *numbers, unsigned *field)
{
    enum slice_run best = RUN_IRREGULAR;
    unsigned varying = 0, most = 0;
    size_t most_values = 0;
    bool unique = false, fraction = false;
    *field = MOST_FIELDS;
    for (unsigned f = 0; f < names[0].fields; f++) {
        for (size_t i = 0; i < count; i++) {
            numbers[i] = (struct slice_number){ names[i].numbers[f], &names[i] };
        }
        const size_t values = slice_names_count_values(numbers, count);
        varying += values > 1;
        fraction |= values > 1 && names[0].fraction[f];
        if (values == count) {
            const enum slice_run run = slice_names_judge(numbers, count);
            unique = true;
            if (run < best || (run == best && run != RUN_WHOLE)) {
                best = run;
                *field = run == RUN_IRREGULAR ? MOST_FIELDS : f;
            }
        } else if (values >= most_values) {
            most_values = values;
            most = f;
        }
    }
    // A number with a fraction, such as 1.5, is read as two fields. Together they may be unique in
    // every name even if neither field is.
    if (unique || fraction || names[0].fields == 0) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (struct slice_number){ names[i].numbers[most], &names[i] };
    }
    slice_names_count_values(numbers, count);
    size_t i = 1;
    while (numbers[i].value != numbers[i - 1].value) {
        i++;
    }
    if (varying > 1) {
        slice_names_warn_series(folder, all, numbers[i - 1].name, numbers[i].name);
    } else {
        slice_names_warn_twice(folder, numbers[i - 1].name, numbers[i].name);
    }
    return false;
}

// Whether one number occurs in two groups.
static bool slice_names_groups_overlap(const struct slice_number *numbers, size_t count, size_t *at)
{
    for (size_t i = 1; i < count; i++) {
        if (numbers[i].value == numbers[i - 1].value) {
            *at = i;
            return true;
        }
    }
    return false;
}

static void slice_names_warn_groups(
    const char *folder, struct slice_name *names, size_t count, struct slice_number *numbers,
    struct slice_number *all)
{
    size_t indexed = 0, twice;
    qsort(names, count, sizeof *names, slice_names_by_pattern);
    for (size_t i = 0, end; i < count; i = end) {
        unsigned field;
        for (end = i + 1; end < count && strcmp(names[i].pattern, names[end].pattern) == 0;) {
            end++;
        }
        if (end - i < 2) {
            continue;
        }
        if (!slice_names_find_index(folder, names + i, end - i, count, numbers, &field)) {
            return;
        }
        for (size_t j = i; field < MOST_FIELDS && j < end; j++) {
            all[indexed++] = (struct slice_number){ names[j].numbers[field], &names[j] };
        }
    }
    qsort(all, indexed, sizeof *all, slice_names_by_value);
    if (slice_names_groups_overlap(all, indexed, &twice)) {
        slice_names_warn_series(folder, count, all[twice - 1].name, all[twice].name);
    } else if (slice_names_judge(all, indexed) == RUN_GAPS) {
        slice_names_warn_gaps(folder, all, indexed);
    }
}

void slice_names_warn(const char *folder, char *const *paths, size_t count)
{
    struct slice_name *names = calloc(count, sizeof *names);
    struct slice_number *numbers = calloc(2 * count, sizeof *numbers);
    bool ok = names && numbers;
    for (size_t i = 0; ok && i < count; i++) {
        ok = slice_names_parse_name(paths[i], i, &names[i]);
    }
    if (ok) {
        slice_names_warn_groups(folder, names, count, numbers, numbers + count);
    }
    for (size_t i = 0; names && i < count; i++) {
        free(names[i].pattern);
    }
    free(names);
    free(numbers);
}
