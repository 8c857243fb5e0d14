#include "app/cli/piecewise_mesh.h"

#include "app/base/progress.h"
#include "app/cli/piecewise_room.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_writer.h"

#include <stdlib.h>
#include <string.h>

struct run_of {
    const struct volume *volume;
    struct mesh_writer *writer; // NULL: nothing is written
    struct mesh_tally tally;
    struct measured *measured;
};

static bool measure_part(struct run_of *run, const struct slabs_part *part, struct problem *problem)
{
    const struct mesh *mesh = part->mesh;
    struct mesh world;
    if (!mesh_create(mesh->vertex_count, mesh->triangle_count, &world, problem)) {
        return false;
    }
    memcpy(world.positions, mesh->positions, mesh->vertex_count * sizeof *world.positions);
    memcpy(world.normals, mesh->normals, mesh->vertex_count * sizeof *world.normals);
    memcpy(world.edges, mesh->edges, mesh->vertex_count * sizeof *world.edges);
    memcpy(world.triangles, mesh->triangles, mesh->triangle_count * sizeof *world.triangles);
    mesh_to_world(&world, run->volume);
    const bool fine = mesh_tally_add(&run->tally, &world, part->vertices, problem);
    mesh_destroy(&world);
    return fine;
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
    struct measured *measured = run->measured;
    slabs_add_stages(&measured->result, part->result);
    const double start = clock_ms();
    if (!progress_go_on(problem) || !measure_part(run, part, problem) || !progress_go_on(problem)) {
        return false;
    }
    measured->facts_ms += clock_ms() - start;
    return !run->writer || write_part(run, part, problem);
}

static bool commit(struct mesh_writer *writer, double *ms, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    meter.bytes = writer->vertices.size + writer->triangles.size;
    const bool fine = mesh_writer_commit(writer, &progress, problem);
    progress_end(&meter);
    *ms = clock_ms() - start;
    return fine;
}

static bool finish(
    struct run_of *run, const struct session *session, const struct piecewise *piecewise,
    struct problem *problem)
{
    struct measured *measured = run->measured;
    struct extraction_result *result = &measured->result;
    result->iso = piecewise->step.iso;
    result->method = piecewise->step.method;
    result->whole = true;
    result->vertices = piecewise->found.vertices;
    result->triangles = piecewise->found.triangles;
    result->active_bricks = piecewise->found.active_bricks;
    result->active_cells = piecewise->found.active_cells;
    if (!result->bricks_choice.method) {
        result->bricks_choice.method = result->cells_choice.method = result->method;
    }
    measured->device_bytes = session->gpu.budget.peak;
    measured->extract_ms = piecewise->ms;
    return mesh_tally_end(&run->tally, &measured->facts, problem);
}

bool piecewise_mesh(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const struct mesh_format *format, struct measured *out, double *write_ms,
    struct problem *problem)
{
    struct mesh_writer writer = { 0 };
    struct run_of run = {
        .volume = &session->volume,
        .writer = format ? &writer : NULL,
        .measured = out,
    };
    memcpy(run.tally.dim, run.volume->dim, sizeof run.tally.dim);
    *out = (struct measured){ .in_pieces = true };
    const struct mesh_writer_params target = { .format = format, .volume = run.volume };
    if (!piecewise_begin(piecewise, session, options, problem) ||
        (format && !piecewise_has_room(piecewise, session, format, options->output, problem)) ||
        (format && !mesh_writer_open(options->output, &target, &writer, problem))) {
        return false;
    }
    const struct slabs_result counted = piecewise->found; // all zero where that was not needed
    const double counted_ms = piecewise->ms;
    const struct slabs_sink sink = { .part = take_part, .user = &run };
    bool fine = piecewise_run(piecewise, session, "extracting", &sink, problem);
    if (fine) {
        piecewise->found.bytes_read += counted.bytes_read;
        piecewise->found.cut += counted.cut;
        piecewise->ms += counted_ms;
        fine = finish(&run, session, piecewise, problem);
    }
    mesh_tally_destroy(&run.tally);
    if (format && !(fine && commit(&writer, write_ms, problem))) {
        mesh_writer_abort(&writer);
        return false;
    }
    return fine;
}
