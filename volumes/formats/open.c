// Selects the reader: first by the kind of the path (file or folder), then by the first bytes, last
// by the name. volume_file_open returns the open file; volume_read reads all of it.
#include "volumes/base/log.h"
#include "volumes/formats/folder.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/reader_process.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/spool.h"
#include "volumes/formats/zarr.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Sets the spacing of the volume to params->spacing, whose unit is unknown, if that is given.
static bool
open_spacing(const struct volume_params *params, struct volume_file *out, struct problem *problem)
{
    const double *spacing = params->spacing;
    const bool own = spacing[0] == 0 && spacing[1] == 0 && spacing[2] == 0;
    contents_stretch(&out->contents, &out->volume, out->path, own);
    if (own) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (!isfinite(spacing[i]) || spacing[i] <= 0) {
            return problem_set(
                problem, PROBLEM_USAGE, "spacing %g,%g,%g: each must be a positive number",
                spacing[0], spacing[1], spacing[2]);
        }
    }
    memcpy(out->volume.spacing, spacing, sizeof out->volume.spacing);
    out->contents.unit[0] = 0;
    return true;
}

// Warns of params that are ignored, because the file states type, byte order and offset itself.
static void open_warn_unused(const char *path, const char *name, const struct volume_params *params)
{
    if (params->has_type || params->offset > 0 || params->order != BYTE_ORDER_UNSAID) {
        log_warn("'%s' is %s: the file states its own type, byte order and offset", path, name);
    }
}

// Warns of params that only reader processes know.
static void open_warn_unasked(const struct volume_file *file, const struct volume_params *params)
{
    if (params->gaps && !file->process) {
        log_warn(
            "'%s' is not a series of slices: --gaps %s is ignored", file->path,
            params->gaps == GAPS_BLANK ? "blank" : "resample");
    }
    if (params->axis_index && !file->process && !file->by_index) {
        log_warn(
            "'%s' does not name the positions of an axis: --axis-index %s is ignored", file->path,
            params->axis_index);
    }
}

static bool open_known(
    const struct reader *reader, bool by_name, bool gzip, struct source *source,
    const struct volume_params *params, struct volume_file *out, struct problem *problem)
{
    if (!by_name && !path_has_extension(source->path, reader->extensions)) {
        for (size_t i = 0; i < reader_count; i++) {
            if (path_has_extension(source->path, readers[i].extensions)) {
                if (reader->process && readers[i].process &&
                    strcmp(readers[i].process, reader->process) == 0) {
                    break; // NetCDF-4 is HDF5
                }
                log_warn(
                    "'%s' is %s although its name says %s", source->path, reader->name,
                    readers[i].name);
                break;
            }
        }
    }
    open_warn_unused(source->path, reader->name, params);
    if (reader->process) {
        return reader_process_open(reader, source->path, params, out, problem);
    }
    return (!gzip || !reader->gzip || source_unpack(source, problem)) &&
           reader->open(source, params, out, problem);
}

static bool open_file(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    unsigned char bytes[READER_HEAD];
    struct file_head head;
    file_head_read(source, bytes, &head);
    if (!source_sound(source, problem)) {
        return false; // the head does not tell what the file is
    }
    const bool png = !head.gzip && file_head_has(&head, 0, "\x89PNG\r\n\x1a\n", 8);
    const bool atlas = params->atlas[0] || params->atlas[1];
    const bool has_dim = params->dim[0] || params->dim[1] || params->dim[2];
    struct raw_name name;
    raw_name_parse(source->path, &name);
    if (source->size == 0) {
        return problem_set(problem, PROBLEM_INPUT, "'%s' is empty", source->path);
    }
    if (atlas) {
        return tiles_open(source, params, out, problem);
    }
    if (has_dim || (name.raw && name.has_dim)) {
        return raw_open(source, params, out, problem);
    }
    if (!foreign_within_refuse(&head, problem)) {
        return false;
    }
    bool by_name, fine;
    const struct reader *reader = reader_pick(&head, &by_name);
    if (reader && !by_name) {
        return open_known(reader, by_name, head.gzip, source, params, out, problem);
    }
    if (png) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is one PNG image; say how its slices are tiled with --atlas COLSxROWS, or give a "
            "folder of slices",
            source->path);
    }
    if (reader_process_open_added(&head, params, out, &fine, problem)) {
        return fine;
    }
    if (!foreign_file_refuse(&head, problem)) {
        return false;
    }
    if (reader) {
        return open_known(reader, by_name, head.gzip, source, params, out, problem);
    }
    if (name.raw) {
        return raw_open(
            source, params, out, problem); // the message says which dims the file could have
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is not in a known volume format; expected one that cubist --list-formats lists, or "
        "raw samples with --dims WxHxD and --type",
        source->path);
}

static bool open_folder(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    const struct file_head head = { .path = path };
    const enum folder_form form = reader_folder_form(path);
    bool fine;
    if (form == FOLDER_FORM_ZARR) {
        open_warn_unused(path, "a Zarr or N5 store", params);
        return zarr_open(path, params, out, problem);
    }
    if (form == FOLDER_FORM_DICOM) {
        return reader_process_open(reader_named("DICOM"), path, params, out, problem);
    }
    if (reader_process_open_added(&head, params, out, &fine, problem)) {
        return fine;
    }
    if (folder_nests_dicom(path)) {
        return reader_process_open(reader_named("DICOM"), path, params, out, problem);
    }
    return slices_open(path, params, out, problem);
}

// Describes the file or folder at `path`; out->path is `path`.
static bool open_path(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct source source;
    struct stat st;
    if (stat(path, &st) != 0) {
        return problem_set(problem, PROBLEM_INPUT, "cannot open '%s': %s", path, strerror(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        if (params->atlas[0] || params->atlas[1]) {
            return problem_set(
                problem, PROBLEM_USAGE, "'%s' is a folder; --atlas is for one image", path);
        }
        return open_folder(path, params, out, problem);
    }
    if (!source_open(path, &source, problem)) {
        return false;
    }
    const bool fine = open_file(&source, params, out, problem) && source_sound(&source, problem);
    source_close(&source);
    return fine;
}

// Opens any input. On false `out` is closed.
static bool open_any(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    char spooled[32];
    *out = (struct volume_file){ .spool = -1 };
    if (!*path) {
        return problem_set(problem, PROBLEM_INPUT, "the path of the volume is empty");
    }
    if (strcmp(path, "-") == 0) { // readers may open a file more than once, so they get a path
        out->spool = spool_standard_input(params->max_input, problem);
        if (out->spool < 0) {
            return false;
        }
        snprintf(spooled, sizeof spooled, PROBLEM_STANDARD_INPUT "%d", out->spool);
        path = spooled;
    }
    out->path = strdup(path);
    if (!out->path) {
        problem_no_memory(problem, "reading", path);
    } else if (
        open_path(out->path, params, out, problem) && open_spacing(params, out, problem) &&
        contents_complete(&out->contents, &out->volume, &params->pick, path, problem)) {
        open_warn_unasked(out, params);
        assert(out->reader && !out->volume.samples);
        return true;
    }
    volume_file_close(out);
    return false;
}

bool volume_file_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct volume_params large = params ? *params : (struct volume_params){ 0 };
    struct input input;
    large.max_bytes = INT64_MAX;
    input_begin(&input, large.progress, large.max_input, large.files);
    input.notes = large.notes;
    return input_end(&input, open_any(path, &large, out, problem));
}

// Reads all samples of an open file.
static bool open_read_all(
    struct volume_file *file, const struct progress *progress, struct volume *out,
    struct problem *problem)
{
    const struct volume *volume = &file->volume;
    if (!progress_report(progress, file->path, 0, 1, problem) ||
        !volume_create(volume->dim, volume->type, out, problem)) {
        return false;
    }
    void *samples = out->samples;
    *out = *volume;
    out->samples = samples;
    if (!file->reader->read(file->state, 0, volume->dim[2], samples, progress, problem)) {
        volume_destroy(out);
        return false;
    }
    return true;
}

bool volume_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    static const struct volume_params nothing;
    struct volume_file file;
    struct input input;
    *out = (struct volume){ 0 };
    params = params ? params : &nothing;
    input_begin(&input, params->progress, params->max_input, params->files);
    input.notes = params->notes;
    const bool fine = open_any(path, params, &file, problem) &&
                      open_read_all(&file, params->progress, out, problem);
    if (fine && params->contents) {
        *params->contents = file.contents;
        file.contents = (struct contents){ 0 };
    }
    volume_file_close(&file);
    return input_end(&input, fine);
}
