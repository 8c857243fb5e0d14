// The report of extract: in one process or many, of a mesh or of a share.
#include "app/extract/report.h"

#include "app/base/number.h"
#include "app/base/report.h"
#include "app/base/target.h"
#include "app/ranks/ranks.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

bool report_gather(struct extract_report *report, struct problem *problem)
{
    const struct session *session = report->jobs->session;
    const struct measured *measured = &report->jobs->measured;
    const struct volume *volume = &session->volume;
    const size_t count = (size_t)ranks()->count;
    struct rank_report own;
    struct rusage usage;
    memset(&own, 0, sizeof own);
    getrusage(RUSAGE_SELF, &usage);
    snprintf(own.host, sizeof own.host, "%s", ranks()->host);
    snprintf(own.device, sizeof own.device, "%s", session->gpu.properties.deviceName);
    snprintf(own.driver, sizeof own.driver, "%s", session->gpu.driver);
    own.layers = report->jobs->layers;
    own.bytes_read = volume->samples ? volume_bytes(volume)
                                     : measured->totals.bytes_read + session->facts_bytes +
                                           volume_bytes(volume) / volume->dim[2];
    own.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    own.extract_ms = measured->extract_ms;
    own.write_ms = measured->write_ms;
    report->ranks = calloc(count, sizeof *report->ranks);
    if (!report->ranks) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the report");
    }
    if (!ranks_gather(&own, sizeof own, report->ranks, problem)) {
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        const struct rank_report *first = &report->ranks[0], *other = &report->ranks[i];
        if (strcmp(first->device, other->device) != 0 ||
            strcmp(first->driver, other->driver) != 0) {
            log_warn(
                "the ranks have different devices or drivers: rank 0 (%s) %s, %s; rank %zu (%s) "
                "%s, %s; their samples may differ in the last bits of a vertex",
                first->host, first->device, first->driver, i, other->host, other->device,
                other->driver);
            break;
        }
    }
    return true;
}

// Adds the members about several ranks and about --resume.
static void report_folder_json(const struct extract_report *report, json_t *json)
{
    const struct options *options = report->jobs->options;
    if (options->resume) {
        json_t *object = json_add_object(json, "resume");
        json_add_text(object, "folder", options->resume);
        json_add_count(object, "layers_found", report->layers_found);
        json_add_count(object, "layers_made", report->layers_made);
        json_add_count(object, "shares_found", report->shares_found);
        json_add_count(object, "shares_made", report->shares_made);
        json_add_count(object, "shares_damaged", report->shares_damaged);
    } else {
        json_add_null(json, "resume");
    }
    json_t *list = json_add_array(json, "ranks");
    for (int i = 0; i < ranks()->count; i++) {
        const struct rank_report *rank = &report->ranks[i];
        json_t *object = json_add_object(list, NULL);
        json_add_count(object, "rank", (uint64_t)i);
        json_add_text(object, "host", rank->host);
        json_add_text(object, "device", rank->device);
        json_add_text(object, "driver", rank->driver);
        json_add_count(object, "layers", rank->layers);
        json_add_count(object, "bytes_read", rank->bytes_read);
        json_add_number(object, "extract_ms", rank->extract_ms);
        json_add_number(object, "write_ms", rank->write_ms);
        json_add_count(object, "peak_bytes", rank->peak_bytes);
    }
}

static void report_times_json(const struct extract_report *report, json_t *json)
{
    const struct session *session = report->jobs->session;
    const struct measured *measured = &report->jobs->measured;
    json_t *times = json_add_object(json, "times");
    json_add_number(times, "read_ms", session->read_ms);
    json_add_number(times, "device_ms", session->device_ms);
    const struct extract_totals *totals = &measured->totals;
    const bool whole = report->jobs->target == JOBS_MEMORY && !session->reports_parts;
    json_add_number(times, "upload_ms", whole ? totals->upload_ms : NAN);
    json_add_number(times, "bricks_ms", whole ? totals->ranges_ms : NAN);
    json_add_number(times, "kernels_ms", whole ? totals->kernels_ms : NAN);
    json_add_number(times, "extract_ms", measured->extract_ms);
    json_add_number(times, "download_ms", whole ? totals->download_ms : NAN);
    json_add_number(times, "facts_ms", measured->facts_ms);
    json_add_number(times, "write_ms", measured->write_ms);
}

// Prints the report of `count` contours: `report` has their sums.
static bool report_print_json(
    const struct extract_report *report, const struct measured *contours, uint32_t count,
    FILE *file, struct problem *problem)
{
    const struct session *session = report->jobs->session;
    const struct options *options = report->jobs->options;
    const struct measured *measured = &report->jobs->measured;
    const struct extraction_result *result = &measured->result;
    const struct layers layers = report->wanted;
    json_t *json = json_begin_report();
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", session->volume.dim);
    json_add_text(json, "type", volume_type_name(session->volume.file_type));
    json_add_text(json, "device", session->gpu.properties.deviceName);
    if (options->share) {
        json_t *object = json_add_object(json, "share");
        json_add_count(object, "number", options->share);
        json_add_count(object, "of", options->shares);
        json_add_count(object, "first_layer", layers.from);
        json_add_count(object, "layers", layers.to - layers.from);
    }
    measured_json(contours, count, json);
    if (report->ranks) {
        report_folder_json(report, json);
    }
    const char *share = options->share ? "share" : NULL;
    json_add_text(json, "output", options->output);
    json_add_text(json, "format", report->format ? report->format->name : share);
    json_add_count(json, "device_bytes", measured->device_bytes);
    device_memory_json(&session->gpu, json);
    session_parts_json(session, &measured->totals, json);
    report_times_json(report, json);
    json_t *stages = json_add_object(json, "stages");
    for (uint32_t i = 0; i < result->stage_count; i++) {
        json_add_number(stages, result->stages[i].name, result->stage_ms[i]);
    }
    return json_finish(json, file, problem);
}

static void report_share_text(const struct extract_report *report, FILE *file)
{
    const struct options *options = report->jobs->options;
    const struct layers layers = report->wanted;
    const uint32_t all = report->jobs->head.volume.dim[2] - 1;
    fprintf(file, "share         %u of %u", options->share, options->shares);
    if (report->ranks) {
        fputc('\n', file);
    } else if (layers.from == layers.to) {
        fprintf(file, ": no layer of %u\n", all);
    } else {
        fprintf(file, ": layers %u to %u of %u\n", layers.from, layers.to - 1, all);
    }
}

static void report_folder_text(const struct extract_report *report, FILE *file)
{
    if (report->jobs->options->resume) {
        fprintf(
            file,
            "layers        %" PRIu64 " made, %" PRIu64 " found in the folder; %" PRIu64
            " shares made\n",
            report->layers_made, report->layers_found, report->shares_made);
    }
    for (int i = 0; ranks()->count > 1 && i < ranks()->count; i++) {
        const struct rank_report *rank = &report->ranks[i];
        fprintf(
            file, "%s rank %d on %s: %" PRIu64 " layers, %.1f MiB read\n",
            i == 0 ? "processes    " : "             ", i, rank->host, rank->layers,
            (double)rank->bytes_read / 0x1p20);
    }
}

static void report_times_text(const struct extract_report *report, FILE *file)
{
    const struct session *session = report->jobs->session;
    const struct measured *measured = &report->jobs->measured;
    fprintf(file, "milliseconds  read %.0f, device %.0f, ", session->read_ms, session->device_ms);
    if (report->jobs->target != JOBS_MEMORY) {
        fprintf(file, "parts %.0f", measured->extract_ms);
    } else if (session->reports_parts) {
        fprintf(file, "parts %.0f, including facts %.0f", measured->extract_ms, measured->facts_ms);
    } else {
        fprintf(
            file, "upload %.0f, bricks %.1f, kernels %.0f, extract %.1f, download %.0f, facts %.0f",
            measured->totals.upload_ms, measured->totals.ranges_ms, measured->totals.kernels_ms,
            measured->extract_ms, measured->totals.download_ms, measured->facts_ms);
    }
}

static void report_print_text(const struct extract_report *report, FILE *file)
{
    const struct session *session = report->jobs->session;
    const struct options *options = report->jobs->options;
    const struct volume *volume = &session->volume;
    const struct measured *measured = &report->jobs->measured;
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
    if (options->verbose) {
        choices_print_why(result, 14, file);
    }
    fprintf(file, "device        %s\n", session->gpu.properties.deviceName);
    if (session->reports_parts && session->parts) {
        session_parts_text(session, &measured->totals, file);
    }
    if (options->share) {
        report_share_text(report, file);
    }
    if (report->ranks) {
        report_folder_text(report, file);
    }
    surface_text(measured, file);
    report_times_text(report, file);
    if (options->output) {
        fprintf(file, ", write %.0f\nwritten       ", measured->write_ms);
        printable_put(options->output, file);
    }
    putc('\n', file);
    if (options->verbose) {
        for (uint32_t i = 0; i < result->stage_count; i++) {
            fprintf(file, "  %-20s%.2f ms\n", result->stages[i].name, result->stage_ms[i]);
        }
    }
}

bool report_print(
    const struct extract_report *const *list, uint32_t count, const struct options *options,
    struct problem *problem)
{
    FILE *file = target_is_stdout(options->output) ? stderr : stdout;
    struct extract_jobs jobs = *list[0]->jobs;
    struct extract_report sum = *list[0];
    struct measured contours[CONTOURS_MOST];
    sum.jobs = &jobs;
    jobs.options = count > 1 ? options : jobs.options;
    for (uint32_t i = 0; i < count; i++) {
        const char *output = list[i]->jobs->options->output;
        contours[i] = list[i]->jobs->measured;
        contours[i].output = output != options->output ? output : NULL;
        if (i > 0) {
            measured_add(&jobs.measured, &contours[i]);
            jobs.layers += list[i]->jobs->layers;
        }
    }
    if (count > 1 && sum.ranks && !report_gather(&sum, problem)) {
        return false;
    }
    const bool prints = ranks()->rank == 0 && options_report(options);
    const bool fine =
        !prints || !options->json || report_print_json(&sum, contours, count, file, problem);
    for (uint32_t i = 0; prints && !options->json && i < count; i++) {
        fputs(i > 0 ? "\n" : "", file);
        report_print_text(list[i], file);
    }
    if (count > 1) {
        free(sum.ranks);
    }
    return fine;
}
