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
        if (!tiff_set_open(stack->path, tiff->description.metadata, &header, problem)) {
            return NULL;
        }
        tiff_end(tiff, true, problem);
        source_close(&stack->source);
        stack->source = source_take(&header);
        if (!tiff_begin(&stack->source, tiff, NULL) && !tiff->starved &&
            !tiff->cancelled.kind) { // XML alone
            const uint64_t size = stack->source.size;
            text = size < (uint64_t)MOST_ALLOCATED ? calloc(size + 1, 1) : NULL;
            source_peek(&stack->source, text, text ? size : 0);
        }
    }
    if (tiff->handle) {
        TIFFGetField(tiff->handle, TIFFTAG_IMAGEDESCRIPTION, &found);
        text = strdup(found ? found : "");
    }
    if (!text) {
        problem_no_memory(problem, "reading", stack->path);
    }
    return text;
}

// PROBLEM_INPUT where the file states another UUID than `header` states for it. Both may be empty.
static bool tiff_set_same(
    const char *header, const char *path, const char *due, const char *uuid,
    struct problem *problem)
{
    return !*due || !*uuid || strcmp(due, uuid) == 0 ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' is not the file that '%s' names: its UUID is '%s', expected '%.64s'", path,
               header, uuid, due);
}

// Makes a run of planes the run of the volume's slices in it.
static void tiff_set_select(const struct tiff_pages *want, struct tiff_run *run)
{
    const uint64_t behind = run->first > want->first ? run->first - want->first : 0;
    const uint64_t z = behind / want->step + (behind % want->step > 0);
    const uint64_t skipped = want->first + z * want->step - run->first;
    const uint64_t planes = run->count > skipped ? run->count - skipped : 0;
    const uint64_t slices = planes / want->step + (planes % want->step > 0);
    const uint64_t most = z < want->count ? want->count - z : 0;
    run->count = slices < most ? slices : most;
    run->first = z;
    run->page += skipped;
}

// Opens the file of the runs, which have one name, as stack->source, and notes where their slices
// are.
static bool tiff_set_probe_file(
    struct tiff_stack *stack, const char *header, const struct tiff_run *runs, size_t count,
    struct problem *problem)
{
    struct tiff *tiff = &stack->tiff;
    const char *path = stack->source.path;
    struct tiff_index index = { 0 };
    bool ok = tiff_begin(&stack->source, tiff, problem) &&
              tiff_set_same(header, path, runs->uuid, tiff->description.uuid, problem);
    tiff->description = stack->said;
    ok = ok && tiff_probe_pages(tiff, &stack->page, &index, problem) &&
         source_sound(&stack->source, problem);
    if (ok && !source_files_add(&stack->files, path, &stack->source.stamp)) {
        ok = problem_no_memory(problem, "reading", path);
    }
    for (stack->file = (uint32_t)stack->files.count;
         ok && strcmp(stack->files.paths[--stack->file], path) != 0;) {
    }
    for (const struct tiff_run *run = runs; ok && run < runs + count; run++) {
        for (uint64_t i = 0; ok && i < run->count; i++) {
            const uint64_t page = run->page + i * stack->slices.step;
            struct tiff_place *place = &stack->index.places[run->first + i];
            if (page >= index.count) {
                ok = problem_set(
                    problem, PROBLEM_INPUT,
                    "'%s' has %u pages, but by '%s' its page %" PRIu64 " is a slice", path,
                    index.count, header, page + 1);
            } else {
                *place = index.places[page];
                place->file = stack->file;
            }
        }
    }
    free(index.places);
    return ok;
}

// Every file of the set is opened, so that no output replaces it. Only those with slices must be
// there.
static bool tiff_set_add(
    struct tiff_stack *stack, const char *header, struct tiff_run *runs, size_t count,
    struct problem *problem)
{
    const char *uuid = stack->said.uuid;
    const bool own = !*runs->name || (*uuid && strcmp(runs->uuid, uuid) == 0);
    struct source source;
    struct problem why = { 0 };
    bool needed = false;
    for (size_t i = 0; i < count; i++) {
        tiff_set_select(&stack->slices, &runs[i]);
        needed |= runs[i].count > 0;
    }
    if (!(own ? source_open(header, &source, &why)
              : tiff_set_open(header, runs->name, &source, &why))) {
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
    size_t count = 0;
    char *text = tiff_set_text(stack, problem);
    char *header = text ? strdup(stack->source.path) : NULL;
    struct tiff_run *runs =
        header ? tiff_describe_runs(text, opened.uuid, &stack->said, &count) : NULL;
    bool ok = text && source_sound(&stack->source, problem) &&
              (runs || problem_no_memory(problem, "reading", stack->path)) &&
              tiff_set_same(stack->path, header, opened.metadata_uuid, said->uuid, problem);
    const uint64_t planes = (uint64_t)(said->channels + !said->channels) *
                            (said->frames + !said->frames) * (said->slices + !said->slices);
    ok = ok &&
         tiff_describe_slices(said, stack->path, planes, &params->pick, contents, slices, problem);
    if (ok && !(*places = calloc(slices->count, sizeof **places))) {
        ok = problem_no_memory(problem, "reading", stack->path);
    }
    for (size_t i = 0, n; ok && i < count; i += n) {
        for (n = 1; i + n < count && strcmp(runs[i].name, runs[i + n].name) == 0;) {
            n++;
        }
        ok = input_go_on(stack->path, problem) && tiff_set_add(stack, header, runs + i, n, problem);
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
    free(runs);
    free(header);
    free(text);
    return ok;
}

#endif
