#include "compute/extraction/residents.h"

#include <stdlib.h>
#include <string.h>

struct resident *residents_find(struct residents *residents, const struct atlas_part *cells)
{
    residents->finds++;
    for (uint32_t i = 0; i < residents->count; i++) {
        struct resident *one = residents->list[i];
        if (one->loaded && one->cells.first == cells->first && one->cells.layers == cells->layers &&
            one->cells.first_row == cells->first_row && one->cells.rows == cells->rows) {
            one->used = residents->finds;
            return one;
        }
    }
    return NULL;
}

// How little it is needed: the larger, the sooner it is given up.
static uint64_t residents_distance(
    const struct residents *residents, const struct resident *one, const struct atlas_part *now,
    uint32_t layers, uint32_t key)
{
    if (!one->loaded) {
        return UINT64_MAX;
    }
    if (!(one->range[0] < key && one->range[1] >= key)) {
        return 2 * (uint64_t)layers + residents->finds - one->used;
    }
    // Layers until the extraction reaches it again.
    const bool ahead = one->cells.first > now->first ||
                       (one->cells.first == now->first && one->cells.first_row > now->first_row);
    return (ahead ? 0 : (uint64_t)layers) + one->cells.first - now->first;
}

struct resident *residents_spare(
    const struct residents *residents, const struct atlas_part *now, uint32_t layers, uint32_t key,
    const struct resident *keep)
{
    struct resident *spare = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < residents->count; i++) {
        struct resident *one = residents->list[i];
        const uint64_t ease = residents_distance(residents, one, now, layers, key);
        if (one != keep && (!spare || ease > most)) {
            spare = one;
            most = ease;
        }
    }
    return spare;
}

struct resident *residents_add(struct residents *residents)
{
    struct resident **list =
        realloc(residents->list, (residents->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return NULL;
    }
    residents->list = list;
    list[residents->count] = calloc(1, sizeof **list);
    return list[residents->count] ? list[residents->count++] : NULL;
}

void residents_drop(struct gpu *gpu, struct residents *residents, struct resident *resident)
{
    uint32_t at = 0;
    while (residents->list[at] != resident) {
        at++;
    }
    residents->count--;
    memmove(
        &residents->list[at], &residents->list[at + 1],
        (residents->count - at) * sizeof *residents->list);
    atlas_destroy(gpu, &resident->atlas);
    free(resident);
}

void residents_clear(struct gpu *gpu, struct residents *residents)
{
    while (residents->count > 0) {
        residents_drop(gpu, residents, residents->list[residents->count - 1]);
    }
    free(residents->list);
    *residents = (struct residents){ 0 };
}
