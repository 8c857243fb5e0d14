#include "app/viewer/work/document.h"

#include "app/base/file_source.h"
#include "compute/atlas_keys.h"

#include <stdlib.h>
#include <string.h>

// Gives up the surface that the next frame's step would be made in.
static bool document_give_up_hidden(void *user)
{
    struct document *document = user;
    const uint64_t before = document->gpu->budget.allocated;
    surface_destroy(document->gpu, &document->surfaces[!document->shown]);
    return document->gpu->budget.allocated < before;
}

// Gives up a surface that was made part by part. One made by frames is kept, because their steps
// start from it.
static bool document_give_up_shown(void *user)
{
    struct document *document = user;
    if (document->list.count == 0) {
        return false;
    }
    document_surfaces_destroy(document->gpu, &document->list);
    document->only_picture = true;
    return true;
}

struct document *
document_create(struct gpu *gpu, const char *path, struct loaded *loaded, struct problem *problem)
{
    struct document *document = calloc(1, sizeof *document);
    if (!document || (path && !(document->path = strdup(path)))) {
        free(document);
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening a volume");
        return NULL;
    }
    document->gpu = gpu;
    document->name = path ? loader_file_name(document->path) : "generated volume";
    document->volume = loaded->volume;
    document->facts = loaded->facts;
    document->cubes = loaded->cubes;
    document->file = loaded->file;
    document->ranges = loaded->ranges;
    *loaded = (struct loaded){ 0 };
    budget_offer(&gpu->budget, GIVE_UP_HIDDEN_SURFACE, document_give_up_hidden, document);
    budget_offer(&gpu->budget, GIVE_UP_SHOWN_SURFACE, document_give_up_shown, document);
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

void document_destroy(struct document *document)
{
    if (!document) {
        return;
    }
    budget_withdraw(&document->gpu->budget, document);
    surface_destroy(document->gpu, &document->surfaces[0]);
    surface_destroy(document->gpu, &document->surfaces[1]);
    document_surfaces_destroy(document->gpu, &document->list);
    parts_close(document->parts);
    volume_file_close(&document->file);
    free(document->ranges);
    cubes_destroy(&document->cubes);
    volume_destroy(&document->volume);
    free(document->path);
    free(document);
}

struct parts_params
document_parts_params(const struct document *document, const struct times *times)
{
    return (struct parts_params){
        .volume = &document->volume,
        .ranges = document->ranges,
        .times = times,
    };
}

bool document_open_parts(
    struct document *document, const struct parts_params *params, struct problem *problem)
{
    const struct atlas_source source = file_source(&document->file);
    struct parts_params own = *params;
    own.source = document->file.path ? &source : NULL;
    parts_close(document->parts);
    document->parts = NULL;
    document->uses_times = false;
    if (!parts_open(document->gpu, &own, &document->parts, problem)) {
        return false;
    }
    document->reserve = params->reserve;
    document->in_parts |= parts_planned(document->parts)->count > 1;
    return true;
}

struct extraction *document_whole(const struct document *document)
{
    return document->parts && !document->in_parts ? parts_whole(document->parts) : NULL;
}

void document_forget_samples(struct document *document)
{
    parts_forget_samples(document->parts);
    free(document->volume.samples);
    document->volume.samples = NULL;
    volume_file_close(&document->file);
}

bool document_strip(struct document *document)
{
    struct gpu *gpu = document->gpu;
    struct document_surfaces list = { calloc(1, sizeof *list.list), 0 };
    if (!list.list) {
        return false;
    }
    if (document->has_result && document->result.triangles > 0) {
        list.list[list.count++] = document->surfaces[document->shown];
        document->surfaces[document->shown] = (struct surface){ 0 };
    }
    surface_destroy(gpu, &document->surfaces[0]);
    surface_destroy(gpu, &document->surfaces[1]);
    document->list = list;
    document->in_parts = true;
    return true;
}

const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method)
{
    return document && document->parts ? parts_refuse(document->parts, method)
                                       : method_unavailable(method, gpu);
}

const struct surface *document_shown(const struct document *document, uint32_t *further)
{
    const struct document_surfaces *list = &document->list;
    *further = 0;
    if (document->in_parts) {
        *further = list->count - (list->count > 0);
        return list->list;
    }
    return document->has_result ? &document->surfaces[document->shown] : NULL;
}

bool document_lists(const struct document *document, struct extraction_lists *out)
{
    const struct extraction *extraction = document_whole(document);
    return extraction && document->has_result && !document->in_parts &&
           extraction_lists(extraction, &document->surfaces[document->shown], out);
}

void document_show(
    struct document *document, struct document_surfaces *list,
    const struct extraction_result *result, const struct extract_totals *totals)
{
    document_surfaces_destroy(document->gpu, &document->list);
    document->list = *list;
    *list = (struct document_surfaces){ 0 };
    document->only_picture = false;
    document->result = *result;
    document->totals = *totals;
    document->has_result = true;
}

uint32_t document_key(const struct document *document, double iso)
{
    return atlas_iso(document->volume.type, iso).key;
}

bool document_remember_time(struct document *document, bool fresh)
{
    const struct extraction_result *result = &document->result;
    const uint32_t key = document_key(document, result->iso);
    return step_history_take(&document->times, result, key, fresh, document->gpu->timestamps);
}

struct step_summary
document_times(const struct document *document, const struct method *method, double iso)
{
    return step_history_at(&document->times, method_row(method), document_key(document, iso));
}

// Tries this once, because there may be no time to get. If only vertices would move, a method that
// removes has nothing to do, so the step is not repeated for it.
bool document_is_to_be_timed(const struct document *document, const struct extraction_step *step)
{
    return document->gpu->timestamps &&
           step_history_awaits(&document->times, method_row(step->method)) &&
           !(step->method->removes && extraction_moves(document_whole(document), step));
}

void document_forget_times(struct document *document)
{
    document->times = (struct step_history){ 0 };
}
