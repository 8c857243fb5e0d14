// The report of extract_together.
#include "app/base/report.h"
#include "app/cli/extract_together.h"
#include "app/ranks/ranks.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

bool extract_together_gather(
    struct together *together, const struct session *session, struct problem *problem)
{
    const struct measured *measured = &together->jobs.measured;
    const struct volume *volume = &session->volume;
    const size_t count = (size_t)ranks()->count;
    struct rank_report own;
    struct rusage usage;
    memset(&own, 0, sizeof own);
    getrusage(RUSAGE_SELF, &usage);
    snprintf(own.host, sizeof own.host, "%s", ranks()->host);
    snprintf(own.device, sizeof own.device, "%s", session->gpu.properties.deviceName);
    snprintf(own.driver, sizeof own.driver, "%s", session->gpu.driver);
    own.layers = together->jobs.layers;
    own.bytes_read = volume->samples ? volume_bytes(volume)
                                     : measured->totals.bytes_read + session->facts_bytes +
                                           volume_bytes(volume) / volume->dim[2];
    own.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    own.extract_ms = measured->extract_ms;
    own.write_ms = measured->write_ms + together->write_ms;
    together->ranks = calloc(count, sizeof *together->ranks);
    if (!together->ranks) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the report");
    }
    if (!ranks_gather(&own, sizeof own, together->ranks, problem)) {
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        const struct rank_report *first = &together->ranks[0], *other = &together->ranks[i];
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

void extract_together_json(
    const struct together *together, const struct measured *measured, json_t *json)
{
    const struct options *options = together->options;
    if (options->share) {
        json_t *object = json_add_object(json, "share");
        json_add_count(object, "number", options->share);
        json_add_count(object, "of", options->shares);
        json_add_count(object, "first_layer", together->wanted.from);
        json_add_count(object, "layers", together->wanted.to - together->wanted.from);
    }
    json_add_number(json, "iso", measured->result.iso);
    json_add_text(json, "method", measured->result.method->name);
    choices_json(&measured->result, json);
    surface_json(&together->counts, NULL, json);
    if (options->resume) {
        json_t *object = json_add_object(json, "resume");
        json_add_text(object, "folder", options->resume);
        json_add_count(object, "layers_found", together->layers_found);
        json_add_count(object, "layers_made", together->layers_made);
        json_add_count(object, "shares_found", together->shares_found);
        json_add_count(object, "shares_made", together->shares_made);
        json_add_count(object, "shares_damaged", together->folder.damaged);
    } else {
        json_add_null(json, "resume");
    }
    json_t *list = json_add_array(json, "ranks");
    for (int i = 0; i < ranks()->count; i++) {
        const struct rank_report *rank = &together->ranks[i];
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

void extract_together_text(const struct together *together, FILE *file)
{
    const struct options *options = together->options;
    if (options->share) {
        fprintf(file, "share         %u of %u\n", options->share, options->shares);
    }
    if (options->resume) {
        fprintf(
            file,
            "layers        %" PRIu64 " made, %" PRIu64 " found in the folder; %" PRIu64
            " shares made\n",
            together->layers_made, together->layers_found, together->shares_made);
    }
    for (int i = 0; ranks()->count > 1 && i < ranks()->count; i++) {
        const struct rank_report *rank = &together->ranks[i];
        fprintf(
            file, "%s rank %d on %s: %" PRIu64 " layers, %.1f MiB read\n",
            i == 0 ? "processes    " : "             ", i, rank->host, rank->layers,
            (double)rank->bytes_read / 0x1p20);
    }
    surface_text(&together->counts, NULL, file);
}
