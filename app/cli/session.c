#include "app/cli/session.h"

#include "app/base/cache.h"
#include "app/base/file_source.h"
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/cli/volume_ranks.h"
#include "app/ranks/ranks.h"
#include "compute/mesh/share.h"
#include "volumes/base/apart.h"
#include "volumes/base/log.h"
#include "volumes/formats/readers.h"
#include "volumes/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_read(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem)
{
    const double start = clock_ms();
    session->path = path;
    if (path) {
        struct progress_meter meter;
        const struct progress progress = progress_to_terminal(&meter, "reading");
        struct volume_params params = options->volume;
        params.progress = &progress;
        params.contents = &session->contents;
        params.level_bytes = session->level_bytes;
        const bool fine = volume_read(path, &params, &session->volume, problem);
        progress_end(&meter);
        if (!fine) {
            return false;
        }
    } else if (!volume_generate_default(&session->volume, problem)) {
        return false;
    }
    session->read_ms = clock_ms() - start;
    volume_facts(&session->volume, &session->facts);
    if (session->draws && !volume_cubes(&session->volume, NULL, &session->cubes, problem)) {
        volume_destroy(&session->volume); // the file may be opened for parts instead
        contents_free(&session->contents);
        return false;
    }
    notes_warn(&session->volume);
    if (options->verbose) {
        notes_volume(path, &session->volume, session->read_ms);
    }
    return progress_go_on(problem);
}

// ---- the device ----

// Ranks of a host get its devices in turn. A CPU device gets only the cores of this rank.
static void session_device_prepare(struct gpu_params *params)
{
    params->process = (uint32_t)ranks()->local_rank;
    params->processes = (uint32_t)ranks()->local_count;
    if (ranks()->local_count > 1) {
        // Otherwise llvmpipe would use all cores in each rank.
        char cores[16];
        snprintf(cores, sizeof cores, "%d", ranks()->cores);
        setenv("LP_NUM_THREADS", cores, 0);
    }
}

// What a rank tells the others about its device.
struct session_device {
    char host[64], name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    uint8_t uuid[VK_UUID_SIZE];
    uint8_t software;
};

static bool session_device_is(const struct session_device *a, const struct session_device *b)
{
    return strcmp(a->host, b->host) == 0 && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

// How many ranks use the device of rank `of`. Sets *other to another of them, if there is one.
static uint32_t session_device_users(const struct session_device *all, int of, int *other)
{
    uint32_t users = 0;
    for (int i = ranks()->count - 1; i >= 0; i--) {
        if (session_device_is(&all[i], &all[of])) {
            users++;
            *other = i == of ? *other : i;
        }
    }
    return users;
}

static void session_device_note(const struct session_device *all)
{
    for (int i = 0; i < ranks()->count; i++) {
        int other = i;
        const uint32_t users = session_device_users(all, i, &other);
        if (users > 1 && !all[i].software) {
            log_note(
                "ranks %d and %d on %s use the same device, %s; each of its %u ranks takes 1/%u of "
                "its memory",
                i, other, all[i].host, all[i].name, users, users);
            return;
        }
    }
}

// Collective. Call it after gpu_create. Ranks that use the same device get equal shares of its free
// memory as their budgets, unless a budget is set. A note names a GPU that several ranks use.
static bool session_device_share(struct gpu *gpu, struct problem *problem)
{
    if (ranks()->count == 1) {
        return true;
    }
    struct session_device own = { .software = gpu->software };
    memcpy(own.host, ranks()->host, sizeof own.host);
    memcpy(own.uuid, gpu->device_uuid, sizeof own.uuid);
    memcpy(own.name, gpu->properties.deviceName, sizeof own.name);
    // Ask before the other ranks allocate device memory.
    const uint64_t left = gpu_memory_free(gpu);
    struct session_device *all = calloc((size_t)ranks()->count, sizeof *all);
    if (!all) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory listing the ranks' devices");
    }
    const bool fine = ranks_gather(&own, sizeof own, all, problem);
    if (fine) {
        int other;
        const uint32_t users = session_device_users(all, ranks()->rank, &other);
        if (users > 1 && gpu->budget.limit == 0) {
            gpu->budget.limit = left / users + 1; // 0 would be no limit
        }
        session_device_note(all);
    }
    free(all);
    return fine;
}

bool session_open(struct session *session, const struct options *options, struct problem *problem)
{
    const double start = clock_ms();
    struct gpu_params params = {
        .device = options->device,
        .validate = options->validate,
        .draws = session->draws,
    };
    session_device_prepare(&params);
    if (!gpu_create(&params, &session->gpu, problem)) {
        return false;
    }
    session->gpu.budget.limit = options->memory_budget;
    if (!session_device_share(&session->gpu, problem)) {
        return false;
    }
    pipeline_cache_load(&session->gpu);
    session->device_ms = clock_ms() - start;
    if (options->verbose) {
        notes_device(&session->gpu, session->device_ms);
    }
    return progress_go_on(problem);
}

// Whether the volume shall be read part by part, even if it fits into memory.
static bool session_by_parts(const struct options *options)
{
    return options->memory_budget || options->share || options->resume || ranks()->count > 1;
}

// Opens the file but, unlike session_read, does not read its samples into session->volume.
static bool session_open_file(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem)
{
    if (!path) {
        return session_read(session, path, options, problem);
    }
    if (!volume_ranks_can_read(path, ranks()->count, problem)) {
        return false;
    }
    struct volume_params params = options->volume;
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "opening");
    params.progress = &progress;
    struct problem why;
    struct source_files files = { 0 };
    params.files = &files;
    params.level_bytes = session->level_bytes;
    const bool fine = volume_file_open(path, &params, &session->file, &why);
    progress_end(&meter);
    const bool known = strcmp(path, "-") == 0 || // standard input has no fingerprint
                       fingerprint_of_files(&files, ranks()->count > 1, &session->files, problem);
    source_files_free(&files);
    if (!known) {
        volume_file_close(&session->file);
        return false;
    }
    session->path = path;
    if (!fine) {
        return problem_set(problem, why.kind, "%s", why.text);
    }
    volume_ranks_note(&session->file, ranks()->count);
    session->volume = session->file.volume;
    session->contents = session->file.contents;
    session->file.contents = (struct contents){ 0 };
    if (!volume_ranks_same(&session->file, &session->files, &session->middle, problem)) {
        return false;
    }
    session->read_ms = clock_ms() - start;
    notes_warn(&session->volume);
    return progress_go_on(problem);
}

struct parts_params
session_parts_params(const struct session *session, const struct options *options)
{
    uint32_t from = 0, to = 0;
    if (options->share) {
        share_layers(options->share, options->shares, session->volume.dim[2] - 1, &from, &to);
    }
    return (struct parts_params){
        .volume = &session->volume,
        .some = options->share,
        .from = from,
        .to = to,
        .residents = 1,
        .storage = options->atlas.storage,
        .max_extent = options->atlas.max_extent,
        .method = options->method ? options->method : method_default(),
    };
}

// How many bytes a level of a volume may have that is drawn; 0: no limit. Opens the device, whose
// memory decides it, where the volume may have levels.
static bool session_open_for_level(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem)
{
    session->level_bytes = 0;
    if (!session->draws || !path || reader_folder_form(path) != FOLDER_FORM_ZARR) {
        return true;
    }
    if (!apart_folder(path, problem) || !session_open(session, options, problem)) {
        return false;
    }
    session->level_bytes = file_source_level_bytes(&session->gpu);
    return true;
}

// Opens the device, unless it is open.
static bool
session_open_once(struct session *session, const struct options *options, struct problem *problem)
{
    return session->level_bytes || session_open(session, options, problem);
}

bool session_load(
    struct session *session, const char *path, const struct options *options, const char *done,
    struct problem *problem)
{
    struct problem why, again = { 0 };
    session->reports_parts = true;
    if (!session_open_for_level(session, path, options, problem)) {
        return false;
    }
    if (session_by_parts(options)) {
        return session_open_file(session, path, options, problem) &&
               session_open_once(session, options, problem);
    }
    if (!session_read(session, path, options, &why)) {
        if (!file_source_instead(path, &why) ||
            !session_open_file(session, path, options, &again)) {
            const struct problem *said = again.kind == PROBLEM_INTERRUPTED ? &again : &why;
            return problem_set(problem, said->kind, "%s", said->text);
        }
        log_note("the volume does not fit into memory: it is %s part by part", done);
        return session_open_once(session, options, problem);
    }
    session->reports_parts = false;
    session->done = done;
    return session_open_once(session, options, problem);
}

// Finds the range of each slice, and those of the facts and the cubes that are not NULL.
static bool session_read_by_slices(
    struct session *session, struct volume_facts *facts, struct cubes *cubes,
    struct problem *problem)
{
    session->ranges = calloc(session->volume.dim[2], sizeof *session->ranges);
    if (!session->ranges) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", session->path);
    }
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "finding the range");
    meter.bytes = volume_bytes(&session->volume) / (uint64_t)ranks()->count;
    const bool fine = volume_ranks_facts(
        &session->file, &progress, facts, session->ranges, cubes, &session->facts_bytes, problem);
    progress_end(&meter);
    session->read_ms += clock_ms() - start;
    return fine;
}

bool session_read_facts(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem)
{
    if (ranks()->count == 1) {
        return session_read(session, path, options, problem);
    }
    if (!session_open_file(session, path, options, problem) ||
        !session_read_by_slices(session, &session->facts, NULL, problem)) {
        return false;
    }
    if (options->verbose) {
        notes_volume(path, &session->volume, session->read_ms);
    }
    return true;
}

bool session_learn_facts(
    struct session *session, const struct options *options, const struct parts_params *params,
    struct problem *problem)
{
    struct parts_plan plan;
    if (!session->file.path || session->ranges) {
        return true; // session_read has found them, or they are known
    }
    session->no_facts = !view_needs_facts(&options->view);
    for (uint32_t i = 0; i < options->iso_count; i++) {
        session->no_facts = session->no_facts && options->isos[i].kind == ISOVALUE_NUMBER;
    }
    if (session->no_facts && !session->draws) {
        return true;
    }
    // Check that the parts fit before the whole file is read.
    return parts_plan(&session->gpu, params, &plan, problem) &&
           session_read_by_slices(
               session, session->no_facts ? NULL : &session->facts,
               session->draws ? &session->cubes : NULL, problem);
}

bool session_parts(
    struct session *session, const struct options *options, const struct parts_params *params,
    struct problem *problem)
{
    struct parts_params own = *params;
    const struct atlas_source source =
        session->source ? *session->source : file_source(&session->file);
    own.volume = &session->volume;
    own.source = session->file.path ? &source : NULL;
    if (!session_learn_facts(session, options, &own, problem)) {
        return false;
    }
    own.ranges = session->ranges;
    own.times = session->has_times ? &session->times : NULL;
    const bool fine = parts_open(&session->gpu, &own, &session->parts, problem);
    if (fine && session->done && parts_planned(session->parts)->count > 1) {
        session->reports_parts = true;
        log_note(
            "the device does not take the volume at once: it is %s part by part", session->done);
    }
    if (fine && options->verbose && session->reports_parts) {
        notes_parts(parts_planned(session->parts));
    }
    return fine;
}

bool session_each(
    struct session *session, const struct query *query, const char *doing, session_part *each,
    void *user, struct extract_totals *totals, struct problem *problem)
{
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, doing);
    const struct parts_plan *plan = parts_planned(session->parts);
    meter.bytes =
        volume_bytes(&session->volume) / (session->volume.dim[2] - 1) * (plan->to - plan->from);
    struct extract *extract = extract_begin(session->parts, query, problem);
    enum next next = NEXT_PART;
    bool fine = extract;
    while (fine && next != NEXT_DONE) {
        struct part part;
        next = extract_next(extract, 100, &part, problem);
        fine = next != NEXT_FAILED;
        if (fine && !progress.report(progress.user, extract_progress(extract).share)) {
            fine = problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
        }
        fine = fine && (next != NEXT_PART || !each || each(user, extract, &part, problem));
    }
    progress_end(&meter);
    if (fine) {
        *totals = *extract_totals(extract);
    }
    extract_end(extract);
    return fine;
}

static bool session_not_whole(struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_DEVICE_MEMORY,
        "the device does not take the volume at once, for lack of memory or because of a limit; "
        "work on it part by part, with --memory-budget");
}

// Frees the samples in host memory. The rest of `volume` stays.
static void session_forget_samples(struct session *session)
{
    struct volume frame = session->volume;
    frame.samples = NULL;
    volume_destroy(&session->volume);
    session->volume = frame;
}

bool session_whole(
    struct session *session, const struct options *options, struct extraction **out,
    struct extract_totals *totals, struct problem *problem)
{
    struct parts_params params = session_parts_params(session, options);
    params.method = NULL; // a method with a lower limit of cells reports it when it runs
    const struct query query = { .method = method_default(),
                                 .every_brick = true,
                                 .load_only = true };
    if (!session_parts(session, options, &params, problem)) {
        return false;
    }
    if (parts_planned(session->parts)->count > 1) {
        return session_not_whole(problem);
    }
    if (!session_each(session, &query, "uploading", NULL, NULL, totals, problem)) {
        return false;
    }
    *out = parts_whole(session->parts);
    if (!*out) { // the extraction divided the volume
        return session_not_whole(problem);
    }
    parts_forget_samples(session->parts);
    session_forget_samples(session);
    if (options->verbose) {
        notes_atlas(parts_atlas(session->parts));
    }
    return progress_go_on(problem);
}

// Loads the saved times of this device, once.
static void session_learn_times(struct session *session)
{
    if (!session->asked_for_times) {
        session->asked_for_times = true;
        session->has_times = times_cache_load(&session->gpu, &session->times);
        struct extraction *whole = session->parts ? parts_whole(session->parts) : NULL;
        if (session->has_times && whole) {
            extraction_set_times(whole, &session->times);
        }
    }
}

bool session_method(
    struct session *session, const struct method *method, const struct method **out,
    struct problem *problem)
{
    method = method ? method : method_default();
    const char *why = method_unavailable(method, &session->gpu);
    if (why) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "%s cannot run on %s: %s", method->name,
            session->gpu.properties.deviceName, why);
    }
    if (method->selects) {
        session_learn_times(session);
    }
    *out = method;
    return true;
}

double session_iso(const struct session *session, const struct isovalue *isovalue)
{
    const struct volume_facts *facts = &session->facts;
    const double iso = isovalue_resolve(isovalue, facts);
    if (session->no_facts) {
        return iso;
    }
    if (facts->not_finite == volume_count(&session->volume)) {
        log_warn("no sample is finite, the surface is empty");
    } else if (iso <= facts->min || iso > facts->max) {
        char text[3][32];
        log_warn(
            "the surface is empty: isovalue %s %s the range %s to %s", number_text(iso, text[0]),
            iso < facts->min || iso > facts->max ? "lies outside" : "is the lower end of",
            number_text(facts->min, text[1]), number_text(facts->max, text[2]));
    }
    return iso;
}

bool session_contour_failed(double iso, uint32_t which, uint32_t count, struct problem *problem)
{
    static const char *const ends[] = { "th", "st", "nd", "rd" };
    if (problem->kind == PROBLEM_DEVICE_MEMORY && count > 1) {
        const struct problem why = *problem;
        const char *numbers = strstr(why.text, ": "); // they follow the name of a buffer
        char text[32];
        problem_set(
            problem, why.kind, "no device memory for the surface at %s (%u%s of %u): %s",
            number_text(iso, text), which + 1, ends[which < 3 ? which + 1 : 0], count,
            numbers && strstr(numbers, "MiB needed") ? numbers + 2 : why.text);
    }
    return false;
}

void session_warn_if_empty(const struct session *session, uint64_t triangles, double iso)
{
    if (session->no_facts && triangles == 0) {
        char text[32];
        log_warn("the surface is empty: no cell crosses isovalue %s", number_text(iso, text));
    }
}

void session_json(const struct session *session, json_t *json)
{
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", session->volume.dim);
    json_add_text(json, "type", volume_type_name(session->volume.file_type));
    json_add_text(json, "device", session->gpu.properties.deviceName);
    json_add_text(json, "driver", session->gpu.driver);
}

void session_parts_json(
    const struct session *session, const struct extract_totals *totals, json_t *json)
{
    if (!session->reports_parts || !session->parts) {
        json_add_null(json, "slabs");
        return;
    }
    const struct parts_plan *plan = parts_planned(session->parts);
    json_t *object = json_add_object(json, "slabs");
    json_add_count(object, "budget_bytes", plan->budget);
    json_add_count(object, "layers", plan->layers);
    json_add_count(object, "count", totals->parts);
    json_add_count(object, "loaded", totals->loaded);
    json_add_count(object, "missed", totals->missed);
    json_add_count(object, "cut", totals->cut);
    json_add_count(object, "bytes_read", totals->bytes_read);
}

void session_parts_text(
    const struct session *session, const struct extract_totals *totals, FILE *file)
{
    const struct parts_plan *plan = parts_planned(session->parts);
    char size[40];
    notes_part_size(plan, size);
    fprintf(
        file,
        "volume parts  %u of up to %s: %u loaded, %u missed, %u cut in two; %.1f MiB read, "
        "budget %.1f MiB\n",
        totals->parts, size, totals->loaded, totals->missed, totals->cut,
        (double)totals->bytes_read / 0x1p20, (double)plan->budget / 0x1p20);
}

bool session_close(struct session *session, bool fine, struct problem *problem)
{
    parts_close(session->parts);
    volume_file_close(&session->file);
    pipeline_cache_save(&session->gpu);
    gpu_destroy(&session->gpu);
    volume_destroy(&session->volume);
    contents_free(&session->contents);
    cubes_destroy(&session->cubes);
    free(session->ranges);
    if (fine && session->gpu.messages > 0) {
        return problem_set(
            problem, PROBLEM_INTERNAL, "the validation layers had %u messages, see above",
            session->gpu.messages);
    }
    return fine;
}
