#include "compute/mesh/mesh_pages.h"

#include <stdlib.h>
#include <string.h>

bool mesh_pages_position(
    struct mesh_pages *pages, const struct mesh_source *source, uint64_t vertex, float out[3],
    struct problem *problem)
{
    const uint64_t block = vertex / MESH_BLOCK, first = block * MESH_BLOCK;
    const size_t at = (size_t)(block % MESH_PAGES);
    float(**positions)[3] = &pages->pages[at].positions;
    if (pages->pages[at].block != block + 1) {
        if (!*positions) {
            *positions = malloc(MESH_BLOCK * 2 * sizeof **positions);
        }
        if (!*positions) {
            return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a mesh");
        }
        pages->pages[at].block = 0;
        if (!source->vertices(
                source->user, first, mesh_block(source->vertex_count, first), *positions,
                *positions + MESH_BLOCK, problem)) {
            return false;
        }
        pages->pages[at].block = block + 1;
    }
    memcpy(out, (*positions)[vertex - first], 3 * sizeof *out);
    return true;
}

void mesh_pages_free(struct mesh_pages *pages)
{
    for (int i = 0; i < MESH_PAGES; i++) {
        free(pages->pages[i].positions);
    }
    *pages = (struct mesh_pages){ 0 };
}
