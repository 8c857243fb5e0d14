#include "compute/mesh/mesh_source.h"

#include "compute/mesh/mesh.h"

#include <string.h>

static bool source_fetch_vertices(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    const struct mesh *mesh = user;
    (void)problem;
    memcpy(positions, mesh->positions + first, count * sizeof *positions);
    memcpy(normals, mesh->normals + first, count * sizeof *normals);
    return true;
}

static bool source_fetch_triangles(
    void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem)
{
    const struct mesh *mesh = user;
    (void)problem;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corners[i][k] = mesh->triangles[first + i][k];
        }
    }
    return true;
}

static bool
source_fetch_position(void *user, uint64_t vertex, float out[3], struct problem *problem)
{
    const struct mesh *mesh = user;
    (void)problem;
    memcpy(out, mesh->positions[vertex], sizeof *mesh->positions);
    return true;
}

struct mesh_source mesh_source_of(const struct mesh *mesh)
{
    return (struct mesh_source){
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .vertices = source_fetch_vertices,
        .triangles = source_fetch_triangles,
        .position = source_fetch_position,
        .user = (void *)mesh,
    };
}
