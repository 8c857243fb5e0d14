#include "app/cli/piecewise.h"

#include "app/base/notes.h"
#include "app/base/number.h"
#include "app/base/progress.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_OF_A_CPU (UINT64_C(1) << 24)

static bool read_whole(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const char *path, struct problem *problem)
{
    const bool fine = session_read(session, piecewise->file.path, options, problem);
    session->path = path;
    return fine;
}

// Opens the file in place of session_read: session->volume is then without samples.
static bool piecewise_open(
    struct piecewise *piecewise, struct session *session, const char *path,
    const struct options *options, struct problem *problem)
{
    if (!path) {
        return session_read(session, path, options, problem);
    }
    struct volume_params params = options->volume;
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "opening");
    params.progress = &progress;
    struct problem why;
    const bool fine = volume_file_open(path, &params, &piecewise->file, &why);
    progress_end(&meter);
    session->path = path;
    if (!fine && piecewise->file.only_whole && options->memory_budget) {
        log_note("%s", why.text);
        const bool read = read_whole(piecewise, session, options, path, problem);
        volume_file_close(&piecewise->file);
        return read;
    }
    if (!fine) {
        volume_file_close(&piecewise->file);
        return problem_set(problem, why.kind, "%s", why.text);
    }
    session->volume = piecewise->file.volume;
    session->read_ms = clock_ms() - start;
    notes_warn(&session->volume);
    return progress_go_on(problem);
}

bool piecewise_choose(
    struct piecewise *piecewise, struct session *session, const char *path,
    const struct options *options, const char *done, struct problem *problem)
{
    struct problem why;
    piecewise->chosen = true;
    if (options->memory_budget) {
        return piecewise_open(piecewise, session, path, options, problem) &&
               (session->gpu.device || session_open(session, options, problem));
    }
    if (!session_read(session, path, options, &why)) {
        if ((why.kind != PROBLEM_HOST_MEMORY && why.kind != PROBLEM_LIMIT) || !path ||
            strcmp(path, "-") == 0 || !piecewise_open(piecewise, session, path, options, NULL)) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
        log_note("the volume does not fit into memory: it is %s slab by slab", done);
        return session_open(session, options, problem);
    }
    if (!session_open(session, options, problem)) {
        return false;
    }
    const struct slabs_params params = piecewise_params(session, options);
    struct slabs_plan plan;
    piecewise->chosen = slabs_plan(&session->gpu, &params, &plan, NULL) && plan.count > 1;
    if (piecewise->chosen) {
        log_note("the volume does not fit the device's memory: it is %s slab by slab", done);
    }
    return true;
}

void piecewise_close(struct piecewise *piecewise)
{
    slabs_destroy(piecewise->slabs);
    piecewise->slabs = NULL;
    volume_file_close(&piecewise->file);
}

static bool not_interrupted(void *user, double share)
{
    (void)user;
    (void)share;
    return !interrupted;
}

static bool
read_slices(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    const struct progress progress = { .report = not_interrupted };
    return volume_file_read(user, z, count, samples, &progress, problem);
}

struct atlas_source piecewise_source(struct volume_file *file)
{
    return (struct atlas_source){ read_slices, file };
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
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", session->path);
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

struct slabs_params piecewise_params(const struct session *session, const struct options *options)
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

// Nobody can stop what a device is at: where it is a CPU a slab takes it well under a second only
// when it is small. 0: as many as fit.
uint32_t piecewise_layers(const struct gpu *gpu, const struct volume *volume)
{
    const uint64_t most = CELLS_OF_A_CPU / ((uint64_t)volume->dim[0] * volume->dim[1]);
    return gpu->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU ? 0
           : most > volume->dim[2]                                   ? 0
           : most > 0                                                ? (uint32_t)most
                                                                     : 1;
}

bool piecewise_begin(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    struct problem *problem)
{
    struct slabs_step *step = &piecewise->step;
    struct slice_range *ranges = NULL;
    piecewise->source = piecewise_source(&piecewise->file);
    struct slabs_params params = piecewise_params(session, options);
    const uint32_t most = piecewise_layers(&session->gpu, &session->volume);
    params.layers = most;
    if (piecewise->stays) {
        struct slabs_plan plan;
        params.residents = params.layers = 0;
        params.method = NULL;
        if (!slabs_plan(&session->gpu, &params, &plan, problem)) {
            return false;
        }
        params.layers = most && most < plan.layers ? most : plan.layers;
    }
    params.source = piecewise->file.path ? &piecewise->source : NULL;
    bool fine = session_method(session, options->method, &step->method, problem) &&
                slabs_plan(&session->gpu, &params, &piecewise->plan, problem) &&
                know_facts(piecewise, session, options, &ranges, problem);
    if (fine) {
        step->iso = session_iso(session, &options->isos[0]);
        params.ranges = ranges;
        params.times = session->has_times ? &session->times : NULL;
        fine = slabs_create(&session->gpu, &params, &piecewise->slabs, problem);
    }
    free(ranges);
    if (fine && options->verbose) {
        fprintf(
            stderr, "cubist: %u slabs of up to %u layers of cells, in %.1f MiB of device memory\n",
            piecewise->plan.count, piecewise->plan.layers, (double)piecewise->plan.budget / 0x1p20);
    }
    return fine;
}

// A run, as its progress sees it.
struct walk {
    const struct piecewise *piecewise;
    const struct volume *volume;
    struct progress progress;
    uint32_t layers_done; // when the slab that is worked on began
    uint64_t bytes_read;
    const struct slabs_sink *sink;
};

static bool go_on(void *user, const struct slabs_progress *at)
{
    struct walk *walk = user;
    if (at->layers_done != walk->layers_done) {
        walk->layers_done = at->layers_done;
        walk->bytes_read = at->bytes_read;
    }
    // Reading counts for half a slab.
    const uint32_t layers = walk->piecewise->plan.layers;
    const double slab = (double)volume_bytes(walk->volume) / walk->volume->dim[2] * 2 * layers;
    double part = (double)(at->bytes_read - walk->bytes_read) / slab;
    part = (part < 0.5 ? part : 0.5) * layers;
    const double done = (at->layers_done + part) / at->layers;
    return walk->progress.report(walk->progress.user, done < 1 ? done : 1);
}

static bool pass_surface(
    void *user, const struct atlas *atlas, struct surface *surface,
    const struct extraction_result *result, struct problem *problem)
{
    const struct slabs_sink *sink = ((struct walk *)user)->sink;
    return sink->surface(sink->user, atlas, surface, result, problem);
}

static bool pass_part(void *user, const struct slabs_part *part, struct problem *problem)
{
    const struct slabs_sink *sink = ((struct walk *)user)->sink;
    return sink->part(sink->user, part, problem);
}

bool piecewise_walk(
    struct piecewise *piecewise, const struct session *session, const char *label,
    const struct slabs_sink *sink, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    struct walk walk = { .piecewise = piecewise, .volume = &session->volume, .sink = sink };
    struct slabs_step *step = &piecewise->step;
    walk.progress = progress_to_terminal(&meter, label);
    meter.bytes = volume_bytes(walk.volume);
    step->sink = (struct slabs_sink){
        .surface = sink->surface ? pass_surface : NULL,
        .part = sink->part ? pass_part : NULL,
        .progress = go_on,
        .user = &walk,
    };
    const bool fine = slabs_run(piecewise->slabs, step, &piecewise->found, problem);
    progress_end(&meter);
    piecewise->ms = clock_ms() - start;
    return fine;
}

bool piecewise_run(
    struct piecewise *piecewise, const struct session *session, const char *label,
    const struct slabs_sink *sink, struct problem *problem)
{
    const bool fine = piecewise_walk(piecewise, session, label, sink, problem);
    slabs_destroy(piecewise->slabs); // its memory is for what comes next
    piecewise->slabs = NULL;
    if (fine && session->no_facts && piecewise->found.triangles == 0) {
        char text[32];
        log_warn(
            "the surface is empty: no cell lies on isovalue %s",
            number_text(piecewise->step.iso, text));
    }
    return fine;
}

void piecewise_json(const struct piecewise *piecewise, json_t *json)
{
    if (!piecewise) {
        json_add_null(json, "slabs");
        return;
    }
    const struct slabs_result *slabs = &piecewise->found;
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
    const struct slabs_result *slabs = &piecewise->found;
    fprintf(
        file,
        "slabs         %u of up to %u layers: %u loaded, %u missed, %u cut in two; %.1f MiB read, "
        "budget %.1f MiB\n",
        slabs->slabs, piecewise->plan.layers, slabs->loaded, slabs->missed, slabs->cut,
        (double)slabs->bytes_read / 0x1p20, (double)piecewise->plan.budget / 0x1p20);
}
