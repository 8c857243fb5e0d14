#include "app/piecewise.h"

#include "app/notes.h"
#include "app/number.h"
#include "app/progress.h"
#include "compute/mesh_sums.h"
#include "compute/mesh_writer.h"
#include "volumes/spool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_OF_A_CPU (UINT64_C(1) << 24)

// A run, as the sink of the slabs sees it.
struct run_of {
    struct piecewise *piecewise;
    const struct volume *volume;
    struct mesh_writer *writer; // NULL: nothing is written
    struct mesh_sums sums;
    struct progress progress;
    uint32_t layers_done; // when the slab that is worked on began
    uint64_t bytes_read;
};

static bool read_whole(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const char *path, struct problem *problem)
{
    struct problem why;
    if (session_read(session, piecewise->file.path, options, &why)) {
        session->path = path;
        return true;
    }
    return piecewise->file.spool > 0 ? spool_blame(piecewise->file.spool, &why, problem)
                                     : problem_set(problem, why.code, "%s", why.text);
}

bool piecewise_open(
    struct piecewise *piecewise, struct session *session, const char *path,
    const struct options *options, struct problem *problem)
{
    struct volume_params params = options->volume;
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "opening");
    params.progress = &progress;
    params.target = options->output;
    struct problem why;
    const bool fine = volume_file_open(path, &params, &piecewise->file, &why);
    progress_end(&meter);
    session->path = path;
    if (!fine && piecewise->file.only_whole && options->memory_budget) {
        volume_note("%s", why.text);
        const bool read = read_whole(piecewise, session, options, path, problem);
        volume_file_close(&piecewise->file);
        return read;
    }
    if (!fine) {
        volume_file_close(&piecewise->file);
        return problem_set(problem, why.code, "%s", why.text);
    }
    session->volume = piecewise->file.volume;
    session->read_ms = clock_ms() - start;
    notes_warn(&session->volume);
    return progress_go_on(problem);
}

void piecewise_close(struct piecewise *piecewise)
{
    volume_file_close(&piecewise->file);
    measured_destroy(&piecewise->measured);
}

static bool not_interrupted(void *user, double share)
{
    (void)user;
    (void)share;
    return !gpu_interrupted;
}

static bool
read_slices(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    const struct progress progress = { .report = not_interrupted };
    return volume_file_read(user, z, count, samples, &progress, problem);
}

static bool go_on(void *user, const struct slabs_progress *at)
{
    struct run_of *run = user;
    if (at->layers_done != run->layers_done) {
        run->layers_done = at->layers_done;
        run->bytes_read = at->bytes_read;
    }
    // Reading counts for half a slab.
    const double slab =
        (double)volume_bytes(run->volume) / run->volume->dim[2] * 2 * run->piecewise->plan.layers;
    double part = (double)(at->bytes_read - run->bytes_read) / slab;
    part = (part < 0.5 ? part : 0.5) * run->piecewise->plan.layers;
    const double done = (at->layers_done + part) / at->layers;
    return run->progress.report(run->progress.user, done < 1 ? done : 1);
}

// Adds up what the slabs say of themselves.
static void count(struct extraction_result *total, const struct extraction_result *slab)
{
    total->bricks_choice = slab->bricks_choice;
    total->cells_choice = slab->cells_choice;
    for (uint32_t i = 0; i < slab->stage_count; i++) {
        uint32_t at = 0;
        while (at < total->stage_count && strcmp(total->stages[at], slab->stages[i]) != 0) {
            at++;
        }
        if (at == STOPWATCH_STAGES) {
            continue;
        }
        if (at == total->stage_count) {
            total->stages[total->stage_count++] = slab->stages[i];
            total->stage_ms[at] = 0;
        }
        total->stage_ms[at] += slab->stage_ms[i];
    }
}

static bool measure_part(struct run_of *run, const struct slabs_part *part, struct problem *problem)
{
    const struct mesh *mesh = part->mesh;
    struct mesh world = {
        .vertex_count = mesh->vertex_count,
        .positions = malloc((mesh->vertex_count + 1) * sizeof *world.positions),
        .normals = malloc((mesh->vertex_count + 1) * sizeof *world.normals),
    };
    const bool fine = world.positions && world.normals;
    if (fine) {
        memcpy(world.positions, mesh->positions, mesh->vertex_count * sizeof *world.positions);
        memcpy(world.normals, mesh->normals, mesh->vertex_count * sizeof *world.normals);
        mesh_to_world(&world, run->volume);
        mesh_sums_bounds(&run->sums, &world);
        world.triangles = mesh->triangles; // not turned over, where the volume mirrors
        world.triangle_count = mesh->triangle_count;
        mesh_sums_size(&run->sums, &world);
        mesh_sums_edges(&run->sums, &world, part->first_vertex);
    }
    free(world.positions);
    free(world.normals);
    return fine || problem_set(problem, PROBLEM_DEVICE, "out of memory measuring the mesh");
}

static bool write_part(struct run_of *run, const struct slabs_part *part, struct problem *problem)
{
    const struct mesh *mesh = part->mesh;
    for (uint64_t first = 0; first < part->vertices; first += MESH_BLOCK) {
        if (!mesh_writer_vertices(
                run->writer, mesh_block(part->vertices, first),
                (const float(*)[3])mesh->positions + first,
                (const float(*)[3])mesh->normals + first, problem) ||
            !progress_go_on(problem)) {
            return false;
        }
    }
    for (uint64_t first = 0; first < mesh->triangle_count; first += MESH_BLOCK) {
        uint64_t corners[MESH_BLOCK][3];
        const size_t n = mesh_block(mesh->triangle_count, first);
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                corners[i][k] = part->first_vertex + mesh->triangles[first + i][k];
            }
        }
        if (!mesh_writer_triangles(run->writer, n, (const uint64_t(*)[3])corners, problem) ||
            !progress_go_on(problem)) {
            return false;
        }
    }
    return true;
}

static bool take_part(void *user, const struct slabs_part *part, struct problem *problem)
{
    struct run_of *run = user;
    struct measured *measured = &run->piecewise->measured;
    count(&measured->result, part->result);
    const double start = clock_ms();
    if (!progress_go_on(problem) || !measure_part(run, part, problem) || !progress_go_on(problem)) {
        return false;
    }
    measured->facts_ms += clock_ms() - start;
    return !run->writer || write_part(run, part, problem);
}

// What an isovalue that is no number goes by; NULL in *ranges where it is one.
static bool know_facts(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    struct slice_range **ranges, struct problem *problem)
{
    *ranges = NULL;
    if (!piecewise->file.path) {
        return true; // session_read has found them
    }
    session->no_facts = options->isos[0].kind == ISOVALUE_NUMBER;
    if (session->no_facts) {
        return true;
    }
    *ranges = calloc(session->volume.dim[2], sizeof **ranges);
    if (!*ranges) {
        return problem_set(problem, PROBLEM_DEVICE, "out of memory reading '%s'", session->path);
    }
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "looking at the range");
    meter.bytes = volume_bytes(&session->volume);
    const bool fine =
        volume_file_facts(&piecewise->file, &progress, &session->facts, *ranges, problem);
    progress_end(&meter);
    session->read_ms += clock_ms() - start;
    return fine;
}

static struct slabs_params params_of(const struct session *session, const struct options *options)
{
    return (struct slabs_params){
        .volume = &session->volume,
        .budget = options->memory_budget,
        .residents = 1, // each is needed once
        .storage = options->atlas.storage,
        .max_extent = options->atlas.max_extent,
        .method = options->method ? options->method : method_default(),
    };
}

bool piecewise_needed(struct session *session, const struct options *options)
{
    const struct slabs_params params = params_of(session, options);
    struct slabs_plan plan;
    return slabs_plan(&session->gpu, &params, &plan, NULL) && plan.count > 1;
}

static bool commit(struct piecewise *piecewise, struct mesh_writer *writer, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    meter.bytes = writer->vertices.size + writer->triangles.size;
    const bool fine = mesh_writer_commit(writer, &progress, problem);
    progress_end(&meter);
    piecewise->write_ms = clock_ms() - start;
    return fine;
}

static void finish(struct run_of *run, struct session *session, const struct slabs_step *step)
{
    struct piecewise *piecewise = run->piecewise;
    struct measured *measured = &piecewise->measured;
    struct extraction_result *result = &measured->result;
    result->iso = step->iso;
    result->method = step->method;
    result->whole = true;
    result->vertices = piecewise->slabs.vertices;
    result->triangles = piecewise->slabs.triangles;
    result->active_bricks = piecewise->slabs.active_bricks;
    result->active_cells = piecewise->slabs.active_cells;
    if (!result->bricks_choice.method) {
        result->bricks_choice.method = result->cells_choice.method = step->method;
    }
    memcpy(measured->facts.bounds, run->sums.bounds, sizeof measured->facts.bounds);
    measured->facts.area = run->sums.area;
    measured->facts.volume = mesh_mirrors(run->volume) ? -run->sums.volume : run->sums.volume;
    measured->facts.closed = mesh_sums_balanced(&run->sums);
    measured->device_bytes = session->gpu.peak_allocated;
    if (session->no_facts && result->triangles == 0) {
        char text[32];
        volume_warn(
            "the surface is empty: no cell lies on isovalue %s", number_text(step->iso, text));
    }
}

// Nobody can stop what a device is at: where it is a CPU a slab takes it well under a second only
// when it is small. 0: as many as fit.
static uint32_t most_layers(const struct gpu *gpu, const struct volume *volume)
{
    const uint64_t most = CELLS_OF_A_CPU / ((uint64_t)volume->dim[0] * volume->dim[1]);
    return gpu->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU ? 0
           : most > volume->dim[2]                                   ? 0
           : most > 0                                                ? (uint32_t)most
                                                                     : 1;
}

// The middle of the volume's grid, in its world.
static void centre_of(const struct volume *volume, double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = volume->origin[r];
        for (int c = 0; c < 3; c++) {
            out[r] +=
                volume->direction[3 * r + c] * volume->spacing[c] * (volume->dim[c] - 1.0) / 2;
        }
    }
}

bool piecewise_run(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const struct mesh_format *format, struct problem *problem)
{
    struct slabs *slabs = NULL;
    struct slice_range *ranges = NULL;
    struct mesh_writer writer = { 0 };
    struct run_of run = { .piecewise = piecewise, .volume = &session->volume };
    struct slabs_step step = { .sink = { .part = take_part, .progress = go_on, .user = &run } };
    struct slabs_params params = params_of(session, options);
    const struct atlas_source source = { read_slices, &piecewise->file };
    if (!session->gpu.device && !session_open(session, options, problem)) {
        return false;
    }
    params.layers = most_layers(&session->gpu, run.volume);
    bool fine = session_method(session, options->method, &step.method, problem) &&
                slabs_plan(&session->gpu, &params, &piecewise->plan, problem) &&
                know_facts(piecewise, session, options, &ranges, problem);
    if (!fine) {
        free(ranges);
        return false;
    }
    piecewise->measured.in_pieces = true;
    step.iso = session_iso(session, &options->isos[0]);
    params.source = piecewise->file.path ? &source : NULL;
    params.ranges = ranges;
    params.times = session->has_times ? &session->times : NULL;
    centre_of(run.volume, run.sums.centre);

    const struct mesh_writer_params target = { .format = format, .volume = run.volume };
    fine = slabs_create(&session->gpu, &params, &slabs, problem) &&
           (!format || mesh_writer_open(options->output, &target, &writer, problem));
    free(ranges);
    if (fine && options->verbose) {
        fprintf(
            stderr, "cubist: %u slabs of up to %u layers of cells, in %.1f MiB of device memory\n",
            piecewise->plan.count, piecewise->plan.layers, (double)piecewise->plan.budget / 0x1p20);
    }
    if (fine) {
        const double start = clock_ms();
        struct progress_meter meter;
        run.writer = format ? &writer : NULL;
        run.progress = progress_to_terminal(&meter, "extracting");
        meter.bytes = volume_bytes(run.volume);
        fine = slabs_run(slabs, &step, &piecewise->slabs, problem);
        progress_end(&meter);
        piecewise->measured.extract_ms = clock_ms() - start;
    }
    slabs_destroy(slabs);
    fine = fine && (!format || commit(piecewise, &writer, problem));
    if (fine) {
        finish(&run, session, &step);
    } else if (format) {
        mesh_writer_abort(&writer);
    }
    return fine;
}

void piecewise_json(const struct piecewise *piecewise, json_t *json)
{
    if (!piecewise) {
        json_add_null(json, "slabs");
        return;
    }
    const struct slabs_result *slabs = &piecewise->slabs;
    json_t *object = json_add_object(json, "slabs");
    json_add_count(object, "budget_bytes", piecewise->plan.budget);
    json_add_count(object, "layers", piecewise->plan.layers);
    json_add_count(object, "count", slabs->slabs);
    json_add_count(object, "loaded", slabs->loaded);
    json_add_count(object, "missed", slabs->missed);
    json_add_count(object, "cut", slabs->cut);
    json_add_count(object, "bytes_read", slabs->bytes_read);
}

void piecewise_text(const struct piecewise *piecewise, FILE *file)
{
    const struct slabs_result *slabs = &piecewise->slabs;
    fprintf(
        file,
        "slabs         %u of up to %u layers: %u loaded, %u missed, %u cut in two; %.1f MiB read, "
        "budget %.1f MiB\n",
        slabs->slabs, piecewise->plan.layers, slabs->loaded, slabs->missed, slabs->cut,
        (double)slabs->bytes_read / 0x1p20, (double)piecewise->plan.budget / 0x1p20);
}
