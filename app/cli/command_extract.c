#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/base/target.h"
#include "app/cli/extract_plan.h"
#include "app/cli/extract_share.h"
#include "app/cli/extract_together.h"
#include "app/cli/mesh_target.h"
#include "app/cli/option_table.h"
#include "app/ranks/ranks.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>

struct report {
    const struct session *session;
    const struct options *options;
    const struct mesh_format *format; // NULL: no mesh is written
    struct measured measured;
    struct together together; // of extract_together
};

static bool extract_print_json(const struct report *report, FILE *file, struct problem *problem)
{
    const struct session *session = report->session;
    const struct measured *measured = &report->measured;
    const struct extraction_result *result = &measured->result;
    json_t *json = json_begin_report();
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", session->volume.dim);
    json_add_text(json, "type", volume_type_name(session->volume.file_type));
    json_add_text(json, "device", session->gpu.properties.deviceName);
    if (report->together.options) {
        extract_together_json(&report->together, measured, json);
    } else if (report->options->share) {
        extract_share_json(session, report->options, measured, json);
    } else {
        measured_json(measured, json);
    }
    json_add_text(json, "output", report->options->output);
    json_add_text(
        json, "format",
        report->format           ? report->format->name
        : report->options->share ? "share"
                                 : NULL);
    json_add_count(json, "device_bytes", measured->device_bytes);
    device_memory_json(&session->gpu, json);
    session_parts_json(session, &measured->totals, json);
    json_t *times = json_add_object(json, "times");
    json_add_number(times, "read_ms", session->read_ms);
    json_add_number(times, "device_ms", session->device_ms);
    const struct extract_totals *totals = &measured->totals;
    const bool whole = !session->reports_parts && !report->together.options;
    json_add_number(times, "upload_ms", whole ? totals->upload_ms : NAN);
    json_add_number(times, "bricks_ms", whole ? totals->ranges_ms : NAN);
    json_add_number(times, "kernels_ms", whole ? totals->kernels_ms : NAN);
    json_add_number(times, "extract_ms", measured->extract_ms);
    json_add_number(times, "download_ms", whole ? totals->download_ms : NAN);
    json_add_number(times, "facts_ms", measured->facts_ms);
    json_add_number(times, "write_ms", measured->write_ms);
    json_t *stages = json_add_object(json, "stages");
    for (uint32_t i = 0; i < result->stage_count; i++) {
        json_add_number(stages, result->stages[i].name, result->stage_ms[i]);
    }
    return json_finish(json, file, problem);
}

static void extract_print_text(const struct report *report, FILE *file)
{
    const struct session *session = report->session;
    const struct volume *volume = &session->volume;
    const struct measured *measured = &report->measured;
    const struct extraction_result *result = &measured->result;
    char iso[32];
    fputs("file          ", file);
    printable_put(session->path, file);
    fprintf(
        file, "  (%u x %u x %u %s)\n", volume->dim[0], volume->dim[1], volume->dim[2],
        volume_type_name(volume->file_type));
    fprintf(file, "isovalue      %s\n", number_text(result->iso, iso));
    char choices[CHOICES_TEXT];
    fprintf(
        file, "method        %s%s%s\n", result->method->name, result->method->selects ? ": " : "",
        result->method->selects ? choices_text(result, choices) : "");
    if (report->options->verbose) {
        choices_print_why(result, 14, file);
    }
    fprintf(file, "device        %s\n", session->gpu.properties.deviceName);
    if (session->reports_parts && session->parts) {
        session_parts_text(session, &measured->totals, file);
    }
    if (report->together.options) {
        extract_together_text(&report->together, file);
    } else if (report->options->share) {
        extract_share_text(session, report->options, measured, file);
    } else {
        measured_text(measured, file);
    }
    fprintf(file, "milliseconds  read %.0f, device %.0f, ", session->read_ms, session->device_ms);
    if (report->options->share || report->together.options) {
        fprintf(file, "parts %.0f", measured->extract_ms);
    } else if (session->reports_parts) {
        fprintf(file, "parts %.0f, including facts %.0f", measured->extract_ms, measured->facts_ms);
    } else {
        fprintf(
            file, "upload %.0f, bricks %.1f, kernels %.0f, extract %.1f, download %.0f, facts %.0f",
            measured->totals.upload_ms, measured->totals.ranges_ms, measured->totals.kernels_ms,
            measured->extract_ms, measured->totals.download_ms, measured->facts_ms);
    }
    if (report->options->output) {
        fprintf(file, ", write %.0f\nwritten       ", measured->write_ms);
        printable_put(report->options->output, file);
    }
    putc('\n', file);
    if (report->options->verbose) {
        for (uint32_t i = 0; i < result->stage_count; i++) {
            fprintf(file, "  %-20s%.2f ms\n", result->stages[i].name, result->stage_ms[i]);
        }
    }
}

// What cannot be, before anything is opened.
static bool extract_check(struct report *report, bool together, struct problem *problem)
{
    const struct options *options = report->options;
    if (option_given(options, "balance") && !ranks()->mpi) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--balance is for several processes: start cubist-mpi with mpirun or srun");
    }
    if (together && !extract_together_check(options, problem)) {
        return false;
    }
    return options->share ? extract_share_check(options, problem)
                          : mesh_target(options, &report->format, problem);
}

static bool extract_print(const struct report *report, struct problem *problem)
{
    const struct options *options = report->options;
    FILE *file = target_is_stdout(options->output) ? stderr : stdout;
    if (ranks()->rank > 0 || !options_report(options)) {
        return true;
    }
    if (options->json) {
        return extract_print_json(report, file, problem);
    }
    extract_print_text(report, file);
    return true;
}

bool command_extract(const struct options *options, struct problem *problem)
{
    if (options->rates.given) {
        return extract_plan(options, problem);
    }
    const char *path = options->operands[0];
    struct session session = { 0 };
    struct report report = { .session = &session, .options = options };
    const bool together = extract_together_is(options);
    if (!extract_check(&report, together, problem)) {
        return false;
    }
    bool fine;
    if (together) {
        fine = extract_together(
            &session, path, options, report.format, &report.together, &report.measured, problem);
    } else if (options->share) {
        fine = extract_share(&session, path, options, &report.measured, problem);
    } else {
        fine = session_load(&session, path, options, "extracted", problem) &&
               measure(&session, options, report.format, &report.measured, problem);
    }
    fine = fine && extract_print(&report, problem);
    if (together) {
        fine = extract_together_end(&report.together, fine, problem);
    }
    return session_close(&session, fine, problem);
}
