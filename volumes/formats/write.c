#include "volumes/formats/write.h"

#include "volumes/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct volume_format volume_formats[] = {
    {
        .name = "nrrd",
        .extension = ".nrrd",
        .summary = "NRRD, header and samples in one file",
        .write = volume_write_nrrd,
    },
    {
        .name = "raw",
        .extension = ".raw",
        .summary = "the samples alone, little-endian; name it NAME_WxHxD_TYPE.raw",
        .write = volume_write_raw,
    },
    { 0 },
};

const struct volume_format *volume_format_find(const char *name)
{
    for (const struct volume_format *format = volume_formats; format->name; format++) {
        if (strcasecmp(name, format->name) == 0) {
            return format;
        }
    }
    return NULL;
}

static bool write_ends_in(const char *text, size_t length, const char *ending)
{
    const size_t size = strlen(ending);
    return length > size && strncasecmp(text + length - size, ending, size) == 0;
}

const struct volume_format *volume_format_of(
    const char *path, const struct volume_format *usual, bool *gzip, struct problem *problem)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = strlen(name);
    *gzip = false;
    if (!dot || dot == name || !dot[1]) {
        return usual;
    }
    // Only raw has another extension for compressed samples. An NRRD file states the compression in
    // its header.
    if (write_ends_in(name, length, ".raw.gz")) {
        *gzip = true;
        length -= 3;
    }
    char known[200] = "";
    for (const struct volume_format *format = volume_formats; format->name; format++) {
        if (write_ends_in(name, length, format->extension)) {
            return format;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s ", format->extension);
    }
    problem_set(
        problem, PROBLEM_USAGE,
        "%.400s: unknown kind of file '%.40s', expected one of %s.raw.gz, or --format", path, dot,
        known);
    return NULL;
}

bool volume_write_raw(
    const struct volume *volume, const char *path, const struct volume_write_params *params,
    struct problem *problem)
{
    struct output output;
    if (!output_open(path, &output, problem)) {
        return false;
    }
    if (!write_samples(volume, params, &output, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}

bool volume_write_generated(
    const char *name, const uint32_t dim[3], enum volume_type type,
    const struct volume_format *format, const char *path, const struct volume_write_params *params,
    struct problem *problem)
{
    struct volume_write_params own = *params;
    struct volume volume;
    own.make_slice = generation_make_slice;
    own.user = generation_create(name, dim, type, INT64_MAX / 2, problem);
    if (!own.user) {
        return false;
    }
    volume_describe(dim, type, &volume);
    volume.samples = malloc(volume_bytes(&volume) / dim[2]);
    const bool fine = volume.samples ? format->write(&volume, path, &own, problem)
                                     : problem_no_memory(problem, "generating", name);
    volume_destroy(&volume);
    generation_destroy(own.user);
    return fine;
}
