#include "app/cli/measure.h"

#include "app/base/report.h"
#include "app/cli/mesh_room.h"
#include "compute/mesh/mesh_writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A surface that is measured part by part.
struct measuring {
    struct session *session;
    struct mesh_writer *writer; // NULL: no mesh is written
    bool reports;               // whether anybody sees the facts
    struct mesh_tally tally;
    struct measured *out;
};

static bool
measure_part(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    (void)extract;
    struct measuring *measuring = user;
    struct measured *out = measuring->out;
    const double start = clock_ms();
    extract_add_stages(&out->result, part->result);
    if (!progress_go_on(problem) ||
        (measuring->reports &&
         !mesh_tally_add(&measuring->tally, part->mesh, part->vertices, problem)) ||
        !progress_go_on(problem)) {
        return false;
    }
    out->facts_ms += clock_ms() - start;
    return !measuring->writer || mesh_writer_part(
                                     measuring->writer, part->mesh, part->vertices,
                                     part->first_vertex, part->last, problem);
}

static bool
measure_parts(struct measuring *measuring, const struct query *query, struct problem *problem)
{
    struct session *session = measuring->session;
    struct measured *out = measuring->out;
    const struct extract_totals before = out->totals; // of counting beforehand
    const double start = clock_ms();
    if (!session_each(
            session, query, "extracting", measure_part, measuring, &out->totals, problem)) {
        return false;
    }
    out->totals.bytes_read += before.bytes_read;
    out->totals.cut += before.cut;
    out->extract_ms += session->reports_parts ? clock_ms() - start : out->totals.extract_ms;
    return true;
}

void measured_count(struct measured *out, const struct session *session, const struct query *query)
{
    struct extraction_result *result = &out->result;
    const struct extract_totals *totals = &out->totals;
    result->iso = query->iso;
    result->method = query->method;
    result->whole = true;
    result->vertices = totals->vertices;
    result->triangles = totals->triangles;
    result->active_bricks = totals->active_bricks;
    result->active_cells = totals->active_cells;
    if (!result->bricks_choice.method) {
        result->bricks_choice.method = result->cells_choice.method = result->method;
    }
    out->device_bytes = session->gpu.budget.peak;
}

// Computes the report's numbers for the whole surface.
static bool
measure_finish(struct measuring *measuring, const struct query *query, struct problem *problem)
{
    struct measured *out = measuring->out;
    measured_count(out, measuring->session, query);
    session_warn_if_empty(measuring->session, out->totals.triangles, query->iso);
    return !measuring->reports || mesh_tally_end(&measuring->tally, &out->facts, problem);
}

static bool measure_commit(struct measuring *measuring, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    meter.bytes = mesh_writer_bytes(measuring->writer);
    const bool fine = mesh_writer_commit(measuring->writer, &progress, problem);
    progress_end(&meter);
    measuring->out->write_ms = clock_ms() - start;
    return fine;
}

bool measure(
    struct session *session, const struct options *options, const struct mesh_format *format,
    struct measured *out, struct problem *problem)
{
    struct mesh_writer writer = { 0 };
    struct measuring measuring = {
        .session = session,
        .writer = format ? &writer : NULL,
        .reports = options_report(options),
        .out = out,
    };
    struct query query = { .mesh = true };
    *out = (struct measured){ 0 };
    if ((!session->gpu.device && !session_open(session, options, problem)) ||
        !session_method(session, options->method, &query.method, problem)) {
        return false;
    }
    const struct parts_params params = session_parts_params(session, options);
    const struct mesh_writer_params target = {
        .format = format,
        .volume = &session->volume,
        .pieces = options->pieces,
    };
    if (!session_parts(session, options, &params, problem)) {
        return false;
    }
    query.iso = session_iso(session, &options->isos[0]);
    measuring.tally.place = mesh_place_of(&session->volume);
    memcpy(measuring.tally.dim, session->volume.dim, sizeof measuring.tally.dim);
    bool fine = !format || (mesh_room(
                                session, &query, format, options->output, &out->totals,
                                &out->extract_ms, problem) &&
                            mesh_writer_open(options->output, &target, &writer, problem));
    fine = fine && measure_parts(&measuring, &query, problem) &&
           measure_finish(&measuring, &query, problem);
    mesh_tally_destroy(&measuring.tally);
    if (fine && format) {
        fine = measure_commit(&measuring, problem);
    }
    mesh_writer_abort(&writer);
    return fine;
}

static struct surface_counts measured_counts(const struct measured *measured)
{
    return (struct surface_counts){
        .active_cells = measured->result.active_cells,
        .vertices = measured->result.vertices,
        .triangles = measured->result.triangles,
    };
}

void measured_json(const struct measured *measured, json_t *json)
{
    const struct surface_counts counts = measured_counts(measured);
    json_add_number(json, "iso", measured->result.iso);
    json_add_text(json, "method", measured->result.method->name);
    choices_json(&measured->result, json);
    surface_json(&counts, &measured->facts, json);
}

void measured_text(const struct measured *measured, FILE *file)
{
    const struct surface_counts counts = measured_counts(measured);
    surface_text(&counts, &measured->facts, file);
}

void surface_json(const struct surface_counts *counts, const struct mesh_facts *facts, json_t *json)
{
    json_add_count(json, "active_cells", counts->active_cells);
    json_add_count(json, "vertices", counts->vertices);
    json_add_count(json, "triangles", counts->triangles);
    if (!facts) {
        return;
    }
    json_add_number(json, "area", facts->area);
    json_add_number(json, "volume", facts->closed ? facts->volume : NAN);
    json_add_count(json, "parts", facts->parts);
    json_add_integer(json, "euler", facts->euler);
    json_add_bool(json, "watertight", facts->watertight);
    json_add_bool(json, "closed", facts->closed);
    json_add_count(json, "open_edges", facts->open_edges);
    json_t *bounds = json_add_array(json, "bounds");
    json_add_numbers(bounds, NULL, facts->bounds[0], 3);
    json_add_numbers(bounds, NULL, facts->bounds[1], 3);
}

void surface_text(const struct surface_counts *counts, const struct mesh_facts *facts, FILE *file)
{
    fprintf(file, "active cells  %" PRIu64 "\n", counts->active_cells);
    fprintf(file, "vertices      %" PRIu64 "\n", counts->vertices);
    fprintf(file, "triangles     %" PRIu64 "\n", counts->triangles);
    if (!facts) {
        return;
    }
    fprintf(file, "area          %.9g\n", facts->area);
    if (facts->closed) {
        fprintf(file, "volume        %.9g\n", facts->volume);
    } else {
        fprintf(
            file, "volume        none: the surface is open along %" PRIu64 " edges\n",
            facts->open_edges);
    }
    fprintf(file, "parts         %" PRIu64 "\n", facts->parts);
    fprintf(file, "Euler number  %" PRId64 "\n", facts->euler);
    fprintf(
        file, "watertight    %s\n",
        !facts->watertight ? "no"
        : facts->closed    ? "yes"
                           : "yes, but for where the volume ends");
    for (int axis = 0; axis < 3 && counts->vertices > 0; axis++) {
        fprintf(
            file, "%s%.9g to %.9g\n",
            (const char *[]){ "bounds        x ", "              y ", "              z " }[axis],
            facts->bounds[0][axis], facts->bounds[1][axis]);
    }
}
