#include "app/viewer/document.h"

#include "app/cli/piecewise.h"

#include <stdlib.h>
#include <string.h>

struct document *document_create(const char *path, struct loaded *loaded, struct problem *problem)
{
    struct document *document = calloc(1, sizeof *document);
    if (!document || (path && !(document->path = strdup(path)))) {
        free(document);
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening a volume");
        return NULL;
    }
    document->name = path ? loader_file_name(document->path) : "generated volume";
    document->volume = loaded->volume;
    document->facts = loaded->facts;
    document->in.file = loaded->file;
    document->in.ranges = loaded->ranges;
    document->in.source = piecewise_source(&document->in.file);
    *loaded = (struct loaded){ 0 };
    return document;
}

void document_surfaces_destroy(struct gpu *gpu, struct document_surfaces *surfaces)
{
    for (uint32_t i = 0; i < surfaces->count; i++) {
        surface_destroy(gpu, &surfaces->list[i]);
    }
    free(surfaces->list);
    *surfaces = (struct document_surfaces){ 0 };
}

static void document_destroy_whole(struct gpu *gpu, struct document *document)
{
    surface_destroy(gpu, &document->surfaces[0]);
    surface_destroy(gpu, &document->surfaces[1]);
    if (document->extraction) {
        extraction_destroy(document->extraction);
    }
    document->extraction = NULL;
    atlas_destroy(gpu, &document->atlas);
}

void document_destroy(struct gpu *gpu, struct document *document)
{
    if (!document) {
        return;
    }
    document_destroy_whole(gpu, document);
    slabs_destroy(document->in.slabs);
    document_surfaces_destroy(gpu, &document->in.shown);
    volume_file_close(&document->in.file);
    free(document->in.ranges);
    volume_destroy(&document->volume);
    free(document->path);
    free(document);
}

bool document_upload(
    struct gpu *gpu, struct document *document, const struct progress *progress, bool keep_samples,
    struct problem *problem)
{
    const struct atlas_params params = {
        .progress = progress,
        .source = document->in.file.path ? &document->in.source : NULL,
    };
    if (!atlas_create(gpu, &document->volume, &params, &document->atlas, problem) ||
        !extraction_create(gpu, &document->atlas, &document->extraction, problem)) {
        return false;
    }
    if (!keep_samples) {
        free(document->volume.samples);
        document->volume.samples = NULL;
        volume_file_close(&document->in.file);
    }
    return true;
}

const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method)
{
    return document && document->extraction ? extraction_refuses(document->extraction, method)
                                            : method_unavailable(method, gpu);
}

const struct surface *document_shown(const struct document *document, uint32_t *further)
{
    const struct document_surfaces *parts = &document->in.shown;
    *further = 0;
    if (document->in.slabs) {
        *further = parts->count - (parts->count > 0);
        return parts->list;
    }
    return document->has_result ? &document->surfaces[document->shown] : NULL;
}

// A driver may go on preparing a kernel until its first run, so this one is done again, by the next
// step if there is one anyway. But a method that removes would find nothing to do then, and is
// shown only where it had something to do.
bool document_remember_time(struct document *document)
{
    const struct extraction_result *result = &document->result;
    const size_t row = method_row(result->method);
    if (result->moved) {
        return false;
    }
    if (!document->took[row].tried) {
        document->took[row].tried = true;
        return !result->method->removes;
    }
    document->took[row].again = true;
    const struct compaction_events *events = &result->cells_events;
    if (result->method->removes && events->removed + events->entered == 0) {
        return false;
    }
    double ms = result->removal_ms;
    for (uint32_t i = 0; i < result->stage_count; i++) {
        const enum stage_kind kind = result->stages[i].kind;
        ms += kind == STAGE_BRICKS || kind == STAGE_CELLS ? result->stage_ms[i] : 0;
    }
    document->took[row].ms = ms;
    document->took[row].iso = result->iso;
    return false;
}

// Once, as there may be no time to be had. Where only vertices move, a method that removes has
// nothing to do, and the step is not spent on it.
bool document_is_to_be_timed(
    const struct document *document, const struct gpu *gpu, const struct extraction_step *step)
{
    const size_t row = method_row(step->method);
    return gpu->timestamps && document->took[row].tried && !document->took[row].again &&
           !(step->method->removes && extraction_moves(document->extraction, step));
}

void document_forget_times(struct document *document)
{
    memset(document->took, 0, sizeof document->took);
}

bool document_give_up_shown(struct gpu *gpu, struct document *document)
{
    if (document->in.shown.count == 0) {
        return false;
    }
    document_surfaces_destroy(gpu, &document->in.shown);
    document->in.blind = true;
    return true;
}

bool document_give_up_hidden(struct gpu *gpu, struct document *document)
{
    struct surface *hidden = &document->surfaces[!document->shown];
    const uint64_t before = gpu->budget.allocated;
    surface_destroy(gpu, hidden);
    return gpu->budget.allocated < before;
}

bool document_strip(struct gpu *gpu, struct document *document)
{
    struct document_surfaces *shown = &document->in.shown;
    if (!(shown->list = calloc(1, sizeof *shown->list))) {
        return false;
    }
    if (document->has_result && document->result.triangles > 0) {
        shown->list[shown->count++] = document->surfaces[document->shown];
        document->surfaces[document->shown] = (struct surface){ 0 };
    }
    document_destroy_whole(gpu, document);
    return true;
}
