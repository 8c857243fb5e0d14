// Single vertices of a mesh that is in files, read through a cache of blocks: what a source of such
// a mesh needs for `position`.
#pragma once

#include "compute/mesh/mesh_source.h"

#define MESH_PAGES 256 // blocks in the cache: 12 MiB

// Zero-initialised means empty. Free it with mesh_pages_free.
struct mesh_pages {
    struct {
        uint64_t block; // one more than its number; 0: none
        float (*positions)[3];
    } pages[MESH_PAGES];
};

// The position of a vertex of `source`, which must always be the same one. Reads a block by its
// `vertices` where the cache lacks it.
bool mesh_pages_position(
    struct mesh_pages *pages, const struct mesh_source *source, uint64_t vertex, float out[3],
    struct problem *problem);

void mesh_pages_free(struct mesh_pages *pages);
