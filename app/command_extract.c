#include "app/json.h"
#include "app/number.h"
#include "app/progress.h"
#include "app/session.h"
#include "app/target.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct report {
    const struct session *session;
    const struct options *options;
    struct extraction_result result;
    struct mesh_facts facts;
    double extract_ms, download_ms, facts_ms, write_ms;
    uint64_t device_bytes;
};

static bool print_json(const struct report *report, FILE *file, struct problem *problem)
{
    const struct session *session = report->session;
    const struct extraction_result *result = &report->result;
    const struct mesh_facts *facts = &report->facts;
    json_t *json = json_begin_report();
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", session->volume.dim);
    json_add_text(json, "type", volume_type_name(session->volume.file_type));
    json_add_number(json, "iso", result->iso);
    json_add_text(json, "method", result->method->name);
    json_add_text(json, "device", session->gpu.properties.deviceName);
    json_add_count(json, "active_cells", result->active_cells);
    json_add_count(json, "vertices", result->vertices);
    json_add_count(json, "triangles", result->triangles);
    json_add_number(json, "area", facts->area);
    json_add_number(json, "volume", facts->closed ? facts->volume : NAN);
    json_add_bool(json, "watertight", facts->watertight);
    json_add_bool(json, "closed", facts->closed);
    json_add_count(json, "open_edges", facts->open_edges);
    json_t *bounds = json_add_array(json, "bounds");
    json_add_numbers(bounds, NULL, facts->bounds[0], 3);
    json_add_numbers(bounds, NULL, facts->bounds[1], 3);
    json_add_text(json, "output", report->options->output);
    json_add_count(json, "device_bytes", report->device_bytes);
    json_t *times = json_add_object(json, "times");
    json_add_number(times, "read_ms", session->read_ms);
    json_add_number(times, "device_ms", session->device_ms);
    json_add_number(times, "upload_ms", session->upload_ms);
    json_add_number(times, "extract_ms", report->extract_ms);
    json_add_number(times, "download_ms", report->download_ms);
    json_add_number(times, "facts_ms", report->facts_ms);
    json_add_number(times, "write_ms", report->write_ms);
    json_t *stages = json_add_object(json, "stages");
    for (uint32_t i = 0; i < result->stage_count; i++) {
        json_add_number(stages, result->stages[i], result->stage_ms[i]);
    }
    return json_finish(json, file, problem);
}

static void print_text(const struct report *report, FILE *file)
{
    const struct session *session = report->session;
    const struct volume *volume = &session->volume;
    const struct extraction_result *result = &report->result;
    const struct mesh_facts *facts = &report->facts;
    char iso[32];
    fprintf(
        file, "file          %s  (%u x %u x %u %s)\n", session->path, volume->dim[0],
        volume->dim[1], volume->dim[2], volume_type_name(volume->file_type));
    fprintf(file, "isovalue      %s\n", number_text(result->iso, iso));
    fprintf(file, "method        %s\n", result->method->name);
    fprintf(file, "device        %s\n", session->gpu.properties.deviceName);
    fprintf(file, "active cells  %" PRIu64 "\n", result->active_cells);
    fprintf(file, "vertices      %" PRIu64 "\n", result->vertices);
    fprintf(file, "triangles     %" PRIu64 "\n", result->triangles);
    fprintf(file, "area          %.9g\n", facts->area);
    if (facts->closed) {
        fprintf(file, "volume        %.9g\n", facts->volume);
    } else {
        fprintf(
            file, "volume        none: the surface is open along %" PRIu64 " edges\n",
            facts->open_edges);
    }
    fprintf(file, "watertight    %s\n", facts->watertight ? "yes" : "no");
    fprintf(
        file,
        "milliseconds  read %.0f, device %.0f, upload %.0f, extract %.1f, download %.0f, facts "
        "%.0f",
        session->read_ms, session->device_ms, session->upload_ms, report->extract_ms,
        report->download_ms, report->facts_ms);
    if (report->options->output) {
        fprintf(file, ", write %.0f\nwritten       %s", report->write_ms, report->options->output);
    }
    putc('\n', file);
    if (report->options->verbose) {
        for (uint32_t i = 0; i < result->stage_count; i++) {
            fprintf(file, "  %-20s%.2f ms\n", result->stages[i], result->stage_ms[i]);
        }
    }
}

static bool write_mesh(const struct mesh *mesh, const char *target, struct problem *problem)
{
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    const bool fine = mesh_write_ply(mesh, target, &progress, problem);
    progress_end(&meter);
    return fine;
}

// With the volume on the device: the surface, its facts, the file.
static bool extract(struct session *session, struct report *report, struct problem *problem)
{
    const struct options *options = report->options;
    struct surface surface = { 0 };
    struct mesh mesh = { 0 };
    struct extraction_step step = {
        .iso = session_iso(session, &options->isos[0]),
        .target = &surface,
    };
    bool fine = false;
    double start = clock_ms();
    if (!session_method(session, options, &step.method, problem) ||
        !extraction_run(session->extraction, &step, &report->result, problem) ||
        !progress_go_on(problem)) {
        goto fail;
    }
    report->extract_ms = clock_ms() - start;

    start = clock_ms();
    if (!extraction_download(session->extraction, &surface, &report->result, &mesh, problem) ||
        !progress_go_on(problem)) {
        goto fail;
    }
    report->download_ms = clock_ms() - start;

    start = clock_ms();
    mesh_to_world(&mesh, &session->volume);
    if (!mesh_facts(&mesh, session->volume.dim, &report->facts, problem) ||
        !progress_go_on(problem)) {
        goto fail;
    }
    report->facts_ms = clock_ms() - start;

    start = clock_ms();
    if (options->output && !write_mesh(&mesh, options->output, problem)) {
        goto fail;
    }
    report->write_ms = clock_ms() - start;
    report->device_bytes = session->gpu.peak_allocated;
    fine = true;
fail:
    mesh_destroy(&mesh);
    surface_destroy(&session->gpu, &surface);
    return fine;
}

bool command_extract(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (options->output && !target_check(options->output, ".ply", path, problem)) {
        return false;
    }
    struct session session = { 0 };
    struct report report = { .session = &session, .options = options };
    bool fine = session_read(&session, path, options, problem) &&
                session_open(&session, options, problem) &&
                session_upload(&session, options, problem);
    if (fine) {
        session_forget_samples(&session);
        fine = extract(&session, &report, problem);
    }
    if (fine) {
        FILE *file = target_is_stdout(options->output) ? stderr : stdout;
        if (options->json) {
            fine = print_json(&report, file, problem);
        } else {
            print_text(&report, file);
        }
    }
    return session_close(&session, fine, problem);
}
