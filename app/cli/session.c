#include "app/cli/session.h"

#include "app/base/notes.h"
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/times_cache.h"
#include "volumes/base/log.h"
#include "volumes/generate.h"

#include <stdio.h>

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
    notes_warn(&session->volume);
    if (options->verbose) {
        notes_volume(path, &session->volume, session->read_ms);
    }
    return progress_go_on(problem);
}

bool session_open(struct session *session, const struct options *options, struct problem *problem)
{
    const double start = clock_ms();
    const struct gpu_params params = { .device = options->device, .validate = options->validate };
    if (!gpu_create(&params, &session->gpu, problem)) {
        return false;
    }
    session->device_ms = clock_ms() - start;
    if (options->verbose) {
        notes_device(&session->gpu, session->device_ms);
    }
    return progress_go_on(problem);
}

bool session_upload(struct session *session, const struct options *options, struct problem *problem)
{
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "uploading");
    struct atlas_params params = options->atlas;
    params.progress = &progress;
    const bool packed =
        atlas_create(&session->gpu, &session->volume, &params, &session->atlas, problem);
    progress_end(&meter);
    const double start = clock_ms();
    if (!packed ||
        !extraction_create(&session->gpu, &session->atlas, &session->extraction, problem)) {
        return false;
    }
    session->kernels_ms = clock_ms() - start;
    if (options->verbose) {
        notes_atlas(&session->atlas);
    }
    return progress_go_on(problem);
}

void session_forget_samples(struct session *session)
{
    struct volume frame = session->volume;
    frame.samples = NULL;
    volume_destroy(&session->volume);
    session->volume = frame;
}

// Once: the times that the cache has for this device.
static void know_times(struct session *session)
{
    if (!session->asked_for_times) {
        session->asked_for_times = true;
        session->has_times = times_cache_load(&session->gpu, &session->times);
        if (session->has_times && session->extraction) {
            extraction_choose_by(session->extraction, &session->times);
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
    if (method->picks) {
        know_times(session);
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

void session_json(const struct session *session, json_t *json)
{
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", session->volume.dim);
    json_add_text(json, "type", volume_type_name(session->volume.file_type));
    json_add_text(json, "device", session->gpu.properties.deviceName);
    json_add_text(json, "driver", session->gpu.driver);
}

bool session_close(struct session *session, bool fine, struct problem *problem)
{
    extraction_destroy(session->extraction);
    atlas_destroy(&session->gpu, &session->atlas);
    gpu_destroy(&session->gpu);
    volume_destroy(&session->volume);
    if (fine && session->gpu.messages > 0) {
        return problem_set(
            problem, PROBLEM_INTERNAL, "the validation layers had %u messages, see above",
            session->gpu.messages);
    }
    return fine;
}
