// A layer of cells that is too much for the device is divided into parts along y. This file joins
// their meshes to the mesh of the layer.
//
// The canonical mesh of such a part has the vertices of edges that start in the layer's lower
// slice, then those of the upper slice, each by rows. Its last row is the next part's first one. So
// in each slice, a part's own vertices follow those of the earlier parts. In the lower slice their
// final numbers are known at once, so triangles can name them. In the upper slice they are known
// after all vertices of the lower slice were counted. Triangles of one row of cells come from two
// parts alternately: mesh_canonicalize sorts them.
#pragma once

#include "compute/atlas.h"
#include "compute/mesh/mesh.h"

// Zero-initialised means empty.
struct parts_rows {
    struct mesh slices[2];    // the vertices of the lower and of the upper slice
    uint64_t rooms[2];        // capacity of their arrays
    uint64_t (*triangles)[3]; // corners; PARTS_ROWS_UPPER is set if they are in the upper slice
    uint64_t triangle_count, triangle_room;
};

#define PARTS_ROWS_UPPER (UINT64_C(1) << 63)

// Adds a part of the layer. Parts come in ascending order of rows; only parts without vertices may
// be left out. PROBLEM_HOST_MEMORY.
bool parts_rows_add(
    struct parts_rows *rows, const struct volume *volume, const struct atlas_part *cells,
    const struct mesh *piece, struct problem *problem);

// Makes the layer's canonical mesh. PROBLEM_LIMIT if it has more vertices than indices can name,
// PROBLEM_INTERRUPTED. Frees the parts, on true and on false.
bool parts_rows_end(struct parts_rows *rows, struct mesh *out, struct problem *problem);

void parts_rows_destroy(struct parts_rows *rows);
