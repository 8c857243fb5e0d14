#include "compute/extraction/parts.h"

#include <stdlib.h>
#include <string.h>

// Makes room for so many; grows by at least a half.
static bool parts_mesh_grow_array(void *array, uint64_t count, uint64_t capacity, size_t size)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    if (count <= capacity) {
        return true;
    }
    grown = realloc(old, (count + count / 2) * size);
    if (grown) {
        memcpy(array, &grown, sizeof grown);
    }
    return grown;
}

static bool parts_mesh_reserve(struct mesh_join *join, uint64_t vertices, uint64_t triangles)
{
    struct mesh *mesh = &join->mesh;
    if (!parts_mesh_grow_array(
            &mesh->positions, vertices, join->vertex_room, sizeof *mesh->positions) ||
        !parts_mesh_grow_array(
            &mesh->normals, vertices, join->vertex_room, sizeof *mesh->normals) ||
        !parts_mesh_grow_array(&mesh->edges, vertices, join->vertex_room, sizeof *mesh->edges) ||
        !parts_mesh_grow_array(
            &mesh->triangles, triangles, join->triangle_room, sizeof *mesh->triangles)) {
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

bool mesh_join_add(struct mesh_join *join, struct part *part, struct problem *problem)
{
    struct mesh *mesh = &join->mesh;
    const struct mesh *more = part->mesh;
    const uint64_t vertices = mesh->vertex_count + part->vertices;
    const uint64_t triangles = mesh->triangle_count + more->triangle_count;
    if (vertices > UINT32_MAX) {
        return problem_set(
            problem, PROBLEM_LIMIT,
            "the surface has more than 2^32 vertices: cubist extract writes it part by part");
    }
    if (part->last && mesh->vertex_count == 0 && mesh->triangle_count == 0) {
        mesh_destroy(mesh);
        *mesh = *part->mesh;
        *part->mesh = (struct mesh){ 0 };
        return true;
    }
    if (!parts_mesh_reserve(join, vertices, triangles)) {
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
