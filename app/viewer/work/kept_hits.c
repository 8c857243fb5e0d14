#include "app/viewer/work/kept_hits.h"

#include <string.h>

bool cast_same(const struct cast *a, const struct cast *b)
{
    return memcmp(a->isos, b->isos, sizeof a->isos) == 0 && a->contours == b->contours &&
           memcmp(a->transparencies, b->transparencies, sizeof a->transparencies) == 0 &&
           memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0 && a->clipped == b->clipped &&
           memcmp(a->planes, b->planes, sizeof a->planes) == 0 &&
           memcmp(a->sections, b->sections, sizeof a->sections) == 0 &&
           a->section_count == b->section_count && a->caps == b->caps &&
           a->greys.black == b->greys.black && a->greys.white == b->greys.white &&
           a->greys.nearest == b->greys.nearest && a->plane_count == b->plane_count &&
           a->clip_all == b->clip_all && a->x == b->x && a->y == b->y && a->width == b->width &&
           a->height == b->height && a->edges == b->edges && a->border == b->border &&
           a->shadow == b->shadow && memcmp(&a->rays, &b->rays, sizeof a->rays) == 0 &&
           memcmp(&a->light, &b->light, sizeof a->light) == 0;
}

bool cast_alike(const struct cast *a, const struct cast *b)
{
    return cast_same(a, b) && a->caster == b->caster &&
           (!a->caster->wavefront || (a->method == b->method && a->rounds == b->rounds));
}

// The parts of the casting's buffers that shading and drawing read. The copy holds them in this
// order.
enum cast_part {
    PART_HITS,
    PART_LIST,
    PART_COUNTS,
    PART_POINTS,
    PART_TILES,
    PART_EDGES_LIST,
    PART_EDGES,
    PART_EDGES_COUNTS,
    PARTS
};

static uint64_t cast_part_of(
    const struct cast_band *band, const struct casting *casting, enum cast_part which,
    const struct buffer **out)
{
    const uint64_t pixels = (uint64_t)band->cast.width * band->cast.height;
    const struct buffer *own = casting->buffers, *edges = casting->edges.buffers;
    const uint64_t at_edges = band->cast.edges ? 1 : 0;
    const struct {
        const struct buffer *buffer;
        uint64_t bytes;
    } parts[PARTS] = {
        [PART_HITS] = { &own[CASTING_HITS], pixels * sizeof(struct cast_hit) },
        [PART_LIST] = { &own[CASTING_LIST], pixels * 4 },
        [PART_COUNTS] = { &own[CASTING_COUNTS], own[CASTING_COUNTS].size },
        [PART_POINTS] = { &own[CASTING_POINTS_OF], pixels * VERTEX_BYTES },
        [PART_TILES] = { &own[CASTING_TILES], casting_tiles(&band->cast) * UINT64_C(4) },
        [PART_EDGES_LIST] = { &edges[EDGES_LIST], band->samples * UINT64_C(8) },
        [PART_EDGES] = { &edges[EDGES_POINTS], band->samples * (uint64_t)VERTEX_BYTES },
        [PART_EDGES_COUNTS] = { &edges[EDGES_COUNTS], at_edges * edges[EDGES_COUNTS].size },
    };
    *out = parts[which].buffer;
    return parts[which].bytes;
}

static void cast_band_copy(
    const struct cast_band *band, struct run *run, const struct casting *casting, bool back)
{
    uint64_t at = 0;
    for (int i = 0; i < PARTS; i++) {
        const struct buffer *part;
        const uint64_t bytes = cast_part_of(band, casting, i, &part);
        if (bytes > 0 && back) {
            run_copy(run, &band->buffer, at, part, 0, bytes);
        } else if (bytes > 0) {
            run_copy(run, part, 0, &band->buffer, at, bytes);
        }
        at += bytes;
    }
}

static bool
cast_band_make_copy(struct cast_band *band, struct run *run, const struct casting *casting)
{
    struct buffer_params params = { .name = "hits of a band", .purpose = PURPOSE_PICTURE };
    struct problem why;
    for (int i = 0; i < PARTS; i++) {
        params.size += cast_part_of(band, casting, i, &(const struct buffer *){ NULL });
    }
    if (!buffer_create(casting->gpu, &params, &band->buffer, &why)) {
        return false;
    }
    cast_band_copy(band, run, casting, false);
    return true;
}

void kept_hits_clear(struct gpu *gpu, struct kept_hits *keep)
{
    for (uint32_t i = 0; i < keep->count; i++) {
        buffer_destroy(gpu, &keep->bands[i].buffer);
    }
    keep->count = 0;
    keep->here = NULL;
}

struct cast_band *kept_hits_at(struct kept_hits *keep, uint32_t row)
{
    for (uint32_t i = 0; i < keep->count; i++) {
        if (keep->bands[i].begin == row) {
            return &keep->bands[i];
        }
    }
    return NULL;
}

uint32_t kept_hits_next(const struct kept_hits *keep, uint32_t row, uint32_t end)
{
    for (uint32_t i = 0; i < keep->count; i++) {
        if (keep->bands[i].begin > row) {
            return keep->bands[i].begin;
        }
    }
    return end;
}

uint32_t kept_hits_rows(struct kept_hits *keep)
{
    uint32_t rows = 0;
    const struct cast_band *band;
    while ((band = kept_hits_at(keep, rows))) {
        rows += band->rows;
    }
    return rows;
}

static void kept_hits_remove(struct kept_hits *keep, struct cast_band *band)
{
    const struct cast_band *end = keep->bands + keep->count;
    memmove(band, band + 1, (size_t)(end - (band + 1)) * sizeof *band);
    keep->count--;
    keep->here = NULL;
}

void kept_hits_leave(struct kept_hits *keep, struct run *run, const struct casting *casting)
{
    struct cast_band *here = keep->here;
    if (here && !here->buffer.handle && !cast_band_make_copy(here, run, casting)) {
        kept_hits_remove(keep, here);
    }
    keep->here = NULL;
}

struct cast_band *kept_hits_add(
    struct kept_hits *keep, const struct cast *cast, const struct cast_place *place, uint32_t begin,
    uint32_t rows)
{
    uint32_t at = keep->count;
    if (keep->count == CAST_KEEP_MOST) {
        return NULL;
    }
    while (at > 0 && keep->bands[at - 1].begin > begin) {
        at--;
    }
    struct cast_band *band = &keep->bands[at];
    memmove(band + 1, band, (keep->count - at) * sizeof *band);
    *band = (struct cast_band){ .cast = *cast, .place = *place, .begin = begin, .rows = rows };
    keep->count++;
    keep->here = band;
    return band;
}

struct cast_band *kept_hits_bring(
    struct kept_hits *keep, struct run *run, const struct casting *casting, uint32_t row)
{
    struct cast_band *band = kept_hits_at(keep, row);
    if (!band || band == keep->here) {
        return band;
    }
    kept_hits_leave(keep, run, casting); // this may remove another band, so `band` may move
    band = kept_hits_at(keep, row);
    cast_band_copy(band, run, casting, true);
    keep->here = band;
    return band;
}

void kept_hits_lose(struct kept_hits *keep)
{
    if (keep->here && !keep->here->buffer.handle) {
        kept_hits_remove(keep, keep->here);
    }
    keep->here = NULL;
}
