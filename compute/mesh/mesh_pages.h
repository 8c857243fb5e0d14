// Reads single vertices of a mesh in files through a cache of blocks. The source of such a mesh
// needs this for its function `position`.
#pragma once

#include "compute/mesh/mesh_source.h"

#define MESH_PAGES 256 // blocks in the cache: 12 MiB

// Zero-initialised means empty. Free it with mesh_pages_free.
struct mesh_pages {
    struct {
        uint64_t block; // number of the block plus 1; 0: none
        float (*positions)[3];
    } pages[MESH_PAGES];
};

// The position of a vertex of `source`, which must be the same in every call. If the cache lacks
// the vertex's block, source->vertices reads it.
bool mesh_pages_position(
    struct mesh_pages *pages, const struct mesh_source *source, uint64_t vertex, float out[3],
    struct problem *problem);

void mesh_pages_free(struct mesh_pages *pages);
