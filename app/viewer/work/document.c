#include "app/viewer/work/document.h"

#include "app/base/file_source.h"
#include "app/viewer/work/surfaces.h"
#include "compute/atlas_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loaded_destroy(struct loaded *loaded)
{
    volume_destroy(&loaded->volume);
    volume_file_close(&loaded->file);
    contents_free(&loaded->contents);
    free(loaded->array);
    free(loaded->notes);
    free(loaded->ranges);
    cubes_destroy(&loaded->cubes);
    *loaded = (struct loaded){ 0 };
}

static struct surface *document_hidden(const struct document *document)
{
    return &document->surfaces->slots[document->surfaces->spare];
}

static struct surface *document_slot(const struct document *document, uint32_t contour)
{
    return &document->surfaces->slots[document->surfaces->shown[contour].slot];
}

static void document_lose(struct document *document, uint32_t contour)
{
    struct shown_surface *shown = &document->surfaces->shown[contour];
    surface_destroy(document->gpu, document_slot(document, contour));
    surface_list_destroy(document->gpu, &shown->list);
    shown->has_result = shown->only_picture = false;
    shown->lost = true;
}

bool document_lose_unseen(struct document *document)
{
    const uint64_t before = document->gpu->budget.allocated;
    for (uint32_t i = 0; i < CONTOURS_MOST && document->gpu->budget.allocated == before; i++) {
        const struct shown_surface *shown = &document->surfaces->shown[i];
        if (shown->unseen && shown->has_result && shown != document->shown) {
            document_lose(document, i);
        }
    }
    return document->gpu->budget.allocated < before;
}

// Gives up the surface that the next frame's step would be made in, then one that is not seen.
static bool document_give_up_hidden(void *user)
{
    struct document *document = user;
    const uint64_t before = document->gpu->budget.allocated;
    surface_destroy(document->gpu, document_hidden(document));
    return document->gpu->budget.allocated < before || document_lose_unseen(document);
}

// Gives up a surface that was made part by part. A surface made by frames is kept, because their
// next step starts from it.
static bool document_give_up_shown(void *user)
{
    struct document *document = user;
    if (document->shown->list.count == 0) {
        return false;
    }
    surface_list_destroy(document->gpu, &document->shown->list);
    document->shown->only_picture = true;
    return true;
}

struct document *
document_create(struct gpu *gpu, const char *path, struct loaded *loaded, struct problem *problem)
{
    struct document *document = calloc(1, sizeof *document);
    struct surfaces *surfaces = calloc(1, sizeof *surfaces);
    if (!document || !surfaces || (path && !(document->path = strdup(path)))) {
        free(surfaces);
        free(document);
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening a volume");
        return NULL;
    }
    document->gpu = gpu;
    document->surfaces = surfaces;
    document->shown = surfaces->shown;
    surfaces->spare = CONTOURS_MOST;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        surfaces->shown[i].slot = i;
    }
    document->name = path ? document_file_name(document->path) : "generated volume";
    document->volume = loaded->volume;
    document->facts = loaded->facts;
    document->cubes = loaded->cubes;
    document->file = loaded->file;
    document->ranges = loaded->ranges;
    document->contents = loaded->contents;
    document->array = loaded->array;
    document->notes = loaded->notes;
    *loaded = (struct loaded){ 0 };
    budget_offer(&gpu->budget, GIVE_UP_HIDDEN_SURFACE, document_give_up_hidden, document);
    budget_offer(&gpu->budget, GIVE_UP_SHOWN_SURFACE, document_give_up_shown, document);
    return document;
}

const char *document_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// "bonsai_256x256x256_uint8.raw" -> "bonsai_256x256x256_uint8"
void document_stem(const struct document *document, char *out, size_t size)
{
    const char *name = document->path ? document->name : "cubist";
    size_t length = strcspn(name, "/");
    const char *raw = strstr(name, ".raw");
    const char *dot = raw ? raw : strrchr(name, '.');
    if (dot && dot > name) {
        length = (size_t)(dot - name);
    }
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), name);
}

void surface_list_destroy(struct gpu *gpu, struct surface_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        surface_destroy(gpu, &list->list[i]);
    }
    free(list->list);
    *list = (struct surface_list){ 0 };
}

void document_set_params(struct document *document, const struct volume_params *params)
{
    document->params = *params;
    document->params.pick.array = document->array;
}

void document_destroy(struct document *document)
{
    if (!document) {
        return;
    }
    budget_withdraw(&document->gpu->budget, document);
    surface_destroy(document->gpu, document_hidden(document));
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        document_lose(document, i);
    }
    free(document->surfaces);
    parts_close(document->parts);
    volume_file_close(&document->file);
    contents_free(&document->contents);
    free(document->array);
    free(document->notes);
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
    document->surfaces->in_parts |= parts_planned(document->parts)->count > 1;
    return true;
}

struct extraction *document_whole(const struct document *document)
{
    return document->parts && !document->surfaces->in_parts ? parts_whole(document->parts) : NULL;
}

// Whether every surface of the volume can be made with all samples on the device, as far as is
// known. If so, the host no longer needs the samples.
static bool document_takes_every_surface(const struct document *document)
{
    const struct gpu *gpu = document->gpu;
    const struct parts_params params = document_parts_params(document, NULL);
    const struct part_size size =
        part_size(gpu, &params, document->volume.dim[2] - 1, 0, true, NULL);
    return size.all - size.atlas <= gpu_memory_free(gpu);
}

const struct atlas *document_arrive(struct document *document)
{
    if (!document_whole(document)) {
        document->surfaces->in_parts = true;
        return NULL;
    }
    if (document->gpu->budget.limit == 0 && document_takes_every_surface(document)) {
        parts_forget_samples(document->parts);
        free(document->volume.samples);
        document->volume.samples = NULL;
        volume_file_close(&document->file);
    }
    return parts_atlas(document->parts);
}

bool document_casts(const struct document *document, const struct casting *casting)
{
    return document && casting->gpu && casting->in_parts == !document_whole(document);
}

bool document_shows_any(const struct document *document)
{
    bool any = false;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        any |= document->surfaces->shown[i].has_result;
    }
    return any;
}

bool document_has_dropped(const struct document *document)
{
    bool dropped = false;
    for (uint32_t i = 0; document && i < CONTOURS_MOST; i++) {
        dropped |= document->surfaces->shown[i].only_picture;
    }
    return dropped;
}

const struct extract_totals *document_totals(const struct document *document)
{
    return document->surfaces->in_parts ? &document->shown->totals : NULL;
}

bool document_steps(const struct document *document)
{
    return document && document_whole(document);
}

bool document_attempt(
    struct document *document, const struct method *method, double iso, bool every_brick,
    struct extraction_result *result, struct problem *problem)
{
    const struct extraction_step step = {
        .iso = iso,
        .method = method,
        .target = document_hidden(document),
        .draws = true,
        .anew = true,
        .every_brick = every_brick,
    };
    return extraction_attempt(document_whole(document), &step, result, problem);
}

void document_use_times(struct document *document, const struct times *times)
{
    if (times && document_whole(document) && !document->uses_times) {
        extraction_set_times(document_whole(document), times);
        document->uses_times = true;
    }
}

bool document_strip(struct document *document)
{
    struct gpu *gpu = document->gpu;
    struct surfaces *made = document->surfaces;
    surface_destroy(gpu, document_hidden(document));
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        struct shown_surface *shown = &made->shown[i];
        struct surface *slot = document_slot(document, i);
        if (!shown->list.list && !(shown->list.list = calloc(1, sizeof *shown->list.list))) {
            return false;
        }
        if (shown->has_result && shown->result.triangles > 0) {
            shown->list.list[shown->list.count++] = *slot;
            *slot = (struct surface){ 0 };
        }
        surface_destroy(gpu, slot);
    }
    made->in_parts = true;
    return true;
}

const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method)
{
    return document && document->parts ? parts_refuse(document->parts, method)
                                       : method_unavailable(method, gpu);
}

const struct surface *
document_shown(const struct document *document, uint32_t contour, uint32_t *further)
{
    const struct shown_surface *shown = &document->surfaces->shown[contour];
    *further = 0;
    if (document->surfaces->in_parts) {
        *further = shown->list.count - (shown->list.count > 0);
        return shown->list.list;
    }
    return shown->has_result ? document_slot(document, contour) : NULL;
}

bool document_lists(const struct document *document, struct extraction_lists *out)
{
    const struct extraction *extraction = document_whole(document);
    return extraction && document->shown->has_result &&
           extraction_lists(extraction, &document->surfaces->slots[document->shown->slot], out);
}

void document_select(struct document *document, uint32_t contour)
{
    document->shown = &document->surfaces->shown[contour];
}

void document_arrange(
    struct document *document, const struct view *view, const uint32_t from[CONTOURS_MOST])
{
    struct shown_surface old[CONTOURS_MOST];
    memcpy(old, document->surfaces->shown, sizeof old);
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        struct shown_surface *shown = &document->surfaces->shown[i];
        *shown = old[from[i]];
        shown->unseen = view->draw == DRAW_RAYS || !view_shows(view, i);
        const bool gone = i > view->further || (shown->unseen && shown->only_picture);
        if (gone && i != view->contour && (shown->has_result || shown->list.list)) {
            document_lose(document, i);
        }
    }
    document_select(document, view->contour);
}

void document_show(
    struct document *document, struct surface_list *list, const struct extraction_result *result,
    const struct extract_totals *totals)
{
    struct shown_surface *shown = document->shown;
    surface_list_destroy(document->gpu, &shown->list);
    shown->list = *list;
    *list = (struct surface_list){ 0 };
    shown->only_picture = false;
    shown->result = *result;
    shown->totals = *totals;
    shown->has_result = true;
}

uint32_t document_key(const struct document *document, double iso)
{
    return atlas_iso(document->volume.type, iso).key;
}

bool document_remember_time(struct document *document, bool fresh)
{
    const struct extraction_result *result = &document->shown->result;
    const uint32_t key = document_key(document, result->iso);
    return step_history_take(&document->times, result, key, fresh, document->gpu->timestamps);
}

struct step_summary
document_times(const struct document *document, const struct method *method, double iso)
{
    return step_history_at(&document->times, method_row(method), document_key(document, iso));
}

// True only until one step counts, because the device may return no time. If only vertices would
// move, a method that removes has nothing to do, so its step is not repeated.
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
