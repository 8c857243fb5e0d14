// MetaImage: "Key = value" lines. ElementDataFile ends the header and says where the samples are.
// It is read as MetaIO reads it, with two exceptions. MetaIO guesses at a missing DimSize and at a
// field after ElementDataFile; both are refused here.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AXES 10 // MetaIO's limit

enum metaimage_field {
    OBJECT_TYPE,
    NDIMS,
    DIM_SIZE,
    ELEMENT_TYPE,
    CHANNELS,
    HEADER_SIZE,
    BINARY,
    MSB,
    COMPRESSED,
    COMPRESSED_SIZE,
    SPACING,
    SIZE, // of an element: the spacing where no spacing is given
    ORIGIN,
    MATRIX,
    ANATOMY,
    SLOPE,
    INTERCEPT,
    DATA_FILE,
    FIELDS,
};

// Version 1 of the format says ElementOrigin and ElementDirection.
static const struct {
    const char *name;
    enum metaimage_field field;
} fields[] = {
    { "ObjectType", OBJECT_TYPE },
    { "NDims", NDIMS },
    { "DimSize", DIM_SIZE },
    { "ElementType", ELEMENT_TYPE },
    { "ElementNumberOfChannels", CHANNELS },
    { "HeaderSize", HEADER_SIZE },
    { "BinaryData", BINARY },
    { "BinaryDataByteOrderMSB", MSB },
    { "ElementByteOrderMSB", MSB },
    { "CompressedData", COMPRESSED },
    { "CompressedDataSize", COMPRESSED_SIZE },
    { "ElementSpacing", SPACING },
    { "ElementSize", SIZE },
    { "Offset", ORIGIN },
    { "Position", ORIGIN },
    { "Origin", ORIGIN },
    { "ElementOrigin", ORIGIN },
    { "TransformMatrix", MATRIX },
    { "Rotation", MATRIX },
    { "Orientation", MATRIX },
    { "ElementDirection", MATRIX },
    { "AnatomicalOrientation", ANATOMY },
    { "ElementToIntensityFunctionSlope", SLOPE },
    { "ElementToIntensityFunctionOffset", INTERCEPT },
    { "ElementDataFile", DATA_FILE },
};

struct metaimage {
    const char *path;
    char *value[FIELDS]; // NULL: absent
    uint64_t data_at;    // where the header ends
    unsigned axes;
    uint64_t dim[AXES];
    struct sidecar_list files;
    struct payload payload;
    double steps[3][3], origin[3];
};

// Splits "Key = value" or "Key : value" in place; false where there is no such separator.
static bool metaimage_cut(char *line, char **key, char **value)
{
    char *at = strpbrk(line, "=:");
    if (!at) {
        return false;
    }
    *at = 0;
    *key = text_trim(line);
    *value = text_trim(at + 1);
    return true;
}

static int metaimage_find_field(const char *key)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcasecmp(key, fields[i].name) == 0) {
            return (int)fields[i].field;
        }
    }
    return -1;
}

// The format has no magic. The first line that is not empty must have one of MetaIO's keys.
bool metaimage_matches(const struct file_head *head)
{
    char line[256], *key, *value;
    size_t at = 0, length = 0;
    while (at < head->size && (head->bytes[at] == '\n' || head->bytes[at] == '\r')) {
        at++;
    }
    while (at < head->size && length < sizeof line - 1 && head->bytes[at] &&
           head->bytes[at] != '\n') {
        line[length++] = (char)head->bytes[at++];
    }
    line[length] = 0;
    if (head->gzip || !metaimage_cut(line, &key, &value)) {
        return false;
    }
    // Other texts may start with the second kind of keys. So the rest of the head must be a
    // MetaImage's, too.
    return metaimage_find_field(key) >= 0 ||
           (text_is_one(key, "Comment|ObjectSubType|FileFormatVersion|Name|ID|TransformType") &&
            (memmem(head->bytes, head->size, "NDims", 5) ||
             memmem(head->bytes, head->size, "DimSize", 7)));
}

static bool metaimage_refuse(
    const struct metaimage *image, enum metaimage_field field, const char *expected,
    struct problem *problem)
{
    const char *name = "";
    for (size_t i = 0; !*name; i++) {
        name = fields[i].field == field ? fields[i].name : "";
    }
    return problem_set(
        problem, PROBLEM_INPUT, "'%s': %s = '%s'; expected %s", image->path, name,
        image->value[field], expected);
}

static bool
metaimage_read_header(struct metaimage *image, struct text *text, struct problem *problem)
{
    while (!image->value[DATA_FILE]) {
        bool more;
        char *key, *value;
        if (!text_next(text, &more, problem)) {
            return false;
        }
        if (!more) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': its header has no ElementDataFile, with which a MetaImage header ends",
                image->path);
        }
        if (!*text_trim(text->line)) {
            continue;
        }
        if (!metaimage_cut(text->line, &key, &value)) {
            return text_refuse(
                text, problem, "'%.60s' is not a field; expected 'Key = value'", text->line);
        }
        const int field = metaimage_find_field(key);
        if (field < 0) {
            continue; // MetaIO files may have fields of their own
        }
        if (image->value[field]) {
            if (strcasecmp(image->value[field], value) != 0) {
                return text_refuse(
                    text, problem, "%s = '%.60s', but '%.60s' was given before", key, value,
                    image->value[field]);
            }
            continue;
        }
        image->value[field] = strdup(value);
        if (!image->value[field]) {
            return problem_no_memory(problem, "reading", image->path);
        }
    }
    image->data_at = text->next;
    return true;
}

static bool metaimage_is_true(const char *value)
{
    return value && (*value == 'T' || *value == 't' || *value == '1');
}

static bool metaimage_read_dims(struct metaimage *image, struct problem *problem)
{
    static const enum metaimage_field due[] = { NDIMS, DIM_SIZE, ELEMENT_TYPE };
    static const char *const names[] = { "NDims", "DimSize", "ElementType" };
    for (int i = 0; i < 3; i++) {
        if (!image->value[due[i]]) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': its header has no %s", image->path, names[i]);
        }
    }
    if (image->value[OBJECT_TYPE] && strcasecmp(image->value[OBJECT_TYPE], "Image") != 0) {
        return metaimage_refuse(image, OBJECT_TYPE, "Image: cubist reads volumes", problem);
    }
    uint64_t axes, channels = 1;
    if (!text_count(image->value[NDIMS], &axes) || axes < 3 || axes > AXES) {
        return metaimage_refuse(
            image, NDIMS, "3 (or 4, of which the first volume is read)", problem);
    }
    image->axes = (unsigned)axes;
    char *words[AXES];
    const size_t count = text_words(image->value[DIM_SIZE], words, AXES);
    bool ok = count == image->axes;
    for (size_t i = 0; ok && i < count; i++) {
        ok = text_count(words[i], &image->dim[i]) && image->dim[i] > 0;
    }
    if (!ok) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': DimSize has %zu values; expected %u counts, one for each "
            "of its NDims axes",
            image->path, count, image->axes);
    }
    if (image->value[CHANNELS] &&
        (!text_count(image->value[CHANNELS], &channels) || channels != 1)) {
        return metaimage_refuse(
            image, CHANNELS, "1; make one volume of it (one channel, in 3D Slicer or ITK)",
            problem);
    }
    image->payload.frames = 1;
    for (unsigned i = 3; i < image->axes; i++) {
        if (__builtin_mul_overflow(image->payload.frames, image->dim[i], &image->payload.frames)) {
            return problem_set(
                problem, PROBLEM_LIMIT, "'%s': DimSize takes more than 64 bits", image->path);
        }
    }
    if (image->payload.frames > 1) {
        log_warn(
            "'%s' has %" PRIu64 " volumes; the first is read", image->path, image->payload.frames);
    }
    memcpy(image->payload.dim, image->dim, sizeof image->payload.dim);
    return true;
}

static bool metaimage_read_format(struct metaimage *image, struct problem *problem)
{
    struct payload *payload = &image->payload;
    if (!sample_format_named(WORDS_METAIMAGE, image->value[ELEMENT_TYPE], &payload->format)) {
        return metaimage_refuse(
            image, ELEMENT_TYPE, "a scalar (MET_UCHAR, MET_SHORT ... MET_DOUBLE)", problem);
    }
    const bool binary = !image->value[BINARY] || metaimage_is_true(image->value[BINARY]);
    const bool compressed = metaimage_is_true(image->value[COMPRESSED]);
    if (!binary && compressed) {
        return metaimage_refuse(image, COMPRESSED, "False where BinaryData is", problem);
    }
    payload->encoding = compressed ? PAYLOAD_DEFLATE : binary ? PAYLOAD_RAW : PAYLOAD_TEXT;
    payload->format.order =
        metaimage_is_true(image->value[MSB]) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    double slope = 1, intercept = 0;
    if ((image->value[SLOPE] && !text_real(image->value[SLOPE], &slope)) ||
        (image->value[INTERCEPT] && !text_real(image->value[INTERCEPT], &intercept))) {
        return metaimage_refuse(
            image, image->value[SLOPE] ? SLOPE : INTERCEPT, "a number", problem);
    }
    if (slope != 1 || intercept != 0) {
        log_warn("'%s': values are taken as stored, without slope and offset", image->path);
    }
    return true;
}

static bool metaimage_read_sizes(struct metaimage *image, struct problem *problem)
{
    struct payload *payload = &image->payload;
    int64_t skip = 0;
    if (image->value[HEADER_SIZE] && (!text_whole(image->value[HEADER_SIZE], &skip) || skip < -1)) {
        return metaimage_refuse(image, HEADER_SIZE, "a number of bytes, or -1", problem);
    }
    if (skip == -1 && payload->encoding != PAYLOAD_RAW) {
        return metaimage_refuse(
            image, HEADER_SIZE, "0 or more where the samples are not raw", problem);
    }
    payload->at_end = skip == -1;
    payload->offset = skip > 0 ? (uint64_t)skip : 0;
    if (payload->encoding == PAYLOAD_DEFLATE && image->value[COMPRESSED_SIZE] &&
        !text_count(image->value[COMPRESSED_SIZE], &payload->length)) {
        return metaimage_refuse(image, COMPRESSED_SIZE, "a number of bytes", problem);
    }
    return true;
}

// The first `count` numbers of a field. False unless it has NDims (or NDims squared) numbers.
static bool metaimage_read_numbers(
    struct metaimage *image, enum metaimage_field field, unsigned count, double *out,
    struct problem *problem)
{
    char *words[AXES * AXES];
    const size_t has = text_words(image->value[field], words, AXES * AXES);
    bool ok = has == count;
    for (size_t i = 0; ok && i < count; i++) {
        ok = text_real(words[i], &out[i]);
    }
    char expected[40];
    snprintf(expected, sizeof expected, "%u numbers", count);
    return ok || metaimage_refuse(image, field, expected, problem);
}

// The numbers of TransformMatrix come axis by axis: the first NDims numbers are the direction of
// the x axis.
static bool metaimage_read_affine(struct metaimage *image, struct problem *problem)
{
    const unsigned n = image->axes;
    double spacing[AXES] = { 1, 1, 1 }, origin[AXES] = { 0 }, matrix[AXES * AXES];
    const enum metaimage_field said = image->value[SPACING] ? SPACING : SIZE;
    for (unsigned i = 0; i < n * n; i++) {
        matrix[i] = i % (n + 1) == 0;
    }
    if ((image->value[said] && !metaimage_read_numbers(image, said, n, spacing, problem)) ||
        (image->value[ORIGIN] && !metaimage_read_numbers(image, ORIGIN, n, origin, problem)) ||
        (image->value[MATRIX] && !metaimage_read_numbers(image, MATRIX, n * n, matrix, problem))) {
        return false;
    }
    for (unsigned a = 0; a < 3; a++) {
        // The matrix is a rotation. Its rows are normalised again, against rounding.
        const double *row = &matrix[n * a];
        const double length = hypot(hypot(row[0], row[1]), row[2]);
        for (unsigned i = 0; i < 3; i++) {
            image->steps[a][i] = length > 0 ? row[i] / length * spacing[a] : 0;
        }
        image->origin[a] = origin[a];
    }
    return true;
}

static bool
metaimage_check_files(const struct metaimage *image, unsigned per_file, struct problem *problem)
{
    uint64_t expected = 1;
    for (unsigned i = per_file; i < image->axes; i++) {
        expected *= image->dim[i]; // the product was checked without the third: at most 2^64
    }
    const uint64_t count = image->files.count;
    return count == expected ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' names %" PRIu64 " data files, but DimSize asks for %" PRIu64, image->path,
               count, expected);
}

// Reads the names after `ElementDataFile = LIST`, to the end of the file.
static bool metaimage_read_list(
    struct metaimage *image, struct text *text, const char *word, struct problem *problem)
{
    unsigned per_file = image->axes - 1;
    if (*word) { // "LIST 2", "LIST 2D"
        if (*word < '1' || *word > '9' || (word[1] && strcasecmp(word + 1, "D") != 0) ||
            (unsigned)(*word - '0') > image->axes) {
            return metaimage_refuse(
                image, DATA_FILE, "LIST, or LIST and the axes of a file", problem);
        }
        per_file = (unsigned)(*word - '0');
    }
    return sidecar_list_read(&image->files, text, problem) &&
           metaimage_check_files(image, per_file, problem);
}

// Whether a name has a conversion such as %03d. "100%.raw" has none.
static bool metaimage_has_number(const char *name)
{
    const char *at = strchr(name, '%');
    return at && at[1 + strspn(at + 1, "0123456789")] == 'd';
}

// "name%03d.raw [first [last [step]]]"; *is is false where the value is something else.
static bool metaimage_read_pattern(struct metaimage *image, bool *is, struct problem *problem)
{
    char copy[4200], *words[4];
    strncpy(copy, image->value[DATA_FILE], sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    const size_t count = text_words(copy, words, 4);
    const uint64_t slices = image->dim[image->axes - 1];
    int64_t range[3] = { 1, 0, 1 }; // first, last, step
    *is = count >= 1 && count <= 4 &&
          (count == 1 ? metaimage_has_number(words[0]) : strchr(words[0], '%') != NULL);
    for (size_t i = 1; *is && i < count; i++) {
        *is = text_whole(words[i], &range[i - 1]);
    }
    if (!*is) {
        return true;
    }
    if (count < 3) {
        range[1] = slices <= INT32_MAX && range[0] <= INT32_MAX ? range[0] + (int64_t)slices - 1
                                                                : INT64_MAX;
    }
    return sidecar_list_pattern(
               &image->files, image->path, words[0], range[0], range[1], range[2], problem) &&
           metaimage_check_files(image, image->axes - 1, problem);
}

// Nothing may follow the name of a single data file: a field there would be ignored.
static bool metaimage_check_last(struct text *text, struct problem *problem)
{
    for (bool more = true; more;) {
        if (!text_next(text, &more, problem)) {
            return false;
        }
        if (*text_trim(text->line)) {
            return text_refuse(
                text, problem,
                "a line after ElementDataFile; expected that field to end the header");
        }
    }
    return true;
}

static bool
metaimage_read_data_file(struct metaimage *image, struct text *text, struct problem *problem)
{
    const char *value = image->value[DATA_FILE];
    struct payload *payload = &image->payload;
    if (strcasecmp(value, "LOCAL") == 0) {
        // HeaderSize counts from the start of the file.
        payload->offset = payload->offset > 0 ? payload->offset : image->data_at;
        if (payload->offset < image->data_at) {
            return metaimage_refuse(
                image, HEADER_SIZE, "0, -1 or no less than the header has", problem);
        }
        return true;
    }
    payload->files = &image->files;
    if (strncasecmp(value, "LIST", 4) == 0 && (!value[4] || value[4] == ' ' || value[4] == '\t')) {
        payload->length = 0; // of a single file
        return metaimage_read_list(image, text, value + 4 + strspn(value + 4, " \t"), problem);
    }
    bool pattern;
    if (!metaimage_check_last(text, problem) || !metaimage_read_pattern(image, &pattern, problem)) {
        return false;
    }
    payload->length = pattern ? 0 : payload->length;
    return pattern || sidecar_list_add(&image->files, value, strlen(value), problem);
}

bool metaimage_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct text text = { .source = source };
    struct metaimage image = { .path = source->path };
    char what[300];
    snprintf(what, sizeof what, "'%s'", source->path);
    const bool ok =
        metaimage_read_header(&image, &text, problem) && metaimage_read_dims(&image, problem) &&
        metaimage_read_format(&image, problem) && metaimage_read_sizes(&image, problem) &&
        metaimage_read_affine(&image, problem) &&
        metaimage_read_data_file(&image, &text, problem) &&
        payload_open(source, &image.payload, params, out, problem) &&
        affine_set(&out->volume, image.steps, image.origin, what, problem);
    if (ok) {
        // 3D Slicer always assumes LPS. Here a file is in LPS only if it states its position or
        // orientation.
        const char *anatomy = image.value[ANATOMY];
        const bool patient = image.value[MATRIX] || (anatomy && *anatomy != '?');
        out->volume.frame = patient ? VOLUME_FRAME_LPS : VOLUME_FRAME_UNSAID;
    }
    for (int i = 0; i < FIELDS; i++) {
        free(image.value[i]);
    }
    sidecar_list_destroy(&image.files);
    return ok;
}
