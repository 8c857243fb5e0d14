// merge: the shares of extract --share become one mesh (compute/mesh/shares.h).
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/target.h"
#include "app/extract/extract.h"
#include "app/extract/target.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

struct merge {
    const struct options *options;
    const struct mesh_format *format; // NULL: no mesh is written
    bool reports;
    struct shares shares;
    struct measured measured;
    double check_ms;
};

// Checks that the format can hold the mesh, before the shares are read.
static bool merge_has_room(const struct merge *merge, struct problem *problem)
{
    const struct mesh counts = {
        .vertex_count = merge->shares.vertex_count,
        .triangle_count = merge->shares.triangle_count,
    };
    return !merge->format || !merge->format->check ||
           merge->format->check(&counts, merge->options->output, problem);
}

static bool merge_check(struct merge *merge, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "checking");
    meter.bytes = merge->shares.bytes;
    const bool fine = shares_check(&merge->shares, &progress, problem);
    progress_end(&meter);
    merge->check_ms = clock_ms() - start;
    if (fine && merge->shares.triangle_count == 0) {
        char text[32];
        log_warn(
            "the surface is empty: no cell crosses isovalue %s",
            number_text(merge->shares.list[0].head.iso, text));
    }
    return fine;
}

static bool merge_measure(struct merge *merge, struct problem *problem)
{
    struct measured *measured = &merge->measured;
    measured->has_facts = true;
    measured->result.active_cells = merge->shares.active_cells;
    measured->result.vertices = merge->shares.vertex_count;
    measured->result.triangles = merge->shares.triangle_count;
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "measuring");
    const bool fine =
        !merge->reports || shares_facts(&merge->shares, &progress, &measured->facts, problem);
    progress_end(&meter);
    measured->facts_ms = clock_ms() - start;
    return fine;
}

static bool merge_print_json(const struct merge *merge, FILE *file, struct problem *problem)
{
    const struct share_head *head = &merge->shares.list[0].head;
    json_t *json = json_begin_report();
    json_add_count(json, "shares", merge->shares.count);
    json_add_dims(json, "dims", head->volume.dim);
    json_add_text(json, "type", volume_type_name(head->volume.file_type));
    json_add_number(json, "iso", head->iso);
    surface_json(&merge->measured, json);
    json_add_text(json, "output", merge->options->output);
    json_add_text(json, "format", merge->format ? merge->format->name : NULL);
    json_t *times = json_add_object(json, "times");
    json_add_number(times, "check_ms", merge->check_ms);
    json_add_number(times, "facts_ms", merge->measured.facts_ms);
    json_add_number(times, "write_ms", merge->measured.write_ms);
    return json_finish(json, file, problem);
}

static void merge_print_text(const struct merge *merge, FILE *file)
{
    const struct share_head *head = &merge->shares.list[0].head;
    const uint32_t *dim = head->volume.dim;
    char iso[32];
    fprintf(
        file, "shares        %zu  (%u x %u x %u %s)\n", merge->shares.count, dim[0], dim[1], dim[2],
        volume_type_name(head->volume.file_type));
    fprintf(file, "isovalue      %s\n", number_text(head->iso, iso));
    surface_text(&merge->measured, file);
    fprintf(
        file, "milliseconds  check %.0f, facts %.0f", merge->check_ms, merge->measured.facts_ms);
    if (merge->options->output) {
        fprintf(file, ", write %.0f\nwritten       ", merge->measured.write_ms);
        printable_put(merge->options->output, file);
    }
    putc('\n', file);
}

bool command_merge(const struct options *options, struct problem *problem)
{
    struct merge merge = {
        .options = options,
        .reports = options_report(options),
    };
    struct output none = { 0 };
    size_t count = 0;
    while (options->operands[count]) {
        count++;
    }
    bool fine = mesh_target(options, &merge.format, problem) &&
                shares_open(options->operands, count, &merge.shares, problem) &&
                merge_has_room(&merge, problem) && merge_check(&merge, problem) &&
                merge_measure(&merge, problem) &&
                (!merge.format || extract_write_shares(
                                      &merge.shares, options, 0, merge.format, &none,
                                      &merge.measured.write_ms, problem));
    if (fine && merge.reports) {
        FILE *file = target_is_stdout(options->output) ? stderr : stdout;
        if (options->json) {
            fine = merge_print_json(&merge, file, problem);
        } else {
            merge_print_text(&merge, file);
        }
    }
    shares_close(&merge.shares);
    return fine;
}
