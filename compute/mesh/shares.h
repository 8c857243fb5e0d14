// Joins the shares of a surface to the canonical mesh of the whole volume, as a mesh_source. Each
// share's elements follow those of the shares below it, so joining only adds offsets to numbers.
#pragma once

#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_pages.h"
#include "compute/mesh/mesh_source.h"
#include "compute/mesh/share.h"

#define SHARES_OPEN 4 // files that are open at the same time

// A piece, and the numbers of its first elements in the mesh.
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
    uint64_t bytes;              // size of all files
    struct shares_piece *pieces; // set by shares_check or shares_index, in order of layers
    uint64_t piece_count;
    struct {
        size_t share; // index of the share plus 1; 0: none
        struct source source;
    } open[SHARES_OPEN];
    size_t opened; // number of files opened so far
    struct mesh_source source;
    struct mesh_pages pages;
};

// Reads heads and ends of the files, which may be in any order. PROBLEM_INPUT, naming the file and
// what is wrong, if a file is no share or is damaged, if inputs or isovalues differ, or if layers
// are missing or occur twice. Warns if the input's files had another size or time. `paths` must
// outlive `out`. On false `out` is closed.
bool shares_open(
    const char *const *paths, size_t count, struct shares *out, struct problem *problem);

// Reads all bytes of all files, and joins them. PROBLEM_INPUT as in shares_open. `progress` may be
// NULL.
bool shares_check(struct shares *shares, const struct progress *progress, struct problem *problem);

// Does what shares_check does, for files that are known to be undamaged: of each piece it reads
// only the head and a few edges. It still finds neighbours that do not fit, but no damage of
// vertices and triangles.
bool shares_index(struct shares *shares, struct problem *problem);

// After shares_check or shares_index: the mesh. It belongs to the shares. Its functions fail with
// PROBLEM_INPUT if a file has changed.
const struct mesh_source *shares_source(struct shares *shares);

// After shares_check or shares_index: the facts of the surface, equal to those of mesh_facts to the
// last digit. Memory depends on the largest piece, not on the whole mesh.
bool shares_facts(
    struct shares *shares, const struct progress *progress, struct mesh_facts *out,
    struct problem *problem);

void shares_close(struct shares *shares); // takes a closed or a zeroed one
