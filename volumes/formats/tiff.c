// TIFF: the pages of one file are the slices (tiff_pages). The first page's description says what
// the pages are (tiff_description), and may spread them over files (tiff_set). ImageJ writes stacks
// of more than 4 GiB as one page followed by bare samples. The pages are found once, when the file
// is opened; each is a chunk then (chunks).
#include "volumes/formats/tiff.h"
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/chunks.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool tiff_matches(const struct file_head *head)
{
    return !head->gzip &&
           (file_head_has(head, 0, "II\x2a\0", 4) || file_head_has(head, 0, "MM\0\x2a", 4) ||
            file_head_has(head, 0, "II\x2b\0", 4) || file_head_has(head, 0, "MM\0\x2b", 4));
}

#ifndef CUBIST_TIFF

bool tiff_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    (void)params, (void)out;
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is a TIFF image, and this cubist was built without libtiff; convert it to a folder "
        "of PNG slices (ImageMagick: convert FILE slices/%%04d.png)",
        source->path);
}

bool tiff_slice_probe(struct source *source, struct slice_shape *out, struct problem *problem)
{
    *out = (struct slice_shape){ 0 };
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' is a TIFF image, and this cubist was built without libtiff; convert the slices to "
        "PNG (ImageMagick: mogrify -format png *.tif)",
        source->path);
}

bool tiff_slice_read(
    struct source *source, const struct slice_shape *expected, void *samples,
    struct problem *problem)
{
    struct slice_shape slice;
    (void)expected, (void)samples;
    return tiff_slice_probe(source, &slice, problem);
}

#else

#include "volumes/formats/tiff_set.h"

static bool tiff_stack_unchanged(const void *state, struct problem *problem)
{
    const struct tiff_stack *stack = state;
    return stack->files.count > 0 ? source_files_unchanged(&stack->files, problem)
                                  : source_unchanged(&stack->source, &stack->source.stamp, problem);
}

static void tiff_stack_close(void *state)
{
    struct tiff_stack *stack = state;
    tiff_end(&stack->tiff, true, NULL);
    source_close(&stack->source);
    source_files_free(&stack->files);
    free(stack->index.places);
    free(stack);
}

static uint64_t tiff_bare_at(const struct tiff_stack *stack, uint64_t slice)
{
    return stack->page.plain_at +
           (stack->slices.first + slice * stack->slices.step) * tiff_page_bytes(&stack->page);
}

static bool
tiff_bare_read(struct tiff_stack *stack, uint64_t slice, void *out, struct problem *problem)
{
    const uint64_t size = tiff_page_bytes(&stack->page);
    if (source_peek_at(&stack->source, tiff_bare_at(stack, slice), out, size) != size) {
        return tiff_failed(&stack->tiff, " ends before its last slice", problem);
    }
    samples_to_host(
        TIFFIsBigEndian(stack->tiff.handle) ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE, out,
        size / volume_type_size(stack->page.type), volume_type_size(stack->page.type));
    return true;
}

// Reads a slice into host order.
static bool tiff_stack_read(void *state, const uint64_t at[3], void *out, struct problem *problem)
{
    struct tiff_stack *stack = state;
    struct tiff *tiff = &stack->tiff;
    const struct tiff_place *place =
        stack->index.places + (stack->bare ? 0 : stack->slices.first + at[2] * stack->slices.step);
    if (!tiff_stack_turn(stack, place, problem)) {
        return false;
    }
    if (stack->bare) {
        return tiff_bare_read(stack, at[2], out, problem);
    }
    const unsigned number = place->number;
    struct tiff_page again;
    tiff->starved = false;
    tiff->error[0] = 0;
    const bool ok =
        (TIFFSetSubDirectory(tiff->handle, place->offset) || tiff_broken(tiff, number, problem)) &&
        tiff_probe_page(tiff, number, &again, problem) &&
        (tiff_pages_alike(&again, &stack->page) || tiff_broken(tiff, number, problem)) &&
        tiff_read_page(tiff, number, &again, out, problem) && source_sound(&stack->source, problem);
    return tiff->cancelled.kind ? tiff_end(tiff, false, problem) : ok;
}

// Finds the pages, and which of them are the slices.
static bool tiff_stack_probe(
    struct tiff_stack *stack, const struct volume_params *params, struct contents *contents,
    struct problem *problem)
{
    struct tiff *tiff = &stack->tiff;
    const char *path = stack->source.path;
    struct tiff_page *page = &stack->page;
    const struct tiff_description *said = &tiff->description;
    stack->said = *said;
    if (tiff_read_spacing(tiff, stack->spacing)) { // from the first page
        strcpy(contents->unit, said->unit_of_x);
    }
    if (!tiff_probe_pages(tiff, page, &stack->index, problem)) {
        return false;
    }
    const uint32_t pages = stack->index.count;
    stack->bare =
        pages == 1 && page->plain_at > 0 && said->images > 1 && said->images <= TIFF_MOST_PAGES;
    const uint32_t images = stack->bare ? said->images : pages;
    if (!tiff_describe_slices(
            said, path, images, &params->pick, contents, &stack->slices, problem)) {
        return false;
    }
    if (images == 1) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is a TIFF image of one page; a volume is a file of several, or a folder of "
            "slices",
            path);
    }
    const uint64_t end = tiff_bare_at(stack, stack->slices.count - 1) + tiff_page_bytes(page);
    if (stack->bare && end > tiff->source->size && !params->describe) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %" PRIu64 " bytes, but the %u slices that ImageJ describes end at byte "
            "%" PRIu64 "; the file is cut short",
            path, tiff->source->size, stack->slices.count, end);
    }
    return source_sound(tiff->source, problem);
}

static void tiff_stack_tell(const struct tiff_stack *stack, const struct pick *pick)
{
    const struct tiff_description *said = &stack->said;
    const char *path = stack->path;
    const uint32_t channels = said->channels + !said->channels;
    const uint32_t frames = said->frames + !said->frames;
    if (stack->page.white_is_zero) {
        log_warn("'%s': white is 0 in this image; samples are taken as stored", path);
    }
    if (stack->page.recoloured) {
        log_note("'%s': the samples are the greys of its palette, not the numbers stored", path);
    }
    if (channels * (uint64_t)frames > 1 && (frames == 1 || !contents_asked(pick, CONTENTS_TIME)) &&
        (channels == 1 || !contents_asked(pick, CONTENTS_CHANNEL))) {
        log_warn(
            "'%s' has %u channels and %u time steps; the first of each is read, --channel N and "
            "--time N read others",
            path, channels, frames);
    }
    if (said->odd_units[0]) {
        log_warn(
            "'%s': %s, which cannot be compared; the spacing is taken as stated (set it with "
            "--spacing)",
            path, said->odd_units);
    }
}

bool tiff_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct tiff_stack *stack = calloc(1, sizeof *stack);
    if (!stack) {
        return problem_no_memory(problem, "reading", source->path);
    }
    stack->path = source->path;
    stack->source = source_take(source);
    const struct tiff_description *said = &stack->tiff.description;
    const bool ok = tiff_begin(&stack->source, &stack->tiff, problem) &&
                    (said->spread || said->metadata[0] ? tiff_set_probe : tiff_stack_probe)(
                        stack, params, &out->contents, problem);
    if (!ok || stack->tiff.cancelled.kind) {
        tiff_end(&stack->tiff, ok, problem);
        tiff_stack_close(stack);
        return false;
    }
    const struct tiff_page *page = &stack->page;
    const struct chunks chunks = {
        .path = stack->path,
        .format = { .type = page->type, .order = BYTE_ORDER_HOST },
        .dim = { page->width, page->height, stack->slices.count },
        .chunk = { page->width, page->height, 1 },
        .read = tiff_stack_read,
        .unchanged = tiff_stack_unchanged,
        .close = tiff_stack_close,
        .user = stack,
    };
    if (!chunks_open(&chunks, params, out, problem) ||
        !affine_set_spacing(&out->volume, stack->spacing, chunks.path, problem)) {
        return false;
    }
    tiff_stack_tell(stack, &params->pick);
    return true;
}

bool tiff_slice_probe(struct source *source, struct slice_shape *out, struct problem *problem)
{
    struct tiff tiff;
    struct tiff_page page = { 0 };
    struct tiff_index index = { 0 };
    bool ok = tiff_begin(source, &tiff, problem) && tiff_probe_pages(&tiff, &page, &index, problem);
    ok = tiff_end(&tiff, ok, problem);
    free(index.places);
    if (ok && index.count > 1) {
        ok = problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %u pages; a folder of slices has one in each file (open the file itself)",
            source->path, index.count);
    }
    *out = (struct slice_shape){ page.width, page.height, page.type, page.white_is_zero,
                                 page.recoloured };
    return ok;
}

bool tiff_slice_read(
    struct source *source, const struct slice_shape *expected, void *samples,
    struct problem *problem)
{
    struct tiff tiff;
    struct tiff_page page = { 0 };
    const bool ok =
        tiff_begin(source, &tiff, problem) && tiff_probe_page(&tiff, 0, &page, problem) &&
        ((page.width == expected->width && page.height == expected->height &&
          page.type == expected->type) ||
         problem_set(problem, PROBLEM_INPUT, "'%s' changed while it was read", source->path)) &&
        tiff_read_page(&tiff, 0, &page, samples, problem);
    return tiff_end(&tiff, ok, problem);
}

#endif
