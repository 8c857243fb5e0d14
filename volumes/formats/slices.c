#include "volumes/base/input.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/chunks.h"
#include "volumes/formats/folder.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"
#include "volumes/formats/slice_image.h"
#include "volumes/formats/slice_names.h"
#include "volumes/formats/tiff.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slice_list {
    char **at;
    size_t count, capacity;
    bool tiff;                // true: TIFF files; false: PNG files
    size_t passed;            // number of images in the folder that have another format
    char other[256];          // the name of one such image
    size_t pictures;          // number of PNG images that cubist drew; they are ignored
    char picture[256];        // the name of one such picture
    size_t white, recoloured; // number of slices where white is 0, or that a palette changes
};

static void slice_list_free(struct slice_list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->at[i]);
    }
    free(names->at);
    *names = (struct slice_list){ 0 };
}

// Orders "slice2" before "slice10": runs of digits compare by their value. Names that are equal by
// value (2 and 02) compare by their bytes, so that the folder's order never matters.
static int slice_list_natural_order(const char *a, const char *b)
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

static int slice_list_by_name(const void *a, const void *b)
{
    return slice_list_natural_order(*(char *const *)a, *(char *const *)b);
}

static bool slice_list_add(
    struct slice_list *names, const char *folder, const char *name, struct problem *problem)
{
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity ? 2 * names->capacity : 256;
        char **at = realloc(names->at, capacity * sizeof *at);
        if (!at) {
            goto fail;
        }
        names->at = at;
        names->capacity = capacity;
    }
    const size_t length = strlen(folder);
    const bool slash = length > 0 && folder[length - 1] == '/';
    if (asprintf(&names->at[names->count], "%s%s%s", folder, slash ? "" : "/", name) >= 0) {
        names->count++;
        return true;
    }
fail:
    return problem_no_memory(problem, "listing", folder);
}

// The paths of the PNG files (or of the TIFF files) in a folder, in natural order. Hidden files and
// pictures that cubist drew are skipped.
static bool
slice_list_fill(const char *folder, bool tiff, struct slice_list *out, struct problem *problem)
{
    static const char others[] =
        ".png .tif .tiff .jpg .jpeg .bmp .gif .tga .pgm .ppm .dcm .dicom .jp2";
    *out = (struct slice_list){ .tiff = tiff };
    DIR *dir = opendir(folder);
    if (!dir) {
        return problem_set(
            problem, errno == ENOMEM ? PROBLEM_HOST_MEMORY : PROBLEM_INPUT,
            "cannot open the folder '%s': %s", folder, strerror(errno));
    }
    bool ok = true;
    errno = 0;
    for (struct dirent *entry; ok && (entry = readdir(dir)); errno = 0) {
        const char *name = entry->d_name;
        if (name[0] == '.') {
            continue;
        }
        if (path_has_extension(name, ".png") && slice_image_is_picture(folder, name)) {
            if (out->pictures == 0 || strcmp(name, out->picture) < 0) {
                snprintf(out->picture, sizeof out->picture, "%s", name);
            }
            out->pictures++;
        } else if (path_has_extension(name, tiff ? ".tif .tiff" : ".png")) {
            ok = slice_list_add(out, folder, name, problem);
        } else if (path_has_extension(name, others)) {
            if (out->passed == 0 || strcmp(name, out->other) < 0) {
                snprintf(out->other, sizeof out->other, "%s", name);
            }
            out->passed++;
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
    if (out->count == 0 && !tiff && out->passed > 0) {
        return slice_list_fill(folder, true, out, problem);
    }
    if (out->count == 0) {
        struct folder beside;
        folder_look(folder, &beside);
        if (beside.volumes > 0) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "the folder '%s' holds volumes, not slices; open one of them, such as '%s'", folder,
                beside.first);
        }
        if (out->pictures > 0) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "the folder '%s' holds no slices: cubist drew its PNG images ('%s', ...)", folder,
                out->picture);
        }
        return problem_set(
            problem, PROBLEM_INPUT,
            "the folder '%s' holds no volume, and no PNG or TIFF slices%s%s%s", folder,
            out->passed ? "; convert its images ('" : "", out->other,
            out->passed ? "', ...) to PNG" : "");
    }
    qsort(out->at, out->count, sizeof *out->at, slice_list_by_name);
    return true;
}

static enum volume_type slices_type_of_bits(uint32_t bits)
{
    return bits == 16 ? VOLUME_UINT16 : VOLUME_UINT8;
}

static bool
slices_probe(const char *path, bool tiff, struct slice_shape *out, struct problem *problem)
{
    struct source source;
    struct slice_image image = { 0 };
    const bool ok = source_open(path, &source, problem) &&
                    (tiff ? tiff_slice_probe(&source, out, problem)
                          : slice_image_probe(&source, &image, problem)) &&
                    source_sound(&source, problem);
    source_close(&source);
    if (!tiff) {
        *out = (struct slice_shape){ image.width, image.height, slices_type_of_bits(image.bits) };
    }
    return ok;
}

static bool slices_alike(const struct slice_shape *a, const struct slice_shape *b)
{
    return a->width == b->width && a->height == b->height && a->type == b->type;
}

// Reads the headers of all slices and finds the shape of the majority (Boyer and Moore's vote). A
// slice that differs, which may be the first, is PROBLEM_INPUT and is named.
static bool slices_probe_all(
    const char *folder, struct slice_list *names, struct slice_shape *out, struct problem *problem)
{
    struct slice_shape *images = malloc(names->count * sizeof *images);
    struct slice_shape usual = { 0 };
    size_t votes = 0;
    bool ok = images != NULL;
    if (!ok) {
        problem_no_memory(problem, "listing", folder);
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = input_go_on(folder, problem) &&
             slices_probe(names->at[i], names->tiff, &images[i], problem);
        if (ok && votes == 0) {
            usual = images[i];
        }
        votes = ok && slices_alike(&usual, &images[i]) ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        names->white += images[i].white_is_zero;
        names->recoloured += images[i].recoloured;
        if (!slices_alike(&usual, &images[i])) {
            ok = problem_set(
                problem, PROBLEM_INPUT,
                "'%s' is %ux%u %s, the other slices are %ux%u %s; all must be equal", names->at[i],
                images[i].width, images[i].height, volume_type_name(images[i].type), usual.width,
                usual.height, volume_type_name(usual.type));
        }
    }
    free(images);
    *out = usual;
    return ok;
}

// PROBLEM_INPUT where params->dim are not the images' dims.
static bool slices_check_params(
    const char *path, const struct volume_params *params, const uint64_t dim[3],
    struct problem *problem)
{
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

// Warns of params that are ignored for images.
static void
slices_warn_params(const char *path, const struct volume_params *params, enum volume_type type)
{
    if (params->has_type && params->type != type) {
        log_warn(
            "'%s' holds %s samples; type %s was given and is ignored", path, volume_type_name(type),
            volume_type_name(params->type));
    }
    if (params->offset > 0 || params->order != BYTE_ORDER_UNSAID) {
        log_warn("'%s' is made of images: offset and byte order are ignored", path);
    }
}

static void slices_warn_folder(const char *path, const struct slice_list *names)
{
    if (names->passed > 0) {
        log_warn(
            "'%s': %zu images that are not %s are ignored ('%s', ...)", path, names->passed,
            names->tiff ? "TIFF" : "PNG", names->other);
    }
    if (names->pictures > 0) {
        log_note(
            "'%s': %zu PNG image%s that cubist drew %s no slice ('%s'%s)", path, names->pictures,
            names->pictures > 1 ? "s" : "", names->pictures > 1 ? "are" : "is", names->picture,
            names->pictures > 1 ? ", ..." : "");
    }
    if (names->white > 0) {
        log_warn(
            "'%s': white is 0 in %zu of %zu images; samples are taken as stored", path,
            names->white, names->count);
    }
    if (names->recoloured > 0) {
        log_note(
            "'%s': the samples of %zu of %zu images are the greys of a palette, not the numbers "
            "stored",
            path, names->recoloured, names->count);
    }
}

// Describes the volume that the slices form.
static bool slices_describe(
    const char *path, const struct volume_params *params, const uint64_t dim[3],
    enum volume_type type, struct volume *out, struct problem *problem)
{
    const struct sample_format format = { .type = type };
    return samples_describe(path, dim, &format, params->max_bytes, out, problem) &&
           slices_check_params(path, params, dim, problem);
}

// A folder of slices that are read one by one.
struct slice_stack {
    char *path;
    struct slice_list names;
    struct slice_shape usual;
    uint64_t max_bytes;          // limit of the memory for decoding a slice
    struct source_stamp *stamps; // stamps of the slices when the folder was opened
    void *page;                  // TIFF: a slice in the form of the file
    bool warned_overflow;
};

static void slices_close(void *state)
{
    struct slice_stack *stack = state;
    slice_list_free(&stack->names);
    free(stack->page);
    free(stack->stamps);
    free(stack->path);
    free(stack);
}

static bool slices_read_png_slice(
    const struct slice_stack *stack, uint32_t z, struct samples *samples, struct problem *problem)
{
    const struct slice_shape *usual = &stack->usual;
    const size_t count = (size_t)usual->width * usual->height;
    const size_t size = volume_type_size(usual->type);
    const char *path = stack->names.at[z];
    struct source source;
    struct slice_image image = { 0 };
    bool ok = source_open(path, &source, problem) &&
              slice_image_read(&source, stack->max_bytes, &image, problem);
    if (ok &&
        (image.width != usual->width || image.height != usual->height || image.bits != 8 * size)) {
        ok = problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", path);
    }
    char *to = (char *)samples->to + samples->done * size;
    ok = ok && image_copy_grey(&image, path, 0, 0, usual->width, usual->height, to, problem) &&
         samples_put(samples, to, count, problem);
    slice_image_destroy(&image);
    source_close(&source);
    return ok;
}

static bool slices_read_tiff_slice(
    const struct slice_stack *stack, uint32_t z, struct samples *samples, struct problem *problem)
{
    const struct slice_shape *usual = &stack->usual;
    struct source source;
    const bool ok =
        source_open(stack->names.at[z], &source, problem) &&
        tiff_slice_read(&source, usual, stack->page, problem) && source_sound(&source, problem) &&
        samples_put(samples, stack->page, (size_t)usual->width * usual->height, problem);
    source_close(&source);
    return ok;
}

static bool slices_read(
    void *state, uint32_t z, uint32_t count, void *to, const struct progress *progress,
    struct problem *problem)
{
    struct slice_stack *stack = state;
    struct samples samples = {
        .path = stack->path,
        .format = { .type = stack->usual.type, .order = BYTE_ORDER_HOST },
        .to = to,
        .count = (uint64_t)stack->usual.width * stack->usual.height * count,
    };
    for (uint32_t i = 0; i < count; i++) {
        if (!(stack->names.tiff ? slices_read_tiff_slice
                                : slices_read_png_slice)(stack, z + i, &samples, problem) ||
            !source_unchanged_at(stack->names.at[z + i], &stack->stamps[z + i], problem) ||
            !progress_report(progress, stack->path, i + 1, count, problem)) {
            return false;
        }
    }
    if (samples.overflows > 0 && !stack->warned_overflow) {
        samples_end(&samples);
        stack->warned_overflow = true;
    }
    return true;
}

static bool slices_unchanged(const void *state, struct problem *problem)
{
    const struct slice_stack *stack = state;
    for (size_t z = 0; z < stack->names.count; z++) {
        if (!input_go_on(stack->path, problem) ||
            !source_unchanged_at(stack->names.at[z], &stack->stamps[z], problem)) {
            return false;
        }
    }
    return true;
}

static const struct slice_reader stack_slices = {
    .read = slices_read,
    .unchanged = slices_unchanged,
    .close = slices_close,
};

// Allocates what reading needs and notes each slice's stamp. The slices' shape is known already.
static bool slices_prepare(struct slice_stack *stack, struct problem *problem)
{
    const struct slice_shape *usual = &stack->usual;
    stack->stamps = calloc(stack->names.count, sizeof *stack->stamps);
    if (stack->names.tiff) {
        stack->page = malloc((size_t)usual->width * usual->height * volume_type_size(usual->type));
    }
    if (!stack->stamps || (stack->names.tiff && !stack->page)) {
        return problem_no_memory(problem, "reading", stack->path);
    }
    for (size_t z = 0; z < stack->names.count; z++) {
        if (!input_go_on(stack->path, problem)) {
            return false;
        }
        stack->stamps[z] = source_stamp_at(stack->names.at[z]);
    }
    return true;
}

bool slices_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct slice_stack *stack = calloc(1, sizeof *stack);
    if (!stack || !(stack->path = strdup(path))) {
        free(stack);
        return problem_no_memory(problem, "reading", path);
    }
    out->reader = &stack_slices;
    out->state = stack;
    out->seekable = true;
    // The volume may have any size, because it is read by ranges. Its slices are limited.
    stack->max_bytes = params->max_bytes < INT64_MAX ? params->max_bytes : 0;
    struct slice_list *names = &stack->names;
    if (!slice_list_fill(path, false, names, problem) ||
        !slices_probe_all(path, names, &stack->usual, problem)) {
        return false;
    }
    const uint64_t dim[3] = { stack->usual.width, stack->usual.height, names->count };
    if (!slices_describe(path, params, dim, stack->usual.type, &out->volume, problem) ||
        !slices_prepare(stack, problem)) {
        return false;
    }
    slices_warn_params(path, params, stack->usual.type);
    slices_warn_folder(path, names);
    slice_names_warn(path, names->at, names->count);
    return true;
}

// One image that holds all slices as tiles.
struct tiles_image {
    struct source source;
    uint32_t cols, rows;
    uint32_t dim[3];
    enum volume_type type;
    uint64_t max_bytes; // limit of the memory for decoding
};

static void slices_close_tiles(void *user)
{
    struct tiles_image *tiled = user;
    source_close(&tiled->source);
    free(tiled);
}

static bool slices_tiles_unchanged(const void *user, struct problem *problem)
{
    const struct tiles_image *tiled = user;
    return source_unchanged(&tiled->source, &tiled->source.stamp, problem);
}

static bool slices_read_tiles(void *user, const uint64_t at[3], void *out, struct problem *problem)
{
    struct tiles_image *tiled = user;
    const uint32_t *dim = tiled->dim;
    const size_t size = volume_type_size(tiled->type);
    const char *path = tiled->source.path;
    struct slice_image image;
    (void)at;
    source_seek(&tiled->source, 0);
    if (!slice_image_read(&tiled->source, tiled->max_bytes, &image, problem)) {
        return false;
    }
    bool ok = (image.width / tiled->cols == dim[0] && image.height / tiled->rows == dim[1] &&
               image.bits == 8 * size) ||
              problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", path);
    for (uint32_t z = 0; ok && z < dim[2]; z++) {
        const uint32_t x = z % tiled->cols * dim[0];
        const uint32_t y = z / tiled->cols * dim[1];
        char *to = (char *)out + (uint64_t)z * dim[0] * dim[1] * size;
        ok = input_go_on(path, problem) &&
             image_copy_grey(&image, path, x, y, dim[0], dim[1], to, problem);
    }
    slice_image_destroy(&image);
    return ok && source_sound(&tiled->source, problem);
}

bool tiles_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    const char *path = source->path;
    const uint32_t cols = params->atlas[0];
    const uint32_t rows = params->atlas[1];
    struct slice_image image;
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
    const enum volume_type type = slices_type_of_bits(image.bits);
    struct tiles_image *tiled = malloc(sizeof *tiled);
    if (!tiled) {
        return problem_no_memory(problem, "reading", path);
    }
    *tiled = (struct tiles_image){
        .source = source_take(source),
        .cols = cols,
        .rows = rows,
        .dim = { (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)slices },
        .type = type,
        .max_bytes = params->max_bytes < INT64_MAX ? params->max_bytes : 0,
    };
    const struct chunks chunks = {
        .path = path,
        .format = { .type = type, .order = BYTE_ORDER_HOST },
        .dim = { dim[0], dim[1], dim[2] },
        .chunk = { dim[0], dim[1], dim[2] },
        .read = slices_read_tiles,
        .unchanged = slices_tiles_unchanged,
        .close = slices_close_tiles,
        .user = tiled,
    };
    if (!chunks_open(&chunks, params, out, problem) ||
        !slices_check_params(path, params, dim, problem)) {
        return false;
    }
    slices_warn_params(path, params, type);
    return true;
}
