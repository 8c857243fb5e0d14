// MetaImage: "Key = value" lines. ElementDataFile ends the header and says where the samples are.
// cubist reads the format as MetaIO does, with two exceptions. MetaIO guesses at a missing DimSize
// and at a field after ElementDataFile; both are refused here.
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

struct metaimage {
    const char *path;
    // Values of fields; NULL: the header lacks the field.
    char *ndims, *dim_size, *element_type, *object_type, *channels, *header_size, *data_file;
    char *binary, *msb, *compressed, *compressed_size, *slope, *intercept;
    char *spacing, *element_size, *position, *matrix, *anatomy;
    uint64_t data_at; // offset of the header's end in the file
    unsigned axes;
    uint64_t dim[AXES];
    struct sidecar_list files;
    struct payload payload;
    double steps[3][3], origin[3];
};

// Required fields come first. ElementOrigin and ElementDirection are names of format version 1.
// ElementSize is the spacing where ElementSpacing is missing.
static const struct text_field fields[] = {
    { "NDims", offsetof(struct metaimage, ndims), true },
    { "DimSize", offsetof(struct metaimage, dim_size), true },
    { "ElementType", offsetof(struct metaimage, element_type), true },
    { "ObjectType", offsetof(struct metaimage, object_type), false },
    { "ElementNumberOfChannels", offsetof(struct metaimage, channels), false },
    { "HeaderSize", offsetof(struct metaimage, header_size), false },
    { "ElementDataFile", offsetof(struct metaimage, data_file), false },
    { "BinaryData", offsetof(struct metaimage, binary), false },
    { "BinaryDataByteOrderMSB|ElementByteOrderMSB", offsetof(struct metaimage, msb), false },
    { "CompressedData", offsetof(struct metaimage, compressed), false },
    { "CompressedDataSize", offsetof(struct metaimage, compressed_size), false },
    { "ElementToIntensityFunctionSlope", offsetof(struct metaimage, slope), false },
    { "ElementToIntensityFunctionOffset", offsetof(struct metaimage, intercept), false },
    { "ElementSpacing", offsetof(struct metaimage, spacing), false },
    { "ElementSize", offsetof(struct metaimage, element_size), false },
    { "Offset|Position|Origin|ElementOrigin", offsetof(struct metaimage, position), false },
    { "TransformMatrix|Rotation|Orientation|ElementDirection", offsetof(struct metaimage, matrix),
      false },
    { "AnatomicalOrientation", offsetof(struct metaimage, anatomy), false },
    { 0 },
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

// The format has no magic. The first line that is not empty must have one of MetaIO's keys.
bool metaimage_matches(const struct file_head *head)
{
    char line[256], *key, *value;
    struct metaimage unread;
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
    // Other texts may start with these keys, too. So NDims or DimSize must also be in the head.
    return text_field(fields, &unread, key) ||
           (text_is_one(key, "Comment|ObjectSubType|FileFormatVersion|Name|ID|TransformType") &&
            (memmem(head->bytes, head->size, "NDims", 5) ||
             memmem(head->bytes, head->size, "DimSize", 7)));
}

// Refuses the value of a field. The message says the first name of the field.
static bool metaimage_refuse(
    const struct metaimage *image, char *const *value, const char *expected,
    struct problem *problem)
{
    const struct text_field *field = fields;
    while ((const char *)image + field->place != (const char *)value) {
        field++;
    }
    return problem_set(
        problem, PROBLEM_INPUT, "'%s': %.*s = '%s'; expected %s", image->path,
        (int)strcspn(field->names, "|"), field->names, *value, expected);
}

static bool
metaimage_read_header(struct metaimage *image, struct text *text, struct problem *problem)
{
    while (!image->data_file) {
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
        char **place = text_field(fields, image, key);
        if (!place) {
            continue; // unknown field: programs may add their own
        }
        if (*place) {
            if (strcasecmp(*place, value) != 0) {
                return text_refuse(
                    text, problem, "%s = '%.60s', but '%.60s' was given before", key, value,
                    *place);
            }
            continue;
        }
        *place = strdup(value);
        if (!*place) {
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
    const char *missing = text_field_missing(fields, image);
    if (missing) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': its header has no %s", image->path, missing);
    }
    if (image->object_type && strcasecmp(image->object_type, "Image") != 0) {
        return metaimage_refuse(image, &image->object_type, "Image: cubist reads volumes", problem);
    }
    uint64_t axes, channels = 1;
    if (!text_count(image->ndims, &axes) || axes < 3 || axes > AXES) {
        return metaimage_refuse(
            image, &image->ndims, "3 (or 4, of which the first volume is read)", problem);
    }
    image->axes = (unsigned)axes;
    char *words[AXES];
    const size_t count = text_words(image->dim_size, words, AXES);
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
    if (image->channels && (!text_count(image->channels, &channels) || channels != 1)) {
        return metaimage_refuse(
            image, &image->channels, "1; make one volume of it (one channel, in 3D Slicer or ITK)",
            problem);
    }
    image->payload.frames = 1;
    for (unsigned i = 3; i < image->axes; i++) {
        if (__builtin_mul_overflow(image->payload.frames, image->dim[i], &image->payload.frames)) {
            return problem_set(
                problem, PROBLEM_LIMIT, "'%s': DimSize takes more than 64 bits", image->path);
        }
    }
    image->payload.frames_how = "";
    memcpy(image->payload.dim, image->dim, sizeof image->payload.dim);
    return true;
}

static bool metaimage_read_format(struct metaimage *image, struct problem *problem)
{
    struct payload *payload = &image->payload;
    if (!sample_format_named(WORDS_METAIMAGE, image->element_type, &payload->format)) {
        return metaimage_refuse(
            image, &image->element_type, "a scalar (MET_UCHAR, MET_SHORT ... MET_DOUBLE)", problem);
    }
    const bool binary = !image->binary || metaimage_is_true(image->binary);
    const bool compressed = metaimage_is_true(image->compressed);
    if (!binary && compressed) {
        return metaimage_refuse(image, &image->compressed, "False where BinaryData is", problem);
    }
    payload->encoding = compressed ? PAYLOAD_DEFLATE : binary ? PAYLOAD_RAW : PAYLOAD_TEXT;
    payload->format.order = metaimage_is_true(image->msb) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    double slope = 1, intercept = 0;
    if ((image->slope && !text_real(image->slope, &slope)) ||
        (image->intercept && !text_real(image->intercept, &intercept))) {
        return metaimage_refuse(
            image, image->slope ? &image->slope : &image->intercept, "a number", problem);
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
    if (image->header_size && (!text_whole(image->header_size, &skip) || skip < -1)) {
        return metaimage_refuse(image, &image->header_size, "a number of bytes, or -1", problem);
    }
    if (skip == -1 && payload->encoding != PAYLOAD_RAW) {
        return metaimage_refuse(
            image, &image->header_size, "0 or more where the samples are not raw", problem);
    }
    payload->at_end = skip == -1;
    payload->offset = skip > 0 ? (uint64_t)skip : 0;
    if (payload->encoding == PAYLOAD_DEFLATE && image->compressed_size &&
        !text_count(image->compressed_size, &payload->length)) {
        return metaimage_refuse(image, &image->compressed_size, "a number of bytes", problem);
    }
    return true;
}

// The first `count` numbers of a field. False unless it has NDims (or NDims squared) numbers.
static bool metaimage_read_numbers(
    struct metaimage *image, char **value, unsigned count, double *out, struct problem *problem)
{
    const bool ok = text_reals(*value, out, count);
    char expected[40];
    snprintf(expected, sizeof expected, "%u numbers", count);
    return ok || metaimage_refuse(image, value, expected, problem);
}

// The numbers of TransformMatrix come axis by axis: the first NDims numbers are the direction of
// the x axis.
static bool metaimage_read_affine(struct metaimage *image, struct problem *problem)
{
    const unsigned n = image->axes;
    double spacing[AXES] = { 1, 1, 1 }, origin[AXES] = { 0 }, matrix[AXES * AXES];
    char **said = image->spacing ? &image->spacing : &image->element_size;
    for (unsigned i = 0; i < n * n; i++) {
        matrix[i] = i % (n + 1) == 0;
    }
    if ((*said && !metaimage_read_numbers(image, said, n, spacing, problem)) ||
        (image->position && !metaimage_read_numbers(image, &image->position, n, origin, problem)) ||
        (image->matrix && !metaimage_read_numbers(image, &image->matrix, n * n, matrix, problem))) {
        return false;
    }
    for (unsigned a = 0; a < 3; a++) {
        // The matrix is a rotation. Normalise its rows again, because they were rounded.
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
                image, &image->data_file, "LIST, or LIST and the axes of a file", problem);
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

// Reads "name%03d.raw [first [last [step]]]". *is is false where the value has another form.
static bool metaimage_read_pattern(struct metaimage *image, bool *is, struct problem *problem)
{
    char copy[4200], *words[4];
    snprintf(copy, sizeof copy, "%s", image->data_file);
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
    const char *value = image->data_file;
    struct payload *payload = &image->payload;
    if (strcasecmp(value, "LOCAL") == 0) {
        // HeaderSize counts from the start of the file.
        payload->offset = payload->offset > 0 ? payload->offset : image->data_at;
        if (payload->offset < image->data_at) {
            return metaimage_refuse(
                image, &image->header_size, "0, -1 or no less than the header has", problem);
        }
        return true;
    }
    payload->files = &image->files;
    if (strncasecmp(value, "LIST", 4) == 0 && (!value[4] || value[4] == ' ' || value[4] == '\t')) {
        payload->length = 0; // a length would be that of a single file
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
    const bool ok =
        metaimage_read_header(&image, &text, problem) && metaimage_read_dims(&image, problem) &&
        metaimage_read_format(&image, problem) && metaimage_read_sizes(&image, problem) &&
        metaimage_read_affine(&image, problem) &&
        metaimage_read_data_file(&image, &text, problem) &&
        payload_open(source, &image.payload, params, out, problem) &&
        affine_set(&out->volume, image.steps, image.origin, source->path, problem);
    if (ok) {
        // 3D Slicer always assumes LPS. Here a file is in LPS only if it states its position or
        // orientation.
        const char *anatomy = image.anatomy;
        const bool patient = image.matrix || (anatomy && *anatomy != '?');
        out->volume.frame = patient ? VOLUME_FRAME_LPS : VOLUME_FRAME_UNSAID;
    }
    text_fields_free(fields, &image);
    sidecar_list_destroy(&image.files);
    return ok;
}
