// Divides a volume into parts, and extracts a surface part by part. parts_device.c manages what is
// on the device.

#include "compute/extraction/parts_internal.h"

#include "compute/atlas_keys.h"

#include "volumes/base/clock.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool parts_no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory cutting the volume into parts");
}

// The range of a part, from the ranges of its slices; the last slice is the first one of the next
// part. Empty if no slice has a finite sample.
static void
one_part_learn(struct one_part *one, const struct slice_range *ranges, enum volume_type type)
{
    double min = INFINITY, max = -INFINITY;
    for (uint32_t z = one->cells.first; z <= one->cells.first + one->cells.layers; z++) {
        min = fmin(min, ranges[z].min);
        max = fmax(max, ranges[z].max);
    }
    one->known = true;
    one->range[0] = min <= max ? atlas_iso(type, min).key : UINT32_MAX;
    one->range[1] = min <= max ? atlas_iso(type, max).key : 0;
}

bool parts_open(
    struct gpu *gpu, const struct parts_params *params, struct parts **out, struct problem *problem)
{
    *out = NULL;
    struct parts_plan plan;
    if (!parts_plan(gpu, params, &plan, problem)) {
        return false;
    }
    const struct volume *volume = params->volume;
    struct parts *parts = calloc(1, sizeof *parts);
    if (!parts) {
        return parts_no_memory(problem);
    }
    *parts = (struct parts){
        .gpu = gpu,
        .params = *params,
        .plan = plan,
        .list = calloc(plan.count + UINT64_C(1), sizeof *parts->list),
        .slice_bytes = (uint64_t)volume->dim[0] * volume->dim[1] * volume_type_size(volume->type),
    };
    // A single part shares no slices.
    const bool shares = params->source && plan.count > 1;
    parts->shared = shares ? malloc(PARTS_SHARED * parts->slice_bytes) : NULL;
    if (!parts->list || (shares && !parts->shared)) {
        parts_close(parts);
        return parts_no_memory(problem);
    }
    if (params->source) {
        parts->source = *params->source;
    }
    const uint32_t rows = volume->dim[1] - 1;
    for (uint32_t first = plan.from, row = 0; first < plan.to;) {
        struct one_part *one = &parts->list[parts->count++];
        one->cells = (struct atlas_part){
            .first = first,
            .layers = plan.layers < plan.to - first ? plan.layers : plan.to - first,
            .first_row = row,
            .rows = plan.rows < rows - row ? plan.rows : rows - row,
        };
        one->cells.rows = plan.rows ? one->cells.rows : 0;
        one->cells.held_rows = plan.rows + 3 < rows + 1 ? plan.rows + 3 : rows + 1;
        if (params->ranges) {
            one_part_learn(one, params->ranges, volume->type);
        }
        row = plan.rows ? row + one->cells.rows : rows;
        if (row == rows) {
            row = 0;
            first += one->cells.layers;
        }
    }
    assert(parts->count == plan.count);
    parts->params.ranges = NULL;
    parts->params.source = NULL;
    parts_offer(parts);
    *out = parts;
    return true;
}

void parts_close(struct parts *parts)
{
    if (parts) {
        assert(!parts->extract);
        parts_clear(parts);
        budget_withdraw(&parts->gpu->budget, parts);
        free(parts->list);
        free(parts->shared);
        free(parts);
    }
}

const struct parts_plan *parts_planned(const struct parts *parts)
{
    return &parts->plan;
}

bool parts_describe(const struct parts *parts, struct atlas *out, struct problem *problem)
{
    const struct parts_plan *plan = &parts->plan;
    const uint32_t *dim = parts->params.volume->dim;
    // If possible, describe a part between other parts.
    const struct atlas_part cells = {
        .first = plan->layers + 1 < dim[2],
        .layers = plan->layers,
        .first_row = plan->rows && plan->rows + 1 < dim[1],
        .rows = plan->rows,
    };
    const struct atlas_params params = {
        .storage = parts->params.storage,
        .max_extent = parts->params.max_extent,
        .cells = &cells,
    };
    return atlas_describe(parts->gpu, parts->params.volume, &params, out, problem);
}

void parts_release(struct parts *parts)
{
    assert(!parts->extract && !parts->kept);
    parts_clear(parts);
}

struct extraction *parts_whole(struct parts *parts)
{
    const bool whole = parts->count == 1 && !parts->params.some && parts->now &&
                       parts->now->loaded && parts->turned_to == parts->now->serial;
    return whole && !parts->extract ? parts->extraction : NULL;
}

const struct atlas *parts_atlas(const struct parts *parts)
{
    return parts->now ? &parts->now->atlas : NULL;
}

const char *parts_refuse(struct parts *parts, const struct method *method)
{
    struct extraction *whole = parts_whole(parts);
    if (whole) {
        return extraction_refuses(whole, method);
    }
    // A part as planned, of the most rows and layers. Nothing is allocated.
    struct atlas atlas;
    return parts_describe(parts, &atlas, NULL)
               ? method_refuses(method, parts->gpu, extraction_longest(&atlas, method))
               : method_unavailable(method, parts->gpu);
}

void parts_forget_samples(struct parts *parts)
{
    assert(parts_whole(parts));
    parts->kept = true;
}

// ---- an extraction ----

struct extract *
extract_begin(struct parts *parts, const struct query *query, struct problem *problem)
{
    assert((query->method || query->load_only) && !parts->extract);
    const char *why = query->load_only ? NULL : method_unavailable(query->method, parts->gpu);
    if (why) {
        problem_set(
            problem, PROBLEM_UNSUPPORTED, "%s cannot run here: %s", query->method->name, why);
        return NULL;
    }
    struct extract *extract = calloc(1, sizeof *extract);
    if (!extract) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for an extraction");
        return NULL;
    }
    extract->parts = parts;
    extract->query = *query;
    extract->key = atlas_iso(parts->params.volume->type, query->iso).key;
    extract->alone = parts->held.count == 0;
    parts->extract = extract;
    return extract;
}

static bool extract_misses(const struct extract *extract, const struct one_part *one)
{
    return one->known && !extract->query.every_brick &&
           !(one->range[0] < extract->key && one->range[1] >= extract->key);
}

// Adds the part that the caller got last to the totals, and moves on to the next part.
static void extract_count_part(struct extract *extract)
{
    struct extract_totals *totals = &extract->totals;
    if (extract->handed) {
        extract->handed = false;
        totals->vertices += extract->vertices;
        totals->triangles += extract->result.triangles;
        totals->active_bricks += extract->result.active_bricks;
        totals->active_cells += extract->result.active_cells;
        mesh_destroy(&extract->mesh);
        extract->alone = false;
        extract->at += !extract->joined; // the parts of a joined layer have been passed already
        extract->joined = false;
    }
}

static uint32_t part_rows(const struct parts *parts, const struct atlas_part *cells)
{
    return cells->rows ? cells->rows : parts->params.volume->dim[1] - 1;
}

// Replaces a part by two. Their ranges are within the range of the old one.
static bool extract_divide(struct extract *extract, struct problem *problem)
{
    struct parts *parts = extract->parts;
    const uint32_t at = extract->at;
    struct one_part *list = realloc(parts->list, (parts->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return parts_no_memory(problem);
    }
    parts->list = list;
    memmove(&list[at + 1], &list[at], (parts->count - at) * sizeof *list);
    parts->count++;
    const struct atlas_part whole = list[at].cells;
    if (whole.layers > 1) {
        list[at].cells.layers = whole.layers / 2;
        list[at + 1].cells.first += list[at].cells.layers;
        list[at + 1].cells.layers -= list[at].cells.layers;
    } else {
        list[at].cells.rows = part_rows(parts, &whole) / 2;
        list[at + 1].cells.first_row += list[at].cells.rows;
        list[at + 1].cells.rows = part_rows(parts, &whole) - list[at].cells.rows;
        list[at].cells.held_rows = list[at + 1].cells.held_rows = 0;
    }
    extract->totals.cut++;
    return true;
}

// Whether a part has as many rows as the plan gives to a part at its position.
static bool part_as_planned(const struct parts *parts, const struct one_part *one)
{
    const uint32_t all = parts->params.volume->dim[1] - 1;
    const uint32_t planned = parts->plan.rows ? parts->plan.rows : all;
    const uint32_t left = all - one->cells.first_row;
    return part_rows(parts, &one->cells) >= (left < planned ? left : planned);
}

// Whether a part may be divided. If memory is short, the caller keeps the surfaces, and parts of
// the planned size did fit, then the kept surfaces fill the memory. Smaller parts would only fill
// it more slowly.
static bool extract_can_divide(const struct extract *extract, bool limit)
{
    const struct parts *parts = extract->parts;
    const struct one_part *one = &parts->list[extract->at];
    if (one->cells.layers > 1) {
        return true;
    }
    const bool fitted = extract->totals.triangles > 0 && part_as_planned(parts, one) &&
                        (extract->at == 0 || part_as_planned(parts, one - 1));
    return part_rows(parts, &one->cells) > 1 && (limit || !(extract->query.keeps && fitted));
}

// A part that is over a limit of the device is divided. A part that has too little memory is first
// tried alone on the device, and then divided.
static bool extract_retry(struct extract *extract, struct problem *problem)
{
    struct parts *parts = extract->parts;
    // While a part is being loaded, PROBLEM_LIMIT means a limit of the file that is read.
    const bool limit = problem->kind == PROBLEM_LIMIT && !extract->loading;
    const bool divides = limit || extract->alone;
    if (!(limit || problem->kind == PROBLEM_DEVICE_MEMORY) || parts->kept ||
        (divides && !extract_can_divide(extract, limit))) {
        return false;
    }
    parts_drop_now(parts);
    if (!limit) {
        parts_clear(parts);
    }
    extract->alone = !limit;
    return !divides || extract_divide(extract, problem);
}

bool extract_cells(struct extract *extract, struct cell_list *out, struct problem *problem)
{
    assert(extract->handed && !extract->query.load_only && !extract->joined);
    return extraction_cells(extract->parts->extraction, &extract->result, out, problem);
}

bool extract_again(struct extract *extract, struct problem *problem)
{
    assert(extract->handed && !extract->query.mesh);
    extract->handed = false;
    return extract_retry(extract, problem);
}

// Reads back the mesh of the current part.
static bool extract_download(struct extract *extract, struct mesh *out, struct problem *problem)
{
    const struct parts *parts = extract->parts;
    const double start = clock_ms();
    const bool fine =
        extraction_download(parts->extraction, &parts->surface, &extract->result, out, problem);
    extract->totals.download_ms += clock_ms() - start;
    return fine;
}

// Fills in the part that the caller gets: its mesh, and the numbers of vertices and triangles.
static void
extract_number(struct extract *extract, const struct atlas_part *cells, struct part *part)
{
    const struct parts *parts = extract->parts;
    const struct volume *volume = parts->params.volume;
    const struct mesh *mesh = &extract->mesh;
    const uint32_t end = cells->first + cells->layers;
    if (extract->query.mesh) {
        const uint64_t slice_edges = 3 * (uint64_t)volume->dim[0] * volume->dim[1];
        extract->vertices = end == volume->dim[2] - 1
                                ? mesh->vertex_count
                                : mesh_vertices_below(mesh, end * slice_edges);
    }
    *part = (struct part){
        .cells = *cells,
        .bricks = parts->now ? parts->now->atlas.brick_count : 0,
        .result = &extract->result,
        .mesh = extract->query.mesh ? &extract->mesh : NULL,
        .vertices = extract->vertices,
        .first_vertex = extract->totals.vertices,
        .first_triangle = extract->totals.triangles,
        .last = extract->at + 1 >= parts->count,
    };
    extract->handed = true;
}

// Counts the vertices of the current part that do not belong to later parts as well.
static bool extract_count_vertices(struct extract *extract, struct problem *problem)
{
    const struct parts *parts = extract->parts;
    const struct atlas_part *cells = &parts->list[extract->at].cells;
    const uint32_t *dim = parts->params.volume->dim;
    const uint32_t end_y = cells->first_row + part_rows(parts, cells);
    const uint32_t end_z = cells->first + cells->layers;
    // The last part does not share the volume's last row, or slice, with any other.
    return extraction_count(
        parts->extraction, &parts->surface, &extract->result, end_y + (end_y == dim[1] - 1),
        end_z + (end_z == dim[2] - 1), &extract->vertices, problem);
}

static bool extract_hand_out(struct extract *extract, struct part *part, struct problem *problem)
{
    struct parts *parts = extract->parts;
    const struct query *query = &extract->query;
    if (query->mesh ? !extract_download(extract, &extract->mesh, problem)
                    : query->counts && !extract_count_vertices(extract, problem)) {
        return false;
    }
    extract_number(extract, &parts->list[extract->at].cells, part);
    part->surface = extract->query.load_only ? NULL : &parts->surface;
    part->has_lists = extraction_lists(parts->extraction, part->surface, &part->lists);
    return true;
}

// Keeps the mesh of some rows of a layer until all rows have come.
static bool extract_collect(struct extract *extract, struct problem *problem)
{
    struct parts *parts = extract->parts;
    const struct atlas_part *cells = &parts->list[extract->at].cells;
    struct mesh piece;
    if (!extract_download(extract, &piece, problem)) {
        return false;
    }
    const bool fine = parts_rows_add(&extract->rows, parts->params.volume, cells, &piece, problem);
    mesh_destroy(&piece);
    if (!fine) {
        return false;
    }
    extract->totals.active_bricks += extract->result.active_bricks;
    extract->totals.active_cells += extract->result.active_cells;
    extract_add_stages(&extract->collected, &extract->result);
    extract->collecting = true;
    extract->layer = cells->first;
    extract->alone = false;
    extract->at++;
    return true;
}

// All rows of a layer have come: hands the layer out like an undivided one. Its cells are already
// counted.
static bool
extract_hand_out_layer(struct extract *extract, struct part *part, struct problem *problem)
{
    const struct atlas_part cells = { .first = extract->layer, .layers = 1 };
    extract->collecting = false;
    if (!parts_rows_end(&extract->rows, &extract->mesh, problem)) {
        return false;
    }
    extract->result = extract->collected;
    extract->collected = (struct extraction_result){ 0 };
    extract->result.iso = extract->query.iso;
    extract->result.method = extract->query.method;
    extract->result.whole = true;
    extract->result.vertices = extract->mesh.vertex_count;
    extract->result.triangles = extract->mesh.triangle_count;
    extract_number(extract, &cells, part);
    part->last = extract->at >= extract->parts->count;
    extract->joined = true;
    return true;
}

// Works on one part: loads it, if necessary in several calls, and hands out its surface, if it has
// one.
static bool extract_work(
    struct extract *extract, double ms, struct part *part, enum next *next, struct problem *problem)
{
    struct parts *parts = extract->parts;
    struct one_part *one = &parts->list[extract->at];
    *next = NEXT_NOT_YET;
    bool there = extract->loading != NULL;
    if (!there && !parts_place(parts, one, &there, problem)) {
        return false;
    }
    if (!there && !parts_fill(parts, one, problem)) {
        parts_drop_now(parts);
        return false;
    }
    if (extract->loading) {
        bool done = false;
        if (!atlas_load_next(extract->loading, ms, &done, problem)) {
            return false;
        }
        if (!done) {
            return true;
        }
        if (!parts_loaded(parts, one, problem)) {
            parts_drop_now(parts);
            return false;
        }
    }
    if (extract_misses(extract, one)) {
        extract->alone = false;
        extract->at++;
        return true;
    }
    extract->result = (struct extraction_result){ 0 };
    if (extract->query.mesh && one->cells.rows) {
        return parts_extract(parts, &extract->result, problem) && extract_collect(extract, problem);
    }
    *next = NEXT_PART;
    const bool ready = extract->query.load_only
                           ? !parts_extracts(parts) || parts_have_extraction(parts, problem)
                           : parts_extract(parts, &extract->result, problem);
    return ready && extract_hand_out(extract, part, problem);
}

enum next
extract_next(struct extract *extract, double ms, struct part *part, struct problem *problem)
{
    struct parts *parts = extract->parts;
    const double start = clock_ms();
    bool worked = false;
    struct problem ours = { 0 };
    extract_count_part(extract);
    while (extract->at < parts->count || extract->collecting) {
        if (interrupted) {
            problem_set(&ours, PROBLEM_INTERRUPTED, "interrupted");
            goto fail;
        }
        if (extract->collecting && (extract->at == parts->count ||
                                    parts->list[extract->at].cells.first != extract->layer)) {
            if (!extract_hand_out_layer(extract, part, &ours)) {
                goto fail;
            }
            return NEXT_PART;
        }
        if (!extract->loading && extract_misses(extract, &parts->list[extract->at])) {
            extract->totals.missed++;
            extract->at++;
            continue;
        }
        const double left = ms > 0 ? ms - (clock_ms() - start) : 0;
        if (ms > 0 && left <= 0 && worked) {
            return NEXT_NOT_YET;
        }
        enum next next;
        worked = true; // every call makes progress, however short its time is
        if (extract_work(extract, ms <= 0 || left > 0 ? fmax(left, 0) : ms, part, &next, &ours)) {
            if (next == NEXT_PART) {
                return next;
            }
        } else if (!extract_retry(extract, &ours)) {
            goto fail;
        }
    }
    return NEXT_DONE;
fail:
    extract->failed = ours.kind != PROBLEM_INTERRUPTED;
    if (problem) {
        *problem = ours;
    }
    return NEXT_FAILED;
}

struct extract_progress extract_progress(const struct extract *extract)
{
    const struct parts *parts = extract->parts;
    const uint32_t from = parts->plan.from;
    const double layers = parts->plan.to - from;
    struct extract_progress out = { .bytes_read = extract->totals.bytes_read };
    if (extract->at >= parts->count) {
        out.share = 1;
        return out;
    }
    const struct atlas_part *cells = &parts->list[extract->at].cells;
    const double loaded = extract->loading ? atlas_load_share(extract->loading) : 0;
    const double rows = cells->rows ? parts->params.volume->dim[1] - 1 : 1;
    const double done = cells->rows ? cells->first_row / rows : 0;
    const double part =
        (cells->rows ? cells->rows / rows : cells->layers) * (extract->handed ? 1 : loaded / 2);
    out.share = (cells->first - from + done + part) / layers;
    return out;
}

const struct extract_totals *extract_totals(const struct extract *extract)
{
    struct extract_totals *totals = &((struct extract *)extract)->totals;
    totals->parts = extract->parts->count;
    totals->held = extract->parts->held.count;
    return totals;
}

void extract_end(struct extract *extract)
{
    if (extract) {
        struct parts *parts = extract->parts;
        if (extract->loading) {
            parts_drop_now(parts);
        }
        mesh_destroy(&extract->mesh);
        parts_rows_destroy(&extract->rows);
        parts->extract = NULL;
        parts->gpu->budget.reserve[PURPOSE_STAGING] = 0;
        if (extract->failed && !parts->kept) {
            parts_clear(parts);
        }
        free(extract);
    }
}

void extract_add_stages(struct extraction_result *total, const struct extraction_result *part)
{
    total->bricks_choice = part->bricks_choice;
    total->cells_choice = part->cells_choice;
    for (uint32_t i = 0; i < part->stage_count; i++) {
        uint32_t at = 0;
        while (at < total->stage_count && total->stages[at].kind != part->stages[i].kind) {
            at++;
        }
        if (at == STOPWATCH_STAGES) {
            continue;
        }
        if (at == total->stage_count) {
            total->stages[total->stage_count++] = part->stages[i];
            total->stage_ms[at] = 0;
        }
        total->stage_ms[at] += part->stage_ms[i];
    }
}
