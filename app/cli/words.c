#include "app/cli/words.h"

#include "app/settings/colour.h"
#include "compute/casting/caster.h"
#include "compute/compaction/compaction.h"
#include "compute/mesh/mesh_formats.h"
#include "compute/mesh/share.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/write.h"
#include "volumes/generate.h"

#include <ctype.h>
#include <string.h>

static bool word_set(struct word *out, const char *text, size_t length, const char *summary)
{
    snprintf(out->text, sizeof out->text, "%.*s", (int)length, text);
    out->summary = summary;
    return true;
}

// Sets *text to part `index` of the text; characters of `gaps` separate parts. Returns the length
// of the part, 0 after the last.
static size_t word_part(const char **text, const char *gaps, size_t index)
{
    for (*text += strspn(*text, gaps); index > 0 && **text; index--) {
        *text += strcspn(*text, gaps);
        *text += strspn(*text, gaps);
    }
    return strcspn(*text, gaps);
}

bool word_type(size_t index, struct word *out)
{
    if (index >= VOLUME_TYPES) {
        return false;
    }
    const char *name = volume_type_name((enum volume_type)index);
    return word_set(out, name, strlen(name), NULL);
}

bool word_method(size_t index, struct word *out)
{
    if (index >= method_count()) {
        return false;
    }
    const struct method *row = method_at((uint32_t)index);
    return word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_device_method(size_t index, struct word *out)
{
    const struct method *row = method_next(NULL);
    for (; row && (row->cpu || index-- > 0); row = method_next(row)) {
    }
    return row && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_caster(size_t index, struct word *out)
{
    const struct caster *row = caster_next(NULL);
    for (; row && index > 0; row = caster_next(row), index--) {
    }
    return row && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_rounds_caster(size_t index, struct word *out)
{
    const struct caster *row = caster_next(NULL);
    for (; row && (!row->wavefront || index-- > 0); row = caster_next(row)) {
    }
    return row && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_generator(size_t index, struct word *out)
{
    const struct generator *row = generators;
    for (; row->name && index > 0; row++, index--) {
    }
    return row->name && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_colour(size_t index, struct word *out)
{
    const struct colour_name *row = colour_names;
    for (; row->name && index > 0; row++, index--) {
    }
    return row->name && word_set(out, row->name, strlen(row->name), row->hex);
}

bool word_mesh_format(size_t index, struct word *out)
{
    const struct mesh_format *row = mesh_format_at(index);
    return row && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_mesh_extension(size_t index, struct word *out)
{
    const struct mesh_format *row = mesh_format_at(index);
    return row && word_set(out, row->extension, strlen(row->extension), row->summary);
}

static const struct volume_format *word_volume_format_at(size_t index)
{
    const struct volume_format *row = volume_formats;
    for (; row->name && index > 0; row++, index--) {
    }
    return row;
}

bool word_volume_format(size_t index, struct word *out)
{
    const struct volume_format *row = word_volume_format_at(index);
    return row->name && word_set(out, row->name, strlen(row->name), row->summary);
}

bool word_volume_extension(size_t index, struct word *out)
{
    const struct volume_format *row = word_volume_format_at(index);
    return row->name && word_set(out, row->extension, strlen(row->extension), row->summary);
}

bool word_png_extension(size_t index, struct word *out)
{
    return index == 0 && word_set(out, ".png", 4, NULL);
}

bool word_session_extension(size_t index, struct word *out)
{
    return index == 0 && word_set(out, ".json", 5, NULL);
}

bool word_film_extension(size_t index, struct word *out)
{
    return index == 0 ? word_png_extension(0, out) : index == 1 && word_set(out, ".y4m", 4, NULL);
}

bool word_input_extension(size_t index, struct word *out)
{
    // Inputs that have no row in the table of readers (volumes/formats/open.c).
    static const char *const raw_and_images[] = { ".raw", ".raw.gz", ".png" };
    const size_t own = sizeof raw_and_images / sizeof *raw_and_images;
    if (index < own) {
        return word_set(out, raw_and_images[index], strlen(raw_and_images[index]), NULL);
    }
    index -= own;
    for (size_t row = 0; row < reader_count; row++) {
        const char *at = readers[row].extensions;
        for (size_t i = 0, length;
             at = readers[row].extensions, (length = word_part(&at, " ", i)) > 0; i++) {
            if (index-- == 0) {
                return word_set(out, at, length, readers[row].name);
            }
        }
    }
    return false;
}

bool word_share_extension(size_t index, struct word *out)
{
    return index == 0 && word_set(out, SHARE_EXTENSION, strlen(SHARE_EXTENSION), NULL);
}

bool word_of_value(const char *value, words *more, size_t index, struct word *out)
{
    size_t length;
    for (size_t i = 0; value; i++) {
        const char *at = value;
        length = word_part(&at, "[|]", i);
        if (length == 0) {
            break;
        }
        size_t small = 0;
        while (small < length && (islower((unsigned char)at[small]) || at[small] == '-')) {
            small++;
        }
        if (small == length && index-- == 0) {
            return word_set(out, at, length, NULL);
        }
    }
    return more && more(index, out);
}

void word_print_list(words *list, int width, FILE *out)
{
    struct word word;
    for (size_t i = 0; list(i, &word); i++) {
        fprintf(out, "  %-*s%s\n", width, word.text, word.summary);
    }
}

int word_find(const char *value, words *more, const char *text)
{
    struct word word;
    for (int i = 0; word_of_value(value, more, (size_t)i, &word); i++) {
        if (strcmp(word.text, text) == 0) {
            return i;
        }
    }
    return -1;
}

// The number of letters to add, leave out, change or swap with a neighbour to turn `b` into `a`.
// Both are shorter than 32. word_nearest has already made `a` lower case, with - for _.
static int word_distance(const char *a, const char *b)
{
    int rows[3][33];
    const int width = (int)strlen(b);
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (int i = 1; a[i - 1]; i++) {
        int *const spare = before;
        before = last;
        last = row;
        row = spare;
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            int least = last[j - 1] + (a[i - 1] != b[j - 1]);
            least = last[j] + 1 < least ? last[j] + 1 : least;
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                least = before[j - 2] + 1 < least ? before[j - 2] + 1 : least;
            }
            row[j] = least;
        }
    }
    return row[width];
}

bool word_nearest(const char *value, words *more, const char *text, struct word *out)
{
    char wanted[sizeof out->text];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof wanted) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        wanted[i] = (char)(text[i] == '_' ? '-' : tolower((unsigned char)text[i]));
    }
    int least = (int)length / 3 + 1;
    bool any = false;
    struct word word;
    for (size_t i = 0; word_of_value(value, more, i, &word); i++) {
        const bool begins = length > 1 && strncmp(word.text, wanted, length) == 0;
        const bool has =
            (length > 2 && strstr(word.text, wanted)) ||
            (strlen(word.text) > 2 && strncmp(word.text, wanted, strlen(word.text)) == 0);
        const int apart = begins ? 0 : has ? 1 : word_distance(wanted, word.text);
        if (apart < least || (apart == least && !any)) {
            least = apart;
            any = true;
            *out = word;
        }
    }
    return any;
}

void word_list(const char *value, words *more, char *out, size_t size)
{
    struct word word, next;
    size_t at = 0;
    bool any = word_of_value(value, more, 0, &word);
    *out = 0;
    for (size_t i = 1; any && at < size; i++) {
        any = word_of_value(value, more, i, &next);
        const char *gap = i == 1 ? "" : any ? ", " : " or ";
        at += (size_t)snprintf(out + at, size - at, "%s%s", gap, word.text);
        word = next;
    }
}

bool word_refuse(
    const char *what, const char *value, words *more, const char *text, const char *expected,
    struct problem *problem)
{
    char list[300];
    struct word near;
    if (!expected) {
        word_list(value, more, list, sizeof list);
        expected = list;
    }
    const bool any = word_nearest(value, more, text, &near) && strcmp(near.text, text) != 0;
    return problem_set(
        problem, PROBLEM_USAGE, "%s %.80s: expected %s%s%s%s", what, text, expected,
        any ? "; did you mean " : "", any ? near.text : "", any ? "?" : "");
}
