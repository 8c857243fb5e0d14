#include "compute/extraction/slabs_mesh.h"

#include <stdlib.h>
#include <string.h>

struct join {
    const struct slabs_sink *sink; // the caller's
    struct mesh mesh;
    uint64_t vertex_room, triangle_room;
};

// Room for so many, half as much again where there was too little.
static bool grow(void *array, uint64_t count, uint64_t room, size_t size)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    if (count <= room) {
        return true;
    }
    grown = realloc(old, (count + count / 2) * size);
    if (grown) {
        memcpy(array, &grown, sizeof grown);
    }
    return grown;
}

static bool make_room(struct join *join, uint64_t vertices, uint64_t triangles)
{
    struct mesh *mesh = &join->mesh;
    if (!grow(&mesh->positions, vertices, join->vertex_room, sizeof *mesh->positions) ||
        !grow(&mesh->normals, vertices, join->vertex_room, sizeof *mesh->normals) ||
        !grow(&mesh->edges, vertices, join->vertex_room, sizeof *mesh->edges) ||
        !grow(&mesh->triangles, triangles, join->triangle_room, sizeof *mesh->triangles)) {
        return false;
    }
    if (vertices > join->vertex_room) {
        join->vertex_room = vertices + vertices / 2;
    }
    if (triangles > join->triangle_room) {
        join->triangle_room = triangles + triangles / 2;
    }
    return true;
}

static bool add(void *user, const struct slabs_part *part, struct problem *problem)
{
    struct join *join = user;
    struct mesh *mesh = &join->mesh;
    const struct mesh *more = part->mesh;
    const uint64_t vertices = mesh->vertex_count + part->vertices;
    const uint64_t triangles = mesh->triangle_count + more->triangle_count;
    if (vertices > UINT32_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "the surface has more than 2^32 vertices: cubist extract writes it slab by slab");
    }
    if (!make_room(join, vertices, triangles)) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the mesh");
    }
    if (part->vertices > 0) {
        const uint64_t at = mesh->vertex_count;
        memcpy(mesh->positions + at, more->positions, part->vertices * sizeof *mesh->positions);
        memcpy(mesh->normals + at, more->normals, part->vertices * sizeof *mesh->normals);
        memcpy(mesh->edges + at, more->edges, part->vertices * sizeof *mesh->edges);
    }
    for (uint64_t i = 0; i < more->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            mesh->triangles[mesh->triangle_count + i][k] =
                (uint32_t)(part->first_vertex + more->triangles[i][k]);
        }
    }
    mesh->vertex_count = vertices;
    mesh->triangle_count = triangles;
    return true;
}

static bool pass_on(void *user, const struct slabs_progress *progress)
{
    const struct slabs_sink *sink = ((struct join *)user)->sink;
    return sink->progress(sink->user, progress);
}

bool slabs_mesh(
    struct slabs *slabs, const struct slabs_step *step, struct slabs_result *result,
    struct mesh *out, struct problem *problem)
{
    struct join join = { .sink = &step->sink };
    struct slabs_step own = *step;
    *out = (struct mesh){ 0 };
    own.sink = (struct slabs_sink){
        .part = add,
        .progress = step->sink.progress ? pass_on : NULL,
        .user = &join,
    };
    const bool fine = make_room(&join, 1, 1)
                          ? slabs_run(slabs, &own, result, problem)
                          : problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    if (!fine) {
        mesh_destroy(&join.mesh);
        return false;
    }
    *out = join.mesh;
    return true;
}
