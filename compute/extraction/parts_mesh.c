#include "compute/extraction/parts.h"

#include <stdlib.h>

static bool parts_mesh_triangles_room(struct mesh_join *join, uint64_t count)
{
    if (count > join->triangle_room) {
        const uint64_t more = count + count / 2;
        uint32_t(*triangles)[3] = realloc(join->mesh.triangles, more * sizeof *triangles);
        if (!triangles) {
            return false;
        }
        join->mesh.triangles = triangles;
        join->triangle_room = more;
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
    if (!parts_mesh_triangles_room(join, triangles) ||
        !mesh_append_vertices(mesh, &join->vertex_room, more, 0, part->vertices)) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the mesh");
    }
    for (uint64_t i = 0; i < more->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            mesh->triangles[mesh->triangle_count + i][k] =
                (uint32_t)(part->first_vertex + more->triangles[i][k]);
        }
    }
    mesh->triangle_count = triangles;
    return true;
}
