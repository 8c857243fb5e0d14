// A layer of cells that is too much for the device comes in pieces cut along y. Here their meshes
// become that of the layer.
//
// A piece's canonical mesh has first the vertices of edges that start in the layer's lower slice,
// then those of the upper one, each by rows. Its last row is the next piece's first. So the own
// vertices of each slice stand behind those of the pieces before, and where a piece's vertices are
// known in both slices its triangles name them; only the upper slice's numbers wait until all of
// the lower ones are counted. The triangles of one row of cells come from two pieces in turns:
// mesh_canonicalize orders them.
#pragma once

#include "compute/atlas.h"
#include "compute/mesh/mesh.h"

// Zero-initialised means empty.
struct parts_rows {
    struct mesh slices[2];    // the vertices of the lower and of the upper slice
    uint64_t rooms[2];        // that their arrays have
    uint64_t (*triangles)[3]; // corners; PARTS_ROWS_UPPER is set where they are in the upper slice
    uint64_t triangle_count, triangle_room;
};

#define PARTS_ROWS_UPPER (UINT64_C(1) << 63)

// Adds a piece; `slab` is one layer. Pieces come by ascending rows and leave none out but such
// as have no vertices. PROBLEM_HOST_MEMORY.
bool parts_rows_add(
    struct parts_rows *rows, const struct volume *volume, const struct atlas_slab *slab,
    const struct mesh *piece, struct problem *problem);

// The layer's canonical mesh. PROBLEM_LIMIT where it has more vertices than indices can name,
// PROBLEM_INTERRUPTED. Releases the pieces, on true and on false.
bool parts_rows_end(struct parts_rows *rows, struct mesh *out, struct problem *problem);

void parts_rows_destroy(struct parts_rows *rows);
