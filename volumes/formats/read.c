// Picks the reader by what stands at the path: its kind first, then its first bytes, its name last.
#include "volumes/base/log.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/spool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool spacing_apply(
    const struct volume_params *params, struct volume *volume, struct problem *problem)
{
    const double *spacing = params->spacing;
    if (spacing[0] == 0 && spacing[1] == 0 && spacing[2] == 0) {
        return true; // unsaid
    }
    for (int i = 0; i < 3; i++) {
        if (!isfinite(spacing[i]) || spacing[i] <= 0) {
            volume_destroy(volume);
            return problem_set(
                problem, PROBLEM_USAGE, "spacing %g,%g,%g: each must be a positive number",
                spacing[0], spacing[1], spacing[2]);
        }
    }
    memcpy(volume->spacing, spacing, sizeof volume->spacing);
    return true;
}

// The samples' type, order and place are in the file: what was said of raw files is passed over.
static void warn_unused(const char *path, const char *name, const struct volume_params *params)
{
    if (params->has_type || params->offset > 0 || params->order != BYTE_ORDER_UNSAID) {
        log_warn("'%s' is %s: it says its own type, byte order and offset", path, name);
    }
}

static void warn_no_arrays(const char *path, const struct volume_params *params)
{
    if (params->array) {
        log_warn("'%s' has no named arrays: --array %s is ignored", path, params->array);
    }
}

static bool read_known(
    const struct reader *reader, bool by_name, struct source *source,
    const struct volume_params *params, struct volume *out, struct problem *problem)
{
    if (!by_name && !path_has_extension(source->path, reader->extensions)) {
        for (size_t i = 0; i < reader_count; i++) {
            if (path_has_extension(source->path, readers[i].extensions)) {
                log_warn(
                    "'%s' is %s although its name says %s", source->path, reader->name,
                    readers[i].name);
                break;
            }
        }
    }
    warn_unused(source->path, reader->name, params);
    if (!reader->arrays) {
        warn_no_arrays(source->path, params);
    }
    return reader->read(source, params, out, problem) && spacing_apply(params, out, problem);
}

static bool read_file(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    unsigned char bytes[READER_HEAD];
    struct file_head head;
    file_head_read(source, bytes, &head);
    const bool png = !head.gzip && file_head_has(&head, 0, "\x89PNG\r\n\x1a\n", 8);
    const bool atlas = params->atlas[0] || params->atlas[1];
    const bool has_dim = params->dim[0] || params->dim[1] || params->dim[2];
    struct raw_name name;
    raw_name_parse(source->path, &name);
    if (source->size == 0) {
        return problem_set(problem, PROBLEM_INPUT, "'%s' is empty", source->path);
    }
    if (atlas) {
        warn_no_arrays(source->path, params);
        return atlas_read(source, params, out, problem);
    }
    if (has_dim || (name.raw && name.has_dim)) {
        warn_no_arrays(source->path, params);
        return raw_read(source, params, out, problem);
    }
    if (png) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is one PNG image; say how its slices are tiled with --atlas COLSxROWS, or give a "
            "folder of slices",
            source->path);
    }
    bool by_name;
    const struct reader *reader = reader_pick(&head, &by_name);
    if (reader && !by_name) {
        return read_known(reader, by_name, source, params, out, problem);
    }
    if (!foreign_file_refuse(&head, problem)) {
        return false;
    }
    if (reader) {
        return read_known(reader, by_name, source, params, out, problem);
    }
    if (name.raw) {
        return raw_read(source, params, out, problem); // says which dims it could have
    }
    char known[400];
    reader_list_names(known, sizeof known);
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is no volume that cubist knows; expected %s, NAME_WxHxD_TYPE.raw or .raw.gz, any "
        "file "
        "with --dims WxHxD and --type, a folder of PNG or TIFF slices, or a PNG with --atlas "
        "COLSxROWS",
        source->path, known);
}

// Readers may open a file more than once, so they get a path.
static bool
read_standard_input(const struct volume_params *params, struct volume *out, struct problem *problem)
{
    const int fd = spool_standard_input(params->max_input, problem);
    if (fd < 0) {
        return false;
    }
    char path[32];
    spool_path(fd, path);
    const bool ok = volume_read(path, params, out, problem);
    spool_release(fd);
    return ok;
}

static bool read_path(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    struct source source;
    struct stat st;
    if (!*path) {
        return problem_set(problem, PROBLEM_INPUT, "the path of the volume is empty");
    }
    if (strcmp(path, "-") == 0) {
        return read_standard_input(params, out, problem);
    }
    if (stat(path, &st) != 0) {
        return problem_set(problem, PROBLEM_INPUT, "cannot open '%s': %s", path, strerror(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        if (params->atlas[0] || params->atlas[1]) {
            return problem_set(
                problem, PROBLEM_USAGE, "'%s' is a folder; --atlas is for one image", path);
        }
        warn_no_arrays(path, params);
        return foreign_folder_refuse(path, problem) && slices_read(path, params, out, problem);
    }
    if (!source_open(path, &source, problem)) {
        return false;
    }
    bool ok = read_file(&source, params, out, problem);
    if (ok && !source_sound(&source, problem)) {
        volume_destroy(out);
        ok = false;
    }
    source_close(&source);
    return ok;
}

bool volume_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    static const struct volume_params nothing;
    struct input input;
    *out = (struct volume){ 0 };
    params = params ? params : &nothing;
    input_begin(&input, params->progress, params->max_input);
    return input_end(&input, read_path(path, params, out, problem));
}
