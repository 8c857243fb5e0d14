// Legacy VTK files (.vtk) with a data set of STRUCTURED_POINTS. Each keyword starts a line, in
// upper or lower case. Arrays that are not read are skipped, so the length of each must be known.
// Binary samples are big-endian.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"
#include "volumes/formats/volume_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORDS        12
#define LONGEST_NAME 200
#define REASON       200 // bytes of the text that says why an array is not read, with its zero

enum vtk_legacy_section { IN_NOTHING, IN_POINT_DATA, IN_CELL_DATA };

struct vtk_legacy {
    struct text text;
    const struct volume_params *params;
    struct problem *problem;
    struct contents *arrays; // those up to the one that is read
    bool binary, has_dims, found;
    bool fractions;         // samples of 0..255 are written as text of 0..1
    uint64_t dim[3], count; // count: number of samples
    double origin[3], spacing[3];
    enum vtk_legacy_section section;
    uint64_t tuples; // tuples in each array of the section
    struct sample_format format;
    char seen[300]; // names of arrays that were skipped, for messages
    // The name of the first skipped array, or of the requested array, and why it is not read.
    char unfit[LONGEST_NAME + REASON + sizeof "array '' "];
    bool unfit_asked;
    bool passed; // an array of point data was skipped although no other was requested
    char name[LONGEST_NAME + 1]; // name of the array that is read
};

// Reads the next line that is not blank and splits it into words. *count is 0 at the end of the
// file.
static bool vtk_legacy_next_words(struct vtk_legacy *vtk, char **words, size_t *count)
{
    bool more = true;
    *count = 0;
    while (more && *count == 0) {
        if (!text_next(&vtk->text, &more, vtk->problem)) {
            return false;
        }
        *count = more ? text_words(vtk->text.line, words, WORDS) : 0;
    }
    return true;
}

static bool vtk_legacy_refuse_line(struct vtk_legacy *vtk, const char *expected)
{
    return text_refuse(&vtk->text, vtk->problem, "expected %s", expected);
}

// Skips numbers in text.
static bool vtk_legacy_skip_numbers(struct vtk_legacy *vtk, uint64_t count)
{
    char window[8192];
    bool inside = false;
    while (count > 0 || inside) {
        const size_t size = source_peek_at(vtk->text.source, vtk->text.next, window, sizeof window);
        if (size == 0) {
            return count == 0 && inside
                       ? true
                       : text_refuse(
                             &vtk->text, vtk->problem,
                             "the file ends %" PRIu64 " numbers before the end of an array", count);
        }
        if (!input_go_on(vtk->text.source->path, vtk->problem)) {
            return false;
        }
        size_t i = 0;
        for (; i < size && (count > 0 || inside); i++) {
            if (!window[i]) {
                return text_refuse(
                    &vtk->text, vtk->problem, "an array has a NUL byte; expected numbers in text");
            }
            const bool blank = strchr(" \t\r\n", window[i]);
            count -= !blank && !inside;
            inside = !blank;
        }
        // The blank after the last number is not consumed, because it may be the end of the line.
        vtk->text.next += i - (count == 0 && !inside && i > 0 ? 1 : 0);
    }
    return true;
}

// Skips `count` values of `bits` bits each.
static bool vtk_legacy_skip_values(struct vtk_legacy *vtk, uint64_t count, size_t bits)
{
    uint64_t total;
    const uint64_t left = vtk->text.source->size - vtk->text.next;
    if (!vtk->binary) {
        if (count / 2 > left) {
            return text_refuse(
                &vtk->text, vtk->problem, "an array of %" PRIu64 " numbers is longer than the file",
                count);
        }
        return vtk_legacy_skip_numbers(vtk, count);
    }
    if (!size_product(count, bits, &total) || total / 8 > left) {
        return text_refuse(
            &vtk->text, vtk->problem,
            "an array of %" PRIu64 " values of %zu bits is longer than the file", count, bits);
    }
    vtk->text.next += total / 8 + (total % 8 != 0);
    return true;
}

// Skips an array and counts the bytes of the header anew from its end.
static bool vtk_legacy_skip_array(struct vtk_legacy *vtk, uint64_t count, size_t bits)
{
    if (!vtk_legacy_skip_values(vtk, count, bits)) {
        return false;
    }
    vtk->text.begin = vtk->text.next;
    return true;
}

// Skips the LOOKUP_TABLE line that follows SCALARS. Some writers omit it.
static bool vtk_legacy_skip_lookup_line(struct vtk_legacy *vtk)
{
    char word[12];
    bool more;
    return source_peek_at(vtk->text.source, vtk->text.next, word, 12) != 12 ||
           strncasecmp(word, "LOOKUP_TABLE", 12) != 0 || text_next(&vtk->text, &more, vtk->problem);
}

static void
vtk_legacy_step_over(struct vtk_legacy *vtk, const char *name, bool asked, const char *why)
{
    // The reason for an array of point data replaces the reason for an earlier array of cell data.
    const bool first = !vtk->unfit[0] || (vtk->section == IN_POINT_DATA && !vtk->passed);
    if (asked || (first && !vtk->unfit_asked)) {
        snprintf(vtk->unfit, sizeof vtk->unfit, "array '%.*s' %s", LONGEST_NAME, name, why);
        vtk->unfit_asked = asked;
    }
    vtk->passed |= vtk->section == IN_POINT_DATA && !asked;
}

// Adds the array to the contents. `format` is NULL for an array of bits.
static bool vtk_legacy_note_array(
    struct vtk_legacy *vtk, const char *name, const struct sample_format *format,
    uint64_t components, uint64_t tuples)
{
    struct contents_array *array = contents_add(
        vtk->arrays, name, format ? volume_type_name(format->type) : "bit", vtk->text.source->path,
        vtk->problem);
    if (!array) {
        return false;
    }
    contents_add_axis(array, "component", components, 0, NULL);
    for (size_t i = 0; i < 3 && tuples == vtk->count; i++) {
        contents_add_axis(array, (const char *[]){ "x", "y", "z" }[i], vtk->dim[i], 0, NULL);
    }
    if (tuples != vtk->count) {
        contents_add_axis(array, "tuple", tuples, 0, NULL);
    }
    return true;
}

// Called where the contents of an array begin. Selects the array if it is the wanted one, otherwise
// skips its contents.
static bool vtk_legacy_begin_array(
    struct vtk_legacy *vtk, const char *name, const char *type_name, uint64_t components,
    uint64_t tuples)
{
    const char *wanted = vtk->params->pick.array;
    const bool asked = wanted && strcmp(wanted, name) == 0;
    struct sample_format format = { 0 };
    const bool known = sample_format_named(WORDS_VTK_LEGACY, type_name, &format);
    char why[REASON];
    if (!known && !text_is_one(type_name, "bit")) {
        return text_refuse(
            &vtk->text, vtk->problem, "the type '%.60s' of array '%.60s' is not supported",
            type_name, name);
    }
    if (!vtk_legacy_note_array(vtk, name, known ? &format : NULL, components, tuples)) {
        return false;
    }
    if (vtk->section != IN_POINT_DATA) {
        snprintf(
            why, sizeof why, "is not point data%s",
            vtk->section == IN_CELL_DATA ? " but cell data; turn it into point data (ParaView's "
                                           "filter Cell Data to Point Data)"
                                         : "");
    } else if (components != 1) {
        snprintf(
            why, sizeof why, "has %" PRIu64 " components per sample; cubist reads one", components);
    } else if (tuples != vtk->count) {
        snprintf(
            why, sizeof why, "has %" PRIu64 " samples; the dimensions ask for %" PRIu64, tuples,
            vtk->count);
    } else if (!known) {
        snprintf(why, sizeof why, "has samples of type bit, which is not supported");
    } else if (!wanted || asked) {
        vtk->format = format;
        vtk->found = true;
        vtk->arrays->chosen = vtk->arrays->count - 1;
        snprintf(vtk->name, sizeof vtk->name, "%.*s", LONGEST_NAME, name);
        return true;
    } else {
        why[0] = 0;
    }
    if (why[0] && (asked || !wanted)) {
        vtk_legacy_step_over(vtk, name, asked, why);
    }
    const size_t length = strlen(vtk->seen);
    snprintf(vtk->seen + length, sizeof vtk->seen - length, "%s%.100s", length ? ", " : "", name);
    uint64_t count;
    if (!size_product(components, tuples, &count)) {
        return text_refuse(&vtk->text, vtk->problem, "an array larger than any file");
    }
    return vtk_legacy_skip_array(vtk, count, known ? 8 * sample_size(&format) : 1);
}

// Skips the lines up to a blank one.
static bool vtk_legacy_skip_metadata(struct vtk_legacy *vtk)
{
    bool fine = true;
    for (bool more = true; fine && more && *text_trim(vtk->text.line);) {
        fine = text_next(&vtk->text, &more, vtk->problem);
    }
    return fine;
}

// Reads "FIELD name count", then for each array "name components tuples type" and its contents.
static bool vtk_legacy_read_field(struct vtk_legacy *vtk, const char *text)
{
    uint64_t arrays;
    if (!text_count(text, &arrays)) {
        return vtk_legacy_refuse_line(vtk, "FIELD NAME COUNT");
    }
    for (uint64_t i = 0; i < arrays && !vtk->found; i++) {
        char *words[WORDS], name[LONGEST_NAME + 1], type[40];
        size_t count;
        uint64_t components, tuples;
        if (!vtk_legacy_next_words(vtk, words, &count)) {
            return false;
        }
        if (count == 1 && text_is_one(words[0], "METADATA")) {
            if (!vtk_legacy_skip_metadata(vtk)) {
                return false;
            }
            i--;
            continue;
        }
        if (count != 4 || !text_count(words[1], &components) || !text_count(words[2], &tuples)) {
            return vtk_legacy_refuse_line(vtk, "NAME COMPONENTS TUPLES TYPE of an array");
        }
        snprintf(name, sizeof name, "%.*s", LONGEST_NAME, words[0]);
        snprintf(type, sizeof type, "%.39s", words[3]);
        if (text_is_one(type, "string")) {
            for (uint64_t k = 0; k < tuples; k++) {
                bool more;
                if (vtk->binary) {
                    return vtk_legacy_refuse_line(vtk, "no strings in a binary file");
                }
                if (!text_next(&vtk->text, &more, vtk->problem)) {
                    return false;
                }
                if (!more) {
                    return vtk_legacy_refuse_line(vtk, "more strings");
                }
            }
        } else if (!vtk_legacy_begin_array(vtk, name, type, components, tuples)) {
            return false;
        }
    }
    return true;
}

// Reads an attribute whose line is `keyword name ...`: SCALARS, VECTORS and the like.
static bool vtk_legacy_read_attribute(struct vtk_legacy *vtk, char **words, size_t count)
{
    static const struct {
        const char *keyword;
        uint64_t components;
    } fixed[] = { { "VECTORS", 3 }, { "NORMALS", 3 }, { "TENSORS", 9 }, { "TENSORS6", 6 } };
    char name[LONGEST_NAME + 1], type[40];
    uint64_t components = 1;
    snprintf(name, sizeof name, "%.*s", LONGEST_NAME, count > 1 ? words[1] : "");
    snprintf(type, sizeof type, "%.39s", count > 2 ? words[2] : "");
    if (text_is_one(words[0], "SCALARS")) {
        if (count < 3 || count > 4 || (count == 4 && !text_count(words[3], &components))) {
            return vtk_legacy_refuse_line(vtk, "SCALARS NAME TYPE [COMPONENTS]");
        }
        return vtk_legacy_skip_lookup_line(vtk) &&
               vtk_legacy_begin_array(vtk, name, type, components, vtk->tuples);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (text_is_one(words[0], fixed[i].keyword)) {
            return count == 3
                       ? vtk_legacy_begin_array(vtk, name, type, fixed[i].components, vtk->tuples)
                       : vtk_legacy_refuse_line(vtk, "KEYWORD NAME TYPE");
        }
    }
    if (text_is_one(words[0], "TEXTURE_COORDINATES")) {
        if (count != 4 || !text_count(words[2], &components)) {
            return vtk_legacy_refuse_line(vtk, "TEXTURE_COORDINATES NAME DIMENSION TYPE");
        }
        snprintf(type, sizeof type, "%.39s", words[3]);
        return vtk_legacy_begin_array(vtk, name, type, components, vtk->tuples);
    }
    if (text_is_one(words[0], "COLOR_SCALARS")) {
        if (count != 3 || !text_count(words[2], &components)) {
            return vtk_legacy_refuse_line(vtk, "COLOR_SCALARS NAME COMPONENTS");
        }
        const bool fine =
            vtk_legacy_begin_array(vtk, name, "unsigned_char", components, vtk->tuples);
        vtk->fractions = fine && vtk->found && !vtk->binary;
        return fine;
    }
    if (text_is_one(words[0], "LOOKUP_TABLE")) {
        uint64_t colours;
        if (count != 3 || !text_count(words[2], &colours) || !size_product(colours, 4, &colours)) {
            return vtk_legacy_refuse_line(vtk, "LOOKUP_TABLE NAME COUNT");
        }
        return vtk_legacy_skip_array(vtk, colours, 8);
    }
    return text_refuse(
        &vtk->text, vtk->problem, "'%.60s' is not a keyword of a data set's attributes", words[0]);
}

static bool vtk_legacy_read_reals(struct vtk_legacy *vtk, char **words, size_t count, double out[3])
{
    for (int i = 0; i < 3; i++) {
        if (count != 4 || !text_real(words[i + 1], &out[i])) {
            return vtk_legacy_refuse_line(vtk, "three numbers");
        }
    }
    return true;
}

static bool vtk_legacy_read_dims(struct vtk_legacy *vtk, char **words, size_t count)
{
    const struct sample_format least = { .type = VOLUME_UINT8 };
    struct volume unused;
    for (int i = 0; i < 3; i++) {
        if (count != 4 || !text_count(words[i + 1], &vtk->dim[i])) {
            return vtk_legacy_refuse_line(vtk, "DIMENSIONS and three whole numbers");
        }
    }
    if (!samples_describe(
            vtk->text.source->path, vtk->dim, &least, vtk->params->max_bytes, &unused,
            vtk->problem)) {
        return false;
    }
    vtk->count = vtk->dim[0] * vtk->dim[1] * vtk->dim[2];
    vtk->has_dims = true;
    return true;
}

static bool vtk_legacy_read_keyword(struct vtk_legacy *vtk, char **words, size_t count)
{
    if (text_is_one(words[0], "DIMENSIONS")) {
        return vtk_legacy_read_dims(vtk, words, count);
    }
    if (text_is_one(words[0], "ORIGIN")) {
        return vtk_legacy_read_reals(vtk, words, count, vtk->origin);
    }
    if (text_is_one(words[0], "SPACING|ASPECT_RATIO")) {
        return vtk_legacy_read_reals(vtk, words, count, vtk->spacing);
    }
    if (text_is_one(words[0], "POINT_DATA|CELL_DATA")) {
        if (count != 2 || !text_count(words[1], &vtk->tuples)) {
            return vtk_legacy_refuse_line(vtk, "POINT_DATA or CELL_DATA and a count");
        }
        if (!vtk->has_dims) {
            return vtk_legacy_refuse_line(vtk, "DIMENSIONS before the data");
        }
        const bool point = text_is_one(words[0], "POINT_DATA");
        vtk->section = point ? IN_POINT_DATA : IN_CELL_DATA;
        return !point || vtk->tuples == vtk->count ||
               text_refuse(
                   &vtk->text, vtk->problem,
                   "POINT_DATA %" PRIu64 ", but the dimensions %" PRIu64 "x%" PRIu64 "x%" PRIu64
                   " make %" PRIu64 " samples",
                   vtk->tuples, vtk->dim[0], vtk->dim[1], vtk->dim[2], vtk->count);
    }
    if (text_is_one(words[0], "FIELD") && count == 3) {
        return vtk_legacy_read_field(vtk, words[2]);
    }
    if (text_is_one(words[0], "METADATA")) {
        return vtk_legacy_skip_metadata(vtk);
    }
    if (vtk->section == IN_NOTHING) {
        return text_refuse(
            &vtk->text, vtk->problem, "'%.60s' is not a keyword of STRUCTURED_POINTS", words[0]);
    }
    return vtk_legacy_read_attribute(vtk, words, count);
}

static bool vtk_legacy_read_head(struct vtk_legacy *vtk)
{
    bool more;
    char *words[WORDS];
    size_t count;
    if (!text_next(&vtk->text, &more, vtk->problem)) {
        return false;
    }
    if (strncasecmp(vtk->text.line, "# vtk DataFile", 14) != 0) {
        return vtk_legacy_refuse_line(vtk, "'# vtk DataFile Version 3.0' or the like");
    }
    if (!text_next(&vtk->text, &more, vtk->problem) || !vtk_legacy_next_words(vtk, words, &count)) {
        return false;
    }
    if (count != 1 || !text_is_one(words[0], "BINARY|ASCII")) {
        return vtk_legacy_refuse_line(vtk, "BINARY or ASCII");
    }
    vtk->binary = text_is_one(words[0], "BINARY");
    if (!vtk_legacy_next_words(vtk, words, &count)) {
        return false;
    }
    if (count != 2 || !text_is_one(words[0], "DATASET")) {
        return vtk_legacy_refuse_line(vtk, "DATASET STRUCTURED_POINTS");
    }
    return text_is_one(words[1], "STRUCTURED_POINTS") ||
           text_refuse(
               &vtk->text, vtk->problem,
               "a data set of type %.60s is not a volume; expected STRUCTURED_POINTS (ParaView's "
               "filter Resample To Image makes one)",
               words[1]);
}

// Reads keywords up to the contents of the array to read.
static bool vtk_legacy_find_array(struct vtk_legacy *vtk)
{
    while (!vtk->found) {
        char *words[WORDS];
        size_t count;
        if (!vtk_legacy_next_words(vtk, words, &count)) {
            return false;
        }
        if (count == 0) {
            const char *wanted = vtk->params->pick.array;
            if (vtk->unfit[0] && (!wanted || vtk->unfit_asked)) {
                return problem_set(
                    vtk->problem, PROBLEM_INPUT, "'%s': %s", vtk->text.source->path, vtk->unfit);
            }
            if (wanted && vtk->seen[0]) {
                return problem_set(
                    vtk->problem, PROBLEM_USAGE, "'%s' has no array '%s'; its arrays are %s",
                    vtk->text.source->path, wanted, vtk->seen);
            }
            return vtk_legacy_refuse_line(vtk, "POINT_DATA with SCALARS; the file ends");
        }
        if (!vtk_legacy_read_keyword(vtk, words, count < WORDS ? count : WORDS)) {
            return false;
        }
    }
    return true;
}

bool vtk_legacy_matches(const struct file_head *head)
{
    return !head->gzip && head->size >= 14 &&
           strncasecmp((const char *)head->bytes, "# vtk DataFile", 14) == 0;
}

bool vtk_legacy_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct vtk_legacy vtk = {
        .text.source = source,
        .params = params,
        .problem = problem,
        .arrays = &out->contents,
        .spacing = { 1, 1, 1 },
    };
    if (!vtk_legacy_read_head(&vtk) || !vtk_legacy_find_array(&vtk)) {
        return false;
    }
    if (vtk.passed && !params->pick.array) {
        log_warn("'%s': %s; '%s' is read", source->path, vtk.unfit, vtk.name);
    }
    struct payload payload = {
        .format = vtk.format,
        .encoding = vtk.binary ? PAYLOAD_RAW : PAYLOAD_TEXT,
        .offset = vtk.text.next,
    };
    payload.format.order = BYTE_ORDER_BIG;
    payload.format.type = vtk.fractions ? VOLUME_FLOAT32 : vtk.format.type;
    payload.format.fractions = vtk.fractions;
    memcpy(payload.dim, vtk.dim, sizeof payload.dim);
    // Attributes may follow the samples.
    payload.length = vtk.binary ? vtk.count * sample_size(&payload.format) : 0;
    if (!payload_open(source, &payload, params, out, problem)) {
        return false;
    }
    memcpy(out->volume.origin, vtk.origin, sizeof vtk.origin);
    return affine_set_spacing(&out->volume, vtk.spacing, source->path, problem);
}
