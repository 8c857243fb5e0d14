#include "volumes/base/input.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"
#include "volumes/formats/slice_image.h"
#include "volumes/formats/slice_names.h"
#include "volumes/formats/tiff.h"
#include "volumes/formats/volume_file.h"

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
    bool tiff;       // else PNG
    size_t passed;   // images of the folder that are of another format
    char other[256]; // the name of one of them
};

// What one slice is like.
struct slice {
    uint32_t width, height;
    enum volume_type type;
    bool white_is_zero;
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
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory listing '%s'", folder);
}

// The paths of the PNG files in a folder (or of the TIFF files), in natural order. Hidden files are
// passed over.
static bool list_kind(const char *folder, bool tiff, struct names *out, struct problem *problem)
{
    static const char *const kinds[2][3] = { { ".png", NULL }, { ".tif", ".tiff", NULL } };
    static const char *const others[] = { ".png", ".tif", ".tiff", ".jpg", ".jpeg",  ".bmp", ".gif",
                                          ".tga", ".pgm", ".ppm",  ".dcm", ".dicom", ".jp2", NULL };
    *out = (struct names){ .tiff = tiff };
    DIR *dir = opendir(folder);
    if (!dir) {
        return problem_set(
            problem, errno == ENOMEM ? PROBLEM_HOST_MEMORY : PROBLEM_INPUT,
            "cannot open the folder '%s': %s", folder, strerror(errno));
    }
    bool ok = true;
    errno = 0;
    for (struct dirent *entry; ok && (entry = readdir(dir)); errno = 0) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (ends_in(entry->d_name, kinds[tiff])) {
            ok = add_path(out, folder, entry->d_name, problem);
        } else if (ends_in(entry->d_name, others)) {
            if (out->passed == 0 || strcmp(entry->d_name, out->other) < 0) {
                snprintf(out->other, sizeof out->other, "%s", entry->d_name);
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
        return list_kind(folder, true, out, problem);
    }
    if (out->count == 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "the folder '%s' holds no PNG or TIFF slices%s%s%s", folder,
            out->passed ? "; convert its images ('" : "", out->other,
            out->passed ? "', ...) to PNG" : "");
    }
    qsort(out->at, out->count, sizeof *out->at, by_name);
    return true;
}

static enum volume_type type_of_bits(uint32_t bits)
{
    return bits == 16 ? VOLUME_UINT16 : VOLUME_UINT8;
}

static bool probe(const char *path, bool tiff, struct slice *out, struct problem *problem)
{
    struct source source;
    struct slice_image image = { 0 };
    struct tiff_slice page = { 0 };
    const bool ok = source_open(path, &source, problem) &&
                    (tiff ? tiff_slice_probe(&source, &page, problem)
                          : slice_image_probe(&source, &image, problem)) &&
                    source_sound(&source, problem);
    source_close(&source);
    *out = tiff ? (struct slice){ page.width, page.height, page.type, page.white_is_zero }
                : (struct slice){ image.width, image.height, type_of_bits(image.bits), false };
    return ok;
}

static bool alike(const struct slice *a, const struct slice *b)
{
    return a->width == b->width && a->height == b->height && a->type == b->type;
}

// Finds what all slices are like from their headers; names the odd one out where they differ. The
// majority (Boyer and Moore's vote) is taken to be right: the odd one may be the first.
static bool probe_all(
    const char *folder, const struct names *names, struct slice *out, size_t *white,
    struct problem *problem)
{
    struct slice *images = malloc(names->count * sizeof *images);
    struct slice usual = { 0 };
    size_t votes = 0;
    bool ok = images != NULL;
    *white = 0;
    if (!ok) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory listing '%s'", folder);
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = input_go_on(folder, problem) && probe(names->at[i], names->tiff, &images[i], problem);
        if (ok && votes == 0) {
            usual = images[i];
        }
        votes = ok && alike(&usual, &images[i]) ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        *white += images[i].white_is_zero;
        if (!alike(&usual, &images[i])) {
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

// Refuses params that images do not fit.
static bool check_params(
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

// Warns of params that images do not take. Like all warnings here, once nothing can be refused any
// more.
static void warn_params(const char *path, const struct volume_params *params, enum volume_type type)
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

static void warn_folder(const char *path, const struct names *names, size_t white)
{
    if (names->passed > 0) {
        log_warn(
            "'%s': %zu images that are no %s are passed over ('%s', ...)", path, names->passed,
            names->tiff ? "TIFF" : "PNG", names->other);
    }
    if (white > 0) {
        log_warn(
            "'%s': white is 0 in %zu of %zu images; samples are taken as stored", path, white,
            names->count);
    }
}

static bool make_volume(
    const char *path, const struct volume_params *params, const uint64_t dim[3],
    enum volume_type type, struct volume *out, struct problem *problem)
{
    const size_t kept = type == VOLUME_FLOAT64 ? 4 : volume_type_size(type);
    char what[300];
    uint64_t bytes;
    snprintf(what, sizeof what, "'%s'", path);
    if (!size_check(what, dim, kept, params->max_bytes, &bytes, problem) ||
        !check_params(path, params, dim, problem)) {
        return false;
    }
    const uint32_t narrow[3] = { (uint32_t)dim[0], (uint32_t)dim[1], (uint32_t)dim[2] };
    if (params->file) {
        volume_describe(narrow, type, out);
    } else if (!volume_create(narrow, type, out, problem)) {
        return false;
    }
    return spacing_apply(params, out, problem);
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

// `page`: room for a slice as the file has it.
static bool read_tiff_slice(
    const char *path, const struct slice *slice, void *page, struct samples *samples,
    struct problem *problem)
{
    struct source source;
    const struct tiff_slice expected = { slice->width, slice->height, slice->type };
    const bool ok = source_open(path, &source, problem) &&
                    tiff_slice_read(&source, &expected, page, problem) &&
                    source_sound(&source, problem) &&
                    samples_put(samples, page, (size_t)slice->width * slice->height, problem);
    source_close(&source);
    return ok;
}

// A folder of slices that are read one by one.
struct slice_stack {
    char *path;
    struct names names;
    struct slice usual;
    struct volume described;
    uint64_t max_bytes;
    struct source_stamp *stamps; // of each slice, when the folder was opened
    void *page;                  // TIFF: a slice as the file has it
};

void slice_stack_close(struct slice_stack *stack)
{
    if (stack) {
        names_free(&stack->names);
        free(stack->page);
        free(stack->stamps);
        free(stack->path);
        free(stack);
    }
}

static struct samples samples_of(const char *path, const struct slice *slice, void *to)
{
    const bool big_host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return (struct samples){
        .path = path,
        .format = { .type = slice->type, .order = big_host ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE },
        .to = to,
        .count = (uint64_t)slice->width * slice->height,
    };
}

static bool read_from(struct slice_stack *stack, uint32_t z, void *out, struct problem *problem)
{
    const char *path = stack->names.at[z];
    if (stack->names.tiff) {
        struct samples samples = samples_of(stack->path, &stack->usual, out);
        return read_tiff_slice(path, &stack->usual, stack->page, &samples, problem);
    }
    const struct volume_params params = { .max_bytes = stack->max_bytes };
    struct volume slice = stack->described;
    slice.samples = out;
    return read_slice(path, &params, 0, &slice, problem);
}

bool slice_stack_read(struct slice_stack *stack, uint32_t z, void *out, struct problem *problem)
{
    return read_from(stack, z, out, problem) &&
           source_unchanged_at(stack->names.at[z], &stack->stamps[z], problem);
}

bool slice_stack_unchanged(const struct slice_stack *stack, struct problem *problem)
{
    for (uint32_t z = 0; z < stack->described.dim[2]; z++) {
        if (!input_go_on(stack->path, problem) ||
            !source_unchanged_at(stack->names.at[z], &stack->stamps[z], problem)) {
            return false;
        }
    }
    return true;
}

// Takes the names.
static bool open_stack(
    const char *path, struct names *names, const struct slice *usual,
    const struct volume *described, struct slice_stack **out, struct problem *problem)
{
    const size_t size = volume_type_size(usual->type);
    struct slice_stack *stack = calloc(1, sizeof *stack);
    if (stack) {
        *stack = (struct slice_stack){
            .path = strdup(path),
            .names = *names,
            .usual = *usual,
            .described = *described,
            .stamps = calloc(described->dim[2], sizeof *stack->stamps),
            .page = names->tiff ? malloc((size_t)usual->width * usual->height * size) : NULL,
        };
        *names = (struct names){ 0 };
    }
    if (!stack || !stack->path || !stack->stamps || (stack->names.tiff && !stack->page)) {
        slice_stack_close(stack);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", path);
    }
    for (uint32_t z = 0; z < described->dim[2]; z++) {
        if (!input_go_on(path, problem)) {
            slice_stack_close(stack);
            return false;
        }
        stack->stamps[z] = source_stamp_at(stack->names.at[z]);
    }
    *out = stack;
    return true;
}

static bool read_tiff_slices(
    const char *path, const struct names *names, const struct slice *slice,
    const struct volume_params *params, struct volume *out, struct problem *problem)
{
    struct samples samples = samples_of(path, slice, out->samples);
    samples.count = volume_count(out);
    void *page = malloc((size_t)slice->width * slice->height * volume_type_size(slice->type));
    bool ok = page != NULL;
    if (!ok) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", path);
    }
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = progress_report(params->progress, path, i, names->count, problem) &&
             read_tiff_slice(names->at[i], slice, page, &samples, problem);
    }
    free(page);
    if (ok) {
        samples_end(&samples);
    }
    return ok;
}

static bool read_all(
    const char *path, const struct names *names, const struct slice *usual,
    const struct volume_params *params, struct volume *out, struct problem *problem)
{
    if (names->tiff) {
        return read_tiff_slices(path, names, usual, params, out, problem);
    }
    for (size_t i = 0; i < names->count; i++) {
        if (!progress_report(params->progress, path, i, names->count, problem) ||
            !read_slice(names->at[i], params, i, out, problem)) {
            return false;
        }
    }
    return true;
}

bool slices_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    struct names names = { 0 };
    struct slice usual;
    struct slice_stack *stack = NULL;
    size_t white;
    *out = (struct volume){ 0 };
    bool ok =
        list_kind(path, false, &names, problem) && probe_all(path, &names, &usual, &white, problem);
    if (ok) {
        const uint64_t dim[3] = { usual.width, usual.height, names.count };
        ok = make_volume(path, params, dim, usual.type, out, problem);
    }
    if (params->file) {
        ok = ok && open_stack(path, &names, &usual, out, &stack, problem);
        params->file->stack = stack;
    } else {
        ok = ok && read_all(path, &names, &usual, params, out, problem) &&
             progress_report(params->progress, path, names.count, names.count, problem);
    }
    if (ok) {
        const struct names *all = stack ? &stack->names : &names;
        warn_params(path, params, usual.type);
        warn_folder(path, all, white);
        slice_names_warn(path, all->at, all->count);
    } else {
        volume_destroy(out);
    }
    names_free(&names);
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
    if (params->file) {
        return volume_file_refuse(params->file, path, "all its slices are one image", problem);
    }
    if (!make_volume(path, params, dim, type_of_bits(image.bits), out, problem)) {
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
    if (ok) {
        warn_params(path, params, out->type);
    } else {
        volume_destroy(out);
    }
    return ok;
}
