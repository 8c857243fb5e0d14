#include "volumes/formats/reader_answer.h"

#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/sidecar.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

struct answer_reading {
    const json_t *root;
    const char *path, *asked, *who;
    const struct volume_params *params;
    struct volume_file *out;
    struct reader_answer *answer;
    struct problem *problem;
};

static bool answer_wrong(const struct answer_reading *reading, const char *expected)
{
    return problem_set(
        reading->problem, PROBLEM_INPUT, "%s answered wrongly: expected %s", reading->who,
        expected);
}

// A member that is a text; `fallback` where there is none.
static const char *answer_text(const json_t *object, const char *key, const char *fallback)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : fallback;
}

static bool answer_whole(const json_t *value, uint64_t *out)
{
    const json_int_t number = json_integer_value(value);
    *out = (uint64_t)number;
    return json_is_integer(value) && number >= 0;
}

static bool answer_read_form(struct answer_reading *reading)
{
    struct reader_answer *answer = reading->answer;
    const json_t *size = json_object_get(reading->root, "size");
    const json_t *granule = json_object_get(reading->root, "granule");
    const char *word = answer_text(reading->root, "type", "");
    if (strcmp(word, "bool") == 0 || !sample_format_named(WORDS_ZARR, word, &answer->format)) {
        return answer_wrong(reading, "\"type\": a type of samples");
    }
    answer->format.order = BYTE_ORDER_HOST;
    bool fine = json_array_size(size) == 3;
    for (size_t i = 0; i < 3; i++) {
        fine &= answer_whole(json_array_get(size, i), &answer->dim[i]);
    }
    if (!fine) {
        return answer_wrong(reading, "\"size\": three whole numbers");
    }
    answer->granule = 1;
    if (granule && (!answer_whole(json_array_get(granule, 2), &answer->granule) ||
                    answer->granule == 0 || json_array_size(granule) != 3)) {
        return answer_wrong(reading, "\"granule\": three whole numbers from 1 on");
    }
    const char *flat = answer_text(reading->root, "flat", NULL);
    if (flat) {
        return problem_set(reading->problem, PROBLEM_INPUT, "'%s': %s", reading->path, flat);
    }
    reading->out->seekable = json_is_true(json_object_get(reading->root, "seekable"));
    return samples_describe(
        reading->path, answer->dim, &answer->format, reading->params->max_bytes,
        &reading->out->volume, reading->problem);
}

static bool answer_read_place(struct answer_reading *reading)
{
    struct volume *volume = &reading->out->volume;
    json_t *rows = json_object_get(reading->root, "steps");
    json_t *first = json_object_get(reading->root, "origin");
    const char *space = answer_text(reading->root, "space", "");
    const bool ras = strcmp(space, "RAS") == 0;
    double steps[3][3] = { { 1 }, { 0, 1 }, { 0, 0, 1 } }, origin[3] = { 0 };
    bool fine = !first || json_unpack(first, "[FFF!]", origin, origin + 1, origin + 2) == 0;
    fine &= !rows || json_array_size(rows) == 3;
    for (size_t i = 0; rows && i < 3; i++) {
        double *step = steps[i];
        fine &= json_unpack(json_array_get(rows, i), "[FFF!]", step, step + 1, step + 2) == 0;
    }
    if (!fine) {
        return answer_wrong(reading, "\"steps\": three times three numbers, \"origin\": three");
    }
    if (*space && !ras && strcmp(space, "LPS") != 0) {
        return answer_wrong(reading, "\"space\": LPS or RAS");
    }
    if (ras) {
        affine_flip(steps, origin, (const double[2]){ -1, -1 });
    }
    volume->frame = *space ? VOLUME_FRAME_LPS : VOLUME_FRAME_UNSAID;
    return affine_set(volume, (const double(*)[3])steps, origin, reading->path, reading->problem);
}

static bool answer_read_array(struct answer_reading *reading, const json_t *from)
{
    const json_t *axes = json_object_get(from, "axes"), *axis;
    size_t i;
    struct contents_array *array = contents_add(
        &reading->out->contents, answer_text(from, "path", ""), answer_text(from, "type", ""),
        reading->path, reading->problem);
    if (!array) {
        return false;
    }
    json_array_foreach(axes, i, axis)
    {
        const double spacing = json_number_value(json_object_get(axis, "spacing"));
        uint64_t size;
        if (!answer_whole(json_object_get(axis, "size"), &size)) {
            return answer_wrong(reading, "\"size\" of each of the \"axes\": a whole number");
        }
        contents_add_axis(
            array, answer_text(axis, "name", ""), size, spacing > 0 ? spacing : 0,
            answer_text(axis, "unit", NULL));
    }
    return true;
}

static bool answer_read_contents(struct answer_reading *reading)
{
    struct contents *contents = &reading->out->contents;
    const json_t *arrays = json_object_get(reading->root, "arrays"), *array;
    const json_t *chosen = json_object_get(reading->root, "chosen");
    const json_t *choices = json_object_get(reading->root, "choices");
    uint64_t number = 0;
    size_t i;
    json_array_foreach(arrays, i, array)
    {
        if (!answer_read_array(reading, array)) {
            return false;
        }
    }
    if ((chosen && !answer_whole(chosen, &number)) ||
        (contents->count > 0 && number >= contents->count)) {
        return answer_wrong(reading, "\"chosen\": the number of one of the \"arrays\"");
    }
    contents->chosen = contents->count > 0 ? (size_t)number : 0;
    for (size_t k = 0; k < CONTENTS_CHOICES; k++) {
        const json_t *choice = json_object_get(choices, contents_word((enum contents_choice)k));
        uint64_t count = 1, at = 0;
        if (choice && (!answer_whole(json_object_get(choice, "count"), &count) ||
                       !answer_whole(json_object_get(choice, "at"), &at) || at >= count)) {
            return answer_wrong(reading, "\"choices\": each with \"count\" and \"at\", from 0 on");
        }
        contents->choice[k].count = count;
        contents->choice[k].at = at;
    }
    if (contents->count > 0) {
        contents->arrays[number].levels = contents->choice[CONTENTS_LEVEL].count;
    }
    return true;
}

// The part of `file` behind the folder of `path`, which the file must lie in; NULL: it does not.
static const char *answer_beside(const char *path, const char *file)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    return strncmp(path, file, length) == 0 ? file + length : NULL;
}

static bool answer_read_file(struct answer_reading *reading, json_t *entry)
{
    const char *name;
    json_int_t size, seconds, nanoseconds;
    struct source source;
    if (json_unpack(
            entry, "{s:s, s:I, s:[II!]}", "path", &name, "size", &size, "time", &seconds,
            &nanoseconds) != 0) {
        return answer_wrong(
            reading,
            "\"files\": each with \"path\", \"size\" and \"time\": [seconds, nanoseconds]");
    }
    const char *beside = answer_beside(reading->asked, name);
    if (!beside) {
        return problem_set(
            reading->problem, PROBLEM_INPUT,
            "%s would read '%s', which is neither beside '%s' nor below", reading->who, name,
            reading->path);
    }
    const bool same = strcmp(name, reading->asked) == 0;
    name = same ? reading->path : name;
    if (same ? !source_open(name, &source, reading->problem)
             : !sidecar_open(reading->asked, beside, false, &source, reading->problem)) {
        return false;
    }
    const struct source_stamp told = { source.stamp.device, source.stamp.inode, (uint64_t)size,
                                       seconds, nanoseconds };
    const bool fine = source_unchanged(&source, &told, reading->problem) &&
                      (source_files_add(&reading->answer->files, name, &told) ||
                       problem_no_memory(reading->problem, "reading", name));
    source_close(&source);
    return fine;
}

static bool answer_read_files(struct answer_reading *reading)
{
    const json_t *list = json_object_get(reading->root, "files");
    json_t *entry;
    size_t i;
    if (json_array_size(list) == 0) {
        return answer_wrong(reading, "\"files\": all files that it reads");
    }
    json_array_foreach(list, i, entry)
    {
        if (!answer_read_file(reading, entry)) {
            return false;
        }
    }
    const json_t *remarks = json_object_get(reading->root, "remarks");
    json_array_foreach(remarks, i, entry)
    {
        log_note("'%s': %s", reading->path, json_is_string(entry) ? json_string_value(entry) : "");
    }
    return true;
}

bool reader_answer_parse(
    const char *line, size_t size, const char *path, const char *asked, const char *who,
    const struct volume_params *params, struct volume_file *out, struct reader_answer *answer,
    struct problem *problem)
{
    json_error_t error;
    uint64_t version = 0;
    json_t *root = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
    struct answer_reading reading = { root, path, asked, who, params, out, answer, problem };
    *answer = (struct reader_answer){ 0 };
    const char *refused = answer_text(root, "error", NULL);
    snprintf(answer->version, sizeof answer->version, "%s", answer_text(root, "reader", ""));
    bool fine = (answer_whole(json_object_get(root, "cubist"), &version) && version == 1) ||
                answer_wrong(&reading, "one line of JSON with \"cubist\": 1");
    if (fine && refused) {
        const char *kind = answer_text(root, "kind", "");
        const bool usage = strcmp(kind, "usage") == 0;
        problem_set(problem, usage ? PROBLEM_USAGE : PROBLEM_INPUT, "'%s': %s", path, refused);
        fine = problem_offer(
            problem, strcmp(kind, "gaps") == 0         ? REMEDY_GAPS
                     : strcmp(kind, "axis-index") == 0 ? REMEDY_AXIS_INDEX
                                                       : REMEDY_NONE);
    }
    fine = fine && answer_read_form(&reading) && answer_read_place(&reading) &&
           answer_read_contents(&reading) && answer_read_files(&reading);
    json_decref(root);
    return fine;
}

// ---- --formats ----

// Whether the head has these bytes, in hexadecimal digits, at their place.
static bool formats_have(const struct file_head *head, const json_t *magic)
{
    const char *digits = answer_text(magic, "bytes", "");
    const size_t length = strlen(digits) / 2;
    uint64_t at;
    bool same = answer_whole(json_object_get(magic, "at"), &at) && length > 0 && at < head->size &&
                head->size - at >= length;
    for (size_t i = 0; same && i < length; i++) {
        char two[3] = { digits[2 * i], digits[2 * i + 1] }, *end;
        same = strtoul(two, &end, 16) == head->bytes[at + i] && *end == 0;
    }
    return same;
}

bool reader_formats_parse(
    const char *line, size_t size, const struct file_head *head, struct reader_formats *out)
{
    json_error_t error;
    uint64_t version;
    json_t *root = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error), *entry;
    const json_t *magics = json_object_get(root, "magic"),
                 *extensions = json_object_get(root, "extensions");
    const bool right = answer_whole(json_object_get(root, "cubist"), &version) && version == 1;
    size_t i;
    *out = (struct reader_formats){ .matches = false };
    snprintf(out->name, sizeof out->name, "%s", answer_text(root, "name", ""));
    json_array_foreach(magics, i, entry)
    {
        out->matches |= formats_have(head, entry);
    }
    json_array_foreach(extensions, i, entry)
    {
        const char *extension = json_is_string(entry) ? json_string_value(entry) : "";
        out->matches |= *extension && path_has_extension(head->path, extension);
    }
    out->matches &= head->size > 0 || json_is_true(json_object_get(root, "folders"));
    json_decref(root);
    return right && out->name[0];
}
