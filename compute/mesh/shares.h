// The shares of one surface, joined: the canonical mesh of the whole volume as a mesh_source. Each
// share's vertices and triangles follow those of the shares below it, so only numbers are added.
#pragma once

#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_pages.h"
#include "compute/mesh/mesh_source.h"
#include "compute/mesh/share.h"

#define SHARES_OPEN 4 // files that are open at the same time

// A piece with its place in the mesh.
struct shares_piece {
    struct share_piece piece;
    size_t share; // the index of its share
    uint64_t first_vertex, first_triangle;
};

// Zero-initialised means closed. Release with shares_close.
struct shares {
    struct share *list; // in order of layers
    size_t count;
    uint64_t vertex_count, triangle_count, active_cells;
    uint64_t bytes;              // of all files
    struct shares_piece *pieces; // of shares_check or shares_index, in order of layers
    uint64_t piece_count;
    struct {
        size_t share; // one more than its index; 0: none
        struct source source;
    } open[SHARES_OPEN];
    size_t opened; // so far
    struct mesh_source source;
    struct mesh_pages pages;
};

// Reads heads and ends of the files, in any order. PROBLEM_INPUT, naming the file and what is
// wrong, where one is no share or is damaged, where they are not of the same input and isovalue,
// and where layers are missing or there twice. Warns where the files of the input had another size
// or time. `paths` must outlive it. On false `out` is closed.
bool shares_open(
    const char *const *paths, size_t count, struct shares *out, struct problem *problem);

// Reads every byte of every file, and joins them. PROBLEM_INPUT as above. `progress` may be NULL.
bool shares_check(struct shares *shares, const struct progress *progress, struct problem *problem);

// The same for files that are known to be whole: finds their pieces by the heads of these alone.
// The shares are as usable afterwards. It still finds neighbours that do not fit, but no damage of
// vertices and triangles.
bool shares_index(struct shares *shares, struct problem *problem);

// After shares_check or shares_index: the mesh. It belongs to the shares. PROBLEM_INPUT where a
// file has changed.
const struct mesh_source *shares_source(struct shares *shares);

// After shares_check or shares_index: the facts of the surface, with the digits of mesh_facts.
// Memory does not grow with the mesh, but with its largest piece.
bool shares_facts(
    struct shares *shares, const struct progress *progress, struct mesh_facts *out,
    struct problem *problem);

void shares_close(struct shares *shares); // takes a closed or a zeroed one
