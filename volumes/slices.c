#include "volumes/readers.h"
#include "volumes/size.h"
#include "volumes/slice_image.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct names {
    char **at;
    size_t count, room;
};

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->at[i]);
    }
    free(names->at);
    *names = (struct names){ 0 };
}

// Orders "slice2" before "slice10": runs of digits compare by their value. Names that are equal in
// that sense (2 and 02) compare by their bytes, so that the order never depends on the folder.
static int natural(const char *a, const char *b)
{
    const char *const whole[2] = { a, b };
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            const size_t n = strspn(a, "0123456789");
            const size_t m = strspn(b, "0123456789");
            if (n != m) {
                return n < m ? -1 : 1;
            }
            const int order = strncmp(a, b, n);
            if (order != 0) {
                return order;
            }
            a += n;
            b += m;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : strcmp(whole[0], whole[1]);
}

static int by_name(const void *a, const void *b)
{
    return natural(*(char *const *)a, *(char *const *)b);
}

static bool ends_in(const char *name, const char *const *suffixes)
{
    const size_t length = strlen(name);
    for (; *suffixes; suffixes++) {
        const size_t n = strlen(*suffixes);
        if (length > n && strcasecmp(name + length - n, *suffixes) == 0) {
            return true;
        }
    }
    return false;
}

static bool
add_path(struct names *names, const char *folder, const char *name, struct problem *problem)
{
    if (names->count == names->room) {
        const size_t room = names->room ? 2 * names->room : 256;
        char **at = realloc(names->at, room * sizeof *at);
        if (!at) {
            goto fail;
        }
        names->at = at;
        names->room = room;
    }
    const size_t length = strlen(folder);
    const bool slash = length > 0 && folder[length - 1] == '/';
    if (asprintf(&names->at[names->count], "%s%s%s", folder, slash ? "" : "/", name) >= 0) {
        names->count++;
        return true;
    }
fail:
    return problem_set(problem, PROBLEM_DEVICE, "out of memory listing '%s'", folder);
}

// The paths of the PNG files in a folder, in natural order. Hidden files are passed over.
static bool list_slices(const char *folder, struct names *out, struct problem *problem)
{
    static const char *const png[] = { ".png", NULL };
    static const char *const others[] = { ".tif", ".tiff", ".jpg", ".jpeg",  ".bmp", ".gif", ".tga",
                                          ".pgm", ".ppm",  ".dcm", ".dicom", ".jp2", NULL };
    char other[256] = "";
    size_t passed = 0;
    DIR *dir = opendir(folder);
    if (!dir) {
        return problem_set(
            problem, PROBLEM_INPUT, "cannot open the folder '%s': %s", folder, strerror(errno));
    }
    bool ok = true;
    errno = 0;
    for (struct dirent *entry; ok && (entry = readdir(dir)); errno = 0) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (ends_in(entry->d_name, png)) {
            ok = add_path(out, folder, entry->d_name, problem);
        } else if (ends_in(entry->d_name, others)) {
            if (passed == 0 || strcmp(entry->d_name, other) < 0) {
                snprintf(other, sizeof other, "%s", entry->d_name);
            }
            passed++;
        }
    }
    if (ok && errno != 0) {
        ok = problem_set(
            problem, PROBLEM_INPUT, "cannot list the folder '%s': %s", folder, strerror(errno));
    }
    closedir(dir);
    if (!ok) {
        return false;
    }
    if (out->count == 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "the folder '%s' holds no PNG slices%s%s%s", folder,
            passed ? "; convert its images ('" : "", other, passed ? "', ...) to PNG" : "");
    }
    if (passed > 0) {
        volume_warn(
            "'%s': %zu images that are no PNG are passed over ('%s', ...)", folder, passed, other);
    }
    qsort(out->at, out->count, sizeof *out->at, by_name);
    return true;
}

static bool probe(const char *path, struct slice_image *out, struct problem *problem)
{
    struct source source;
    const bool ok = source_open(path, &source, problem) && slice_image_probe(&source, out, problem);
    source_close(&source);
    return ok;
}

static bool alike(const struct slice_image *a, const struct slice_image *b)
{
    return a->width == b->width && a->height == b->height && a->bits == b->bits;
}

// Finds what all slices are like from their headers; names the odd one out where they differ. The
// majority (Boyer and Moore's vote) is taken to be right: the odd one may be the first.
static bool probe_all(
    const char *folder, const struct names *names, struct slice_image *out, struct problem *problem)
{
    struct slice_image *images = malloc(names->count * sizeof *images);
    struct slice_image usual = { 0 };
    size_t votes = 0;
    bool ok = images != NULL;
    if (!ok) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory listing '%s'", folder);
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = probe(names->at[i], &images[i], problem);
        if (ok && votes == 0) {
            usual = images[i];
        }
        votes = ok && alike(&usual, &images[i]) ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        if (!alike(&usual, &images[i])) {
            ok = problem_set(
                problem, PROBLEM_INPUT,
                "'%s' is %ux%u with %u bits, the other slices are %ux%u with %u bits; all must be "
                "equal",
                names->at[i], images[i].width, images[i].height, images[i].bits, usual.width,
                usual.height, usual.bits);
        }
    }
    free(images);
    *out = usual;
    return ok;
}

// Warns of, or refuses, params that images do not take.
static bool check_params(
    const char *path, const struct volume_params *params, const uint64_t dim[3],
    enum volume_type type, struct problem *problem)
{
    if (params->has_type && params->type != type) {
        volume_warn(
            "'%s' holds %s samples; type %s was given and is ignored", path, volume_type_name(type),
            volume_type_name(params->type));
    }
    if (params->offset > 0 || params->order != BYTE_ORDER_UNSAID) {
        volume_warn("'%s' is made of images: offset and byte order are ignored", path);
    }
    const bool told = params->dim[0] || params->dim[1] || params->dim[2];
    if (told &&
        (params->dim[0] != dim[0] || params->dim[1] != dim[1] || params->dim[2] != dim[2])) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' makes %" PRIu64 "x%" PRIu64 "x%" PRIu64
            " samples, but dims %ux%ux%u were given; leave --dims out",
            path, dim[0], dim[1], dim[2], params->dim[0], params->dim[1], params->dim[2]);
    }
    return true;
}

static bool make_volume(
    const char *path, const struct volume_params *params, const uint64_t dim[3], uint32_t bits,
    struct volume *out, struct problem *problem)
{
    const enum volume_type type = bits == 16 ? VOLUME_UINT16 : VOLUME_UINT8;
    char what[300];
    uint64_t bytes;
    snprintf(what, sizeof what, "'%s'", path);
    if (!size_check(what, dim, volume_type_size(type), params->max_bytes, &bytes, problem) ||
        !check_params(path, params, dim, type, problem)) {
        return false;
    }
    const uint32_t narrow[3] = { (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)dim[2] };
    return volume_create(narrow, type, out, problem) && spacing_apply(params, out, problem);
}

static char *slice_of(const struct volume *volume, uint64_t z)
{
    const size_t size = volume_type_size(volume->type);
    return (char *)volume->samples + z * volume->dim[0] * volume->dim[1] * size;
}

static bool read_slice(
    const char *path, const struct volume_params *params, uint64_t z, struct volume *volume,
    struct problem *problem)
{
    struct source source;
    struct slice_image image = { 0 };
    const uint32_t *dim = volume->dim;
    bool ok = source_open(path, &source, problem) &&
              slice_image_read(&source, params->max_bytes, &image, problem);
    if (ok && (image.width != dim[0] || image.height != dim[1] ||
               image.bits != 8 * volume_type_size(volume->type))) {
        ok = problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", path);
    }
    ok = ok && image_copy_grey(&image, path, 0, 0, dim[0], dim[1], slice_of(volume, z), problem);
    slice_image_destroy(&image);
    source_close(&source);
    return ok;
}

bool slices_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    struct names names = { 0 };
    struct slice_image usual;
    *out = (struct volume){ 0 };
    bool ok = list_slices(path, &names, problem) && probe_all(path, &names, &usual, problem);
    if (ok) {
        const uint64_t dim[3] = { usual.width, usual.height, names.count };
        ok = make_volume(path, params, dim, usual.bits, out, problem);
    }
    for (size_t i = 0; ok && i < names.count; i++) {
        ok = progress_report(params->progress, path, i, names.count, problem) &&
             read_slice(names.at[i], params, i, out, problem);
    }
    ok = ok && progress_report(params->progress, path, names.count, names.count, problem);
    names_free(&names);
    if (!ok) {
        volume_destroy(out);
    }
    return ok;
}

bool atlas_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    const char *path = source->path;
    const uint32_t cols = params->atlas[0];
    const uint32_t rows = params->atlas[1];
    struct slice_image image;
    *out = (struct volume){ 0 };
    if (!slice_image_probe(source, &image, problem)) {
        return false;
    }
    if (cols == 0 || rows == 0 || image.width % cols != 0 || image.height % rows != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %ux%u pixels, which %ux%u tiles do not divide; check --atlas COLSxROWS", path,
            image.width, image.height, cols, rows);
    }
    const uint64_t tiles = (uint64_t)cols * rows;
    const uint64_t slices = params->slices ? params->slices : tiles;
    if (slices > tiles) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %ux%u = %" PRIu64 " tiles, too few for %" PRIu64 " slices", path, cols, rows,
            tiles, slices);
    }
    const uint64_t dim[3] = { image.width / cols, image.height / rows, slices };
    if (!make_volume(path, params, dim, image.bits, out, problem)) {
        return false;
    }
    bool ok = progress_report(params->progress, path, 0, slices, problem) &&
              slice_image_read(source, params->max_bytes, &image, problem);
    if (!ok) {
        volume_destroy(out);
        return false;
    }
    if (image.width / cols != dim[0] || image.height / rows != dim[1] ||
        image.bits != 8 * volume_type_size(out->type)) {
        ok = problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", path);
    }
    for (uint32_t z = 0; ok && z < slices; z++) {
        const uint32_t x = z % cols * out->dim[0];
        const uint32_t y = z / cols * out->dim[1];
        ok = image_copy_grey(
                 &image, path, x, y, out->dim[0], out->dim[1], slice_of(out, z), problem) &&
             progress_report(params->progress, path, z + 1, slices, problem);
    }
    slice_image_destroy(&image);
    if (!ok) {
        volume_destroy(out);
    }
    return ok;
}
