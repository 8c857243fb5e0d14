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
    free(loaded->ranges);
    cubes_destroy(&loaded->cubes);
    *loaded = (struct loaded){ 0 };
}

static struct surface *document_hidden(const struct document *document)
{
    return &document->surfaces->pair[!document->surfaces->shown];
}

// Gives up the surface that the next frame's step would be made in.
static bool document_give_up_hidden(void *user)
{
    struct document *document = user;
    const uint64_t before = document->gpu->budget.allocated;
    surface_destroy(document->gpu, document_hidden(document));
    return document->gpu->budget.allocated < before;
}

// Gives up a surface that was made part by part. A surface made by frames is kept, because their
// next step starts from it.
static bool document_give_up_shown(void *user)
{
    struct document *document = user;
    if (document->surfaces->list.count == 0) {
        return false;
    }
    surface_list_destroy(document->gpu, &document->surfaces->list);
    document->surfaces->only_picture = true;
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
    document->name = path ? document_file_name(document->path) : "generated volume";
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

void document_destroy(struct document *document)
{
    if (!document) {
        return;
    }
    budget_withdraw(&document->gpu->budget, document);
    surface_destroy(document->gpu, &document->surfaces->pair[0]);
    surface_destroy(document->gpu, &document->surfaces->pair[1]);
    surface_list_destroy(document->gpu, &document->surfaces->list);
    free(document->surfaces);
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

bool document_has_dropped(const struct document *document)
{
    return document && document->surfaces->only_picture;
}

const struct extract_totals *document_totals(const struct document *document)
{
    return document->surfaces->in_parts ? &document->surfaces->totals : NULL;
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
    struct surface_list list = { calloc(1, sizeof *list.list), 0 };
    if (!list.list) {
        return false;
    }
    if (document->has_result && document->result.triangles > 0) {
        list.list[list.count++] = made->pair[made->shown];
        made->pair[made->shown] = (struct surface){ 0 };
    }
    surface_destroy(gpu, &made->pair[0]);
    surface_destroy(gpu, &made->pair[1]);
    made->list = list;
    made->in_parts = true;
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
    const struct surfaces *made = document->surfaces;
    const struct surface_list *list = &made->list;
    *further = 0;
    if (made->in_parts) {
        *further = list->count - (list->count > 0);
        return list->list;
    }
    return document->has_result ? &made->pair[made->shown] : NULL;
}

bool document_lists(const struct document *document, struct extraction_lists *out)
{
    const struct surfaces *made = document->surfaces;
    const struct extraction *extraction = document_whole(document);
    return extraction && document->has_result &&
           extraction_lists(extraction, &made->pair[made->shown], out);
}

void document_show(
    struct document *document, struct surface_list *list, const struct extraction_result *result,
    const struct extract_totals *totals)
{
    surface_list_destroy(document->gpu, &document->surfaces->list);
    document->surfaces->list = *list;
    *list = (struct surface_list){ 0 };
    document->surfaces->only_picture = false;
    document->result = *result;
    document->surfaces->totals = *totals;
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
