#include "compute/extraction/held_parts.h"

#include <stdlib.h>
#include <string.h>

struct held_part *held_parts_find(struct held_parts *held, const struct atlas_part *cells)
{
    held->finds++;
    for (uint32_t i = 0; i < held->count; i++) {
        struct held_part *one = held->list[i];
        if (one->loaded && one->cells.first == cells->first && one->cells.layers == cells->layers &&
            one->cells.first_row == cells->first_row && one->cells.rows == cells->rows) {
            one->used = held->finds;
            return one;
        }
    }
    return NULL;
}

// How little a held part is needed. The part with the largest number is given up first.
static uint64_t held_parts_distance(
    const struct held_parts *held, const struct held_part *one, const struct atlas_part *now,
    uint32_t layers, uint32_t key)
{
    if (!one->loaded) {
        return UINT64_MAX;
    }
    if (!(one->range[0] < key && one->range[1] >= key)) {
        return 2 * (uint64_t)layers + held->finds - one->used;
    }
    // Layers until the extraction reaches it again.
    const bool ahead = one->cells.first > now->first ||
                       (one->cells.first == now->first && one->cells.first_row > now->first_row);
    return (ahead ? 0 : (uint64_t)layers) + one->cells.first - now->first;
}

struct held_part *held_parts_victim(
    const struct held_parts *held, const struct atlas_part *now, uint32_t layers, uint32_t key,
    const struct held_part *keep)
{
    struct held_part *victim = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < held->count; i++) {
        struct held_part *one = held->list[i];
        const uint64_t ease = held_parts_distance(held, one, now, layers, key);
        if (one != keep && (!victim || ease > most)) {
            victim = one;
            most = ease;
        }
    }
    return victim;
}

struct held_part *held_parts_add(struct held_parts *held)
{
    struct held_part **list = realloc(held->list, (held->count + UINT64_C(1)) * sizeof *list);
    if (!list) {
        return NULL;
    }
    held->list = list;
    list[held->count] = calloc(1, sizeof **list);
    return list[held->count] ? list[held->count++] : NULL;
}

void held_parts_drop(struct gpu *gpu, struct held_parts *held, struct held_part *part)
{
    uint32_t at = 0;
    while (held->list[at] != part) {
        at++;
    }
    held->count--;
    memmove(&held->list[at], &held->list[at + 1], (held->count - at) * sizeof *held->list);
    atlas_destroy(gpu, &part->atlas);
    free(part);
}

void held_parts_clear(struct gpu *gpu, struct held_parts *held)
{
    while (held->count > 0) {
        held_parts_drop(gpu, held, held->list[held->count - 1]);
    }
    free(held->list);
    *held = (struct held_parts){ 0 };
}
