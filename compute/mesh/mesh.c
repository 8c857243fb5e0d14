#include "compute/mesh/mesh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *mesh_array(uint64_t count, size_t size)
{
    size_t bytes;
    // At least one element: NULL always means that memory is short.
    return __builtin_mul_overflow(count ? count : 1, size, &bytes) ? NULL : malloc(bytes);
}

bool mesh_create(uint64_t vertices, uint64_t triangles, struct mesh *out, struct problem *problem)
{
    *out = (struct mesh){
        .vertex_count = vertices,
        .triangle_count = triangles,
        .positions = mesh_array(vertices, sizeof *out->positions),
        .normals = mesh_array(vertices, sizeof *out->normals),
        .triangles = mesh_array(triangles, sizeof *out->triangles),
        .edges = mesh_array(vertices, sizeof *out->edges),
    };
    if (!out->positions || !out->normals || !out->triangles || !out->edges) {
        mesh_destroy(out);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: a mesh of %" PRIu64 " vertices and %" PRIu64
            " triangles does not fit; choose an isovalue with less surface",
            vertices, triangles);
    }
    return true;
}

void mesh_destroy(struct mesh *mesh)
{
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->triangles);
    free(mesh->edges);
    *mesh = (struct mesh){ 0 };
}

bool mesh_append_vertices(
    struct mesh *mesh, uint64_t *capacity, const struct mesh *from, uint64_t first, uint64_t count)
{
    const uint64_t at = mesh->vertex_count;
    if (at + count > *capacity) {
        const uint64_t more = at + count + (at + count) / 2;
        float(*positions)[3] = realloc(mesh->positions, more * sizeof *positions);
        mesh->positions = positions ? positions : mesh->positions;
        float(*normals)[3] = realloc(mesh->normals, more * sizeof *normals);
        mesh->normals = normals ? normals : mesh->normals;
        uint64_t *edges = realloc(mesh->edges, more * sizeof *edges);
        mesh->edges = edges ? edges : mesh->edges;
        if (!positions || !normals || !edges) {
            return false;
        }
        *capacity = more;
    }
    if (count > 0) {
        memcpy(mesh->positions + at, from->positions + first, count * sizeof *mesh->positions);
        memcpy(mesh->normals + at, from->normals + first, count * sizeof *mesh->normals);
        memcpy(mesh->edges + at, from->edges + first, count * sizeof *mesh->edges);
    }
    mesh->vertex_count += count;
    return true;
}

uint64_t mesh_vertices_below(const struct mesh *mesh, uint64_t edge)
{
    uint64_t low = 0, high = mesh->vertex_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (mesh->edges[middle] < edge) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool mesh_check_indices(const struct mesh *mesh, struct problem *problem)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->triangles[i][k] >= mesh->vertex_count) {
                return problem_set(
                    problem, PROBLEM_INTERNAL,
                    "triangle %" PRIu64 " of the mesh names vertex %" PRIu32 ", but it has %" PRIu64
                    " vertices",
                    i, mesh->triangles[i][k], mesh->vertex_count);
            }
        }
    }
    return true;
}
