#ifdef CUBIST_TIFF

#include "volumes/formats/tiff_set.h"
#include "volumes/base/input.h"
#include "volumes/formats/sidecar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Turns to the file of a slice.
bool tiff_stack_turn(
    struct tiff_stack *stack, const struct tiff_place *place, struct problem *problem)
{
    struct tiff *tiff = &stack->tiff;
    if (stack->files.count > 0 && (place->file != stack->file || stack->source.fd < 0)) {
        tiff_end(tiff, true, problem);
        source_close(&stack->source);
        stack->file = place->file;
        if (!source_open(stack->files.paths[place->file], &stack->source, problem) ||
            !source_unchanged(&stack->source, &stack->files.stamps[place->file], problem)) {
            source_close(&stack->source);
            return false;
        }
    }
    if (!tiff->handle && !tiff_begin(&stack->source, tiff, problem)) {
        return tiff_end(tiff, false, problem);
    }
    tiff->description = stack->said;
    return true;
}

// Opens a file that another one names. Unlike other headers, one of an OME set cannot lead out of
// its folder even if a person has named it.
static bool
tiff_set_open(const char *header, const char *name, struct source *out, struct problem *problem)
{
    *out = (struct source){ .fd = -1 };
    return sidecar_is_elsewhere(name)
               ? problem_set(
                     problem, PROBLEM_INPUT,
                     "'%s': the name of its data file, '%s', leads out of its folder", header, name)
               : sidecar_open(header, name, false, out, problem);
}

// The text that says what the pages of an OME set are, for free. stack->source becomes its file.
static char *tiff_set_text(struct tiff_stack *stack, struct problem *problem)
{
    struct tiff *tiff = &stack->tiff;
    char *found = NULL, *text = NULL;
    if (tiff->description.metadata[0]) {
        struct source header;
        char magic[4] = { 0 };
        if (!tiff_set_open(stack->path, tiff->description.metadata, &header, problem)) {
            return NULL;
        }
        tiff_end(tiff, true, problem);
        source_close(&stack->source);
        stack->source = source_take(&header);
        source_peek(&stack->source, magic, sizeof magic);
        if (memcmp(magic, "II", 2) != 0 && memcmp(magic, "MM", 2) != 0) { // XML alone
            const size_t size =
                stack->source.size < (size_t)MOST_ALLOCATED ? stack->source.size : 0;
            if ((text = calloc(size + 1, 1))) {
                source_peek(&stack->source, text, size);
            }
        } else if (!tiff_begin(&stack->source, tiff, problem)) {
            return NULL;
        }
    }
    if (tiff->handle) {
        TIFFGetField(tiff->handle, TIFFTAG_IMAGEDESCRIPTION, &found);
        text = strdup(found ? found : "");
    }
    if (!text) {
        problem_no_memory(problem, "reading", stack->path);
    } else if (!source_sound(&stack->source, problem)) {
        free(text);
        return NULL;
    }
    return text;
}

// PROBLEM_INPUT where the file states another UUID than `header` states for it. Both may be empty.
static bool tiff_set_same(
    const char *header, const char *path, const char *due, size_t length, const char *uuid,
    struct problem *problem)
{
    return length == 0 || !*uuid || (strlen(uuid) == length && memcmp(due, uuid, length) == 0) ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' is not the file that '%s' names: its UUID is '%s', expected '%.*s'", path,
               header, uuid, (int)(length < 64 ? length : 64), due);
}

// The first slice of the volume at or behind the start of a run; UINT64_MAX: it has none.
static uint64_t tiff_set_slice(const struct tiff_pages *want, const struct tiff_run *run)
{
    const uint64_t behind = run->first > want->first ? run->first - want->first : 0;
    const uint64_t z = behind / want->step + (behind % want->step > 0);
    return z < want->count && want->first + z * want->step - run->first < run->count ? z
                                                                                     : UINT64_MAX;
}

// Notes where the slices of the runs are. Their file is open.
static bool tiff_set_place(
    struct tiff_stack *stack, const char *header, const struct tiff_index *index,
    const struct tiff_run *runs, size_t count, struct problem *problem)
{
    const struct tiff_pages *want = &stack->slices;
    for (const struct tiff_run *run = runs; run < runs + count; run++) {
        for (uint64_t z = tiff_set_slice(want, run);
             z < want->count && want->first + z * want->step - run->first < run->count; z++) {
            const uint64_t page = want->first + z * want->step - run->first + run->page;
            if (page >= index->count) {
                return problem_set(
                    problem, PROBLEM_INPUT,
                    "'%s' has %u pages, but by '%s' its page %" PRIu64 " is a slice",
                    stack->source.path, index->count, header, page + 1);
            }
            stack->index.places[z] = index->places[page];
            stack->index.places[z].file = stack->file;
        }
    }
    return true;
}

// Opens the file of the runs, which have one name, as stack->source, and looks at its pages.
static bool tiff_set_probe_file(
    struct tiff_stack *stack, const char *header, const struct tiff_run *runs, size_t count,
    struct problem *problem)
{
    struct tiff *tiff = &stack->tiff;
    const char *path = stack->source.path;
    struct tiff_page page = { 0 };
    struct tiff_index index = { 0 };
    bool ok =
        tiff_begin(&stack->source, tiff, problem) &&
        tiff_set_same(header, path, runs->uuid, runs->uuid_length, tiff->description.uuid, problem);
    tiff->description = stack->said;
    ok = ok && tiff_probe_pages(tiff, &page, &index, problem) &&
         source_sound(&stack->source, problem);
    if (ok && stack->files.count == 0) {
        stack->page = page;
    } else if (ok && !tiff_pages_alike(&page, &stack->page)) {
        ok = problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has pages of %ux%u %s, '%s' of %ux%u %s; all must be equal", path, page.width,
            page.height, volume_type_name(page.type), stack->files.paths[0], stack->page.width,
            stack->page.height, volume_type_name(stack->page.type));
    }
    stack->page.white_is_zero |= page.white_is_zero;
    stack->page.recoloured |= page.recoloured;
    if (ok && !source_files_add(&stack->files, path, &stack->source.stamp)) {
        ok = problem_no_memory(problem, "reading", path);
    }
    for (stack->file = (uint32_t)stack->files.count;
         ok && strcmp(stack->files.paths[--stack->file], path) != 0;) {
    }
    ok = ok && tiff_set_place(stack, header, &index, runs, count, problem);
    free(index.places);
    return ok;
}

// Every file of the set is opened, so that no output replaces it. Only those with slices must be
// there.
static bool tiff_set_add(
    struct tiff_stack *stack, const char *header, const struct tiff_run *runs, size_t count,
    struct problem *problem)
{
    const char *uuid = stack->said.uuid;
    const bool own = runs->name_length == 0 || (*uuid && runs->uuid_length == strlen(uuid) &&
                                                memcmp(runs->uuid, uuid, runs->uuid_length) == 0);
    struct source source;
    struct problem why = { 0 };
    char name[TIFF_NAME_MOST];
    bool needed = false;
    for (size_t i = 0; i < count; i++) {
        needed |= tiff_set_slice(&stack->slices, &runs[i]) != UINT64_MAX;
    }
    tiff_run_name(runs, name);
    if (!(own ? source_open(header, &source, &why) : tiff_set_open(header, name, &source, &why))) {
        return (!needed && why.kind == PROBLEM_INPUT) ||
               problem_set(problem, why.kind, "%s", why.text);
    }
    if (needed) {
        tiff_end(&stack->tiff, true, problem);
        source_close(&stack->source);
        stack->source = source_take(&source);
    }
    source_close(&source);
    return !needed || tiff_set_probe_file(stack, header, runs, count, problem);
}

// Finds the files of an OME set, and where in them the slices are.
bool tiff_set_probe(
    struct tiff_stack *stack, const struct volume_params *params, struct contents *contents,
    struct problem *problem)
{
    const struct tiff_description opened = stack->tiff.description, *said = &stack->said;
    struct tiff_pages *slices = &stack->slices;
    struct tiff_place **places = &stack->index.places;
    struct tiff_runs runs = { 0 };
    char *text = tiff_set_text(stack, problem);
    char *header = text ? strdup(stack->source.path) : NULL;
    bool ok = text && ((header && tiff_describe_runs(text, opened.uuid, &stack->said, &runs)) ||
                       problem_no_memory(problem, "reading", stack->path));
    ok = ok && tiff_set_same(
                   stack->path, header, opened.metadata_uuid, strlen(opened.metadata_uuid),
                   said->uuid, problem);
    if (ok && runs.count == 0) {
        ok = problem_set(
            problem, PROBLEM_INPUT, "'%s' does not say in which files the slices of '%s' are",
            header, stack->path);
    }
    const uint64_t planes = (uint64_t)(said->channels + !said->channels) *
                            (said->frames + !said->frames) * (said->slices + !said->slices);
    ok = ok &&
         tiff_describe_slices(said, stack->path, planes, &params->pick, contents, slices, problem);
    if (ok && !(*places = calloc(slices->count, sizeof **places))) {
        ok = problem_no_memory(problem, "reading", stack->path);
    }
    for (size_t i = 0, n; ok && i < runs.count; i += n) {
        for (n = 1; i + n < runs.count && !tiff_run_by_name(&runs.at[i], &runs.at[i + n]); n++) {
        }
        ok = input_go_on(stack->path, problem) &&
             tiff_set_add(stack, header, &runs.at[i], n, problem);
    }
    for (uint32_t z = 0; ok && z < slices->count; z++) {
        ok = (*places)[z].offset > 0 ||
             problem_set(
                 problem, PROBLEM_INPUT, "'%s' does not say in which file slice %u is", header, z);
    }
    slices->first = 0;
    slices->step = 1;
    stack->tiff.description = *said;
    if (tiff_read_spacing(&stack->tiff, stack->spacing)) {
        strcpy(contents->unit, said->unit_of_x);
    }
    free(runs.at);
    free(header);
    free(text);
    return ok;
}

#endif
