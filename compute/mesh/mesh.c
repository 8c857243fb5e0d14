#include "compute/mesh/mesh.h"

#include <inttypes.h>
#include <stdlib.h>

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

bool mesh_check_indices(const struct mesh *mesh, struct problem *problem)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->triangles[i][k] >= mesh->vertex_count) {
                return problem_set(
                    problem, PROBLEM_INTERNAL,
                    "triangle %" PRIu64 " of the mesh names vertex %" PRIu32 ", there are %" PRIu64,
                    i, mesh->triangles[i][k], mesh->vertex_count);
            }
        }
    }
    return true;
}
