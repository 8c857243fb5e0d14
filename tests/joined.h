// Pulls a surface part by part, joins its meshes, and checks what each part reports against the
// earlier parts.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compute/extraction/parts.h"

#include <stdlib.h>
#include <string.h>

struct joined {
    struct mesh mesh;
    uint64_t parts;
    uint32_t next; // the layer at which the next part starts, or below it
};

static inline void *grown(void *array, uint64_t count, size_t size)
{
    void *more = realloc(array, (count + 1) * size);
    assert_non_null(more);
    return more;
}

static inline void join(struct joined *joined, const struct part *part)
{
    struct mesh *mesh = &joined->mesh;
    const uint64_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    assert_int_equal(part->first_vertex, vertices);
    assert_int_equal(part->first_triangle, triangles);
    assert_true(part->cells.first >= joined->next);
    joined->next = part->cells.first + part->cells.layers;
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
}

// Pulls all parts, in steps of `ms`. `joined` may be NULL: then no mesh is read back.
static inline bool pull_slowly(
    struct parts *parts, const struct query *query, double ms, struct joined *joined,
    struct extract_totals *totals, struct problem *problem)
{
    struct query own = *query;
    struct part part;
    own.mesh = joined != NULL;
    struct extract *extract = extract_begin(parts, &own, problem);
    enum next next = extract ? NEXT_NOT_YET : NEXT_FAILED;
    double share = 0;
    while (next == NEXT_NOT_YET || next == NEXT_PART) {
        next = extract_next(extract, ms, &part, problem);
        if (next == NEXT_PART && joined) {
            join(joined, &part);
        }
        if (next != NEXT_FAILED) {
            const double now = extract_progress(extract).share;
            assert_true(now >= share && now <= 1);
            share = now;
        }
    }
    if (next == NEXT_DONE) {
        assert_true(share == 1);
        *totals = *extract_totals(extract);
    }
    extract_end(extract);
    return next == NEXT_DONE;
}

static inline bool pull(
    struct parts *parts, const struct query *query, struct joined *joined,
    struct extract_totals *totals, struct problem *problem)
{
    return pull_slowly(parts, query, 0, joined, totals, problem);
}
