// Puts the parts of a mesh that comes slab by slab together, and holds what each says of itself
// against what came before.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/extraction/slabs.h"

#include <stdlib.h>
#include <string.h>

struct joined {
    struct mesh mesh;
    uint64_t parts;
    uint32_t next; // layer that the next part starts at, or above
};

static inline void *grown(void *array, uint64_t count, size_t size)
{
    void *more = realloc(array, (count + 1) * size);
    assert_non_null(more);
    return more;
}

static inline bool join(void *user, const struct slabs_part *part, struct problem *problem)
{
    (void)problem;
    struct joined *joined = user;
    struct mesh *mesh = &joined->mesh;
    const uint64_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    assert_int_equal(part->first_vertex, vertices);
    assert_int_equal(part->first_triangle, triangles);
    assert_true(part->slab.first >= joined->next);
    joined->next = part->slab.first + part->slab.layers;
    joined->parts++;
    mesh->vertex_count += part->vertices;
    mesh->triangle_count += part->mesh->triangle_count;
    mesh->positions = grown(mesh->positions, mesh->vertex_count, sizeof *mesh->positions);
    mesh->normals = grown(mesh->normals, mesh->vertex_count, sizeof *mesh->normals);
    mesh->edges = grown(mesh->edges, mesh->vertex_count, sizeof *mesh->edges);
    mesh->triangles = grown(mesh->triangles, mesh->triangle_count, sizeof *mesh->triangles);
    memcpy(mesh->positions + vertices, part->mesh->positions, part->vertices * 12);
    memcpy(mesh->normals + vertices, part->mesh->normals, part->vertices * 12);
    memcpy(mesh->edges + vertices, part->mesh->edges, part->vertices * 8);
    for (uint64_t i = 0; i < part->mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            mesh->triangles[triangles + i][k] =
                (uint32_t)(part->first_vertex + part->mesh->triangles[i][k]);
        }
    }
    return true;
}
