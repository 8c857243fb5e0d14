#include "app/cli/commands/verify_hits.h"

#include "shaders/shared/casting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_OFF 2e-3 // a hit may be off by this many voxels along its ray
#define CELL_OFF  1e-3 // a hit this near to a cell, in voxels, counts as in it
#define NEAR      7e-3 // rounding decides the order and the number of hits this near, in voxels

bool verify_hits_create(struct verify_hits *out, uint64_t pixels, struct problem *problem)
{
    out->rays = malloc(pixels * sizeof *out->rays);
    out->expected = malloc(pixels * out->most * sizeof *out->expected);
    out->counts = malloc(pixels * sizeof *out->counts);
    out->touches = malloc(pixels * sizeof *out->touches);
    out->light = malloc(pixels * sizeof *out->light);
    out->after = malloc(pixels * sizeof *out->after);
    return (out->rays && out->expected && out->counts && out->touches && out->light &&
            out->after) ||
           problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for %" PRIu64 " rays", pixels);
}

void verify_hits_destroy(struct verify_hits *hits)
{
    free(hits->rays);
    free(hits->expected);
    free(hits->counts);
    free(hits->touches);
    free(hits->light);
    free(hits->after);
}

// Copies the ray of the device through pixel `i` of the band.
static void verify_ray_of(const struct verify_hits *hits, uint64_t i, struct reference_ray *out)
{
    const struct cast *cast = hits->cast;
    const uint32_t x = (uint32_t)(i % cast->width), y = (uint32_t)(i / cast->width);
    struct ray ray;
    rays_at(&cast->rays, hits->volume->dim, (uint32_t)cast->x + x, (uint32_t)cast->y + y, &ray);
    for (int axis = 0; axis < 3; axis++) {
        out->start[axis] = ray.start[axis];
        out->direction[axis] = ray.direction[axis];
    }
    // The reference finds by itself where the ray enters the box.
    out->begin = cast->rays.begin;
    out->end = INFINITY;
}

static double verify_voxels(const struct reference_ray *ray)
{
    const double *d = ray->direction;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

void verify_hits_expect(struct verify_hits *hits, uint64_t count)
{
    const struct cast *cast = hits->cast;
    struct reference_contours *contours = &hits->contours;
    *contours = (struct reference_contours){
        .count = cast->contours,
        .clipped = cast->clipped,
        .plane_count = cast->plane_count,
        .clip_all = cast->clip_all,
    };
    for (uint32_t k = 0; k < cast->contours; k++) {
        contours->isos[k] = cast->isos[k];
        contours->through |= (cast->transparencies[k] > 0 ? 1u : 0) << k;
    }
    for (uint32_t k = 0; k < 4 * cast->plane_count; k++) {
        contours->planes[k / 4][k % 4] = cast->planes[k / 4][k % 4];
    }
    for (uint64_t i = 0; i < count; i++) {
        verify_ray_of(hits, i, &hits->rays[i]);
    }
    reference_cast_all(
        hits->volume, contours, hits->rays, count, hits->expected, hits->most, hits->counts,
        hits->touches);
    for (uint64_t i = 0; i < count; i++) {
        const struct reference_crossing *all = &hits->expected[i * hits->most];
        for (uint32_t k = 1; k < hits->counts[i]; k++) {
            const double gap = (all[k].hit.t - all[k - 1].hit.t) * verify_voxels(&hits->rays[i]);
            hits->touches[i] = hits->touches[i] || (gap > 0 && gap <= NEAR);
        }
    }
}

static uint32_t verify_contour_of(const struct verify_hits *hits, const struct cast_hit *hit)
{
    return (hit->cell & ~CAST_BACK) >> casting_cell_bits(hits->casting);
}

// Whether the point of the ray at `t` is in the cell of the hit, or at most CELL_OFF away.
static bool verify_in_cell(
    const struct verify_hits *hits, const struct reference_ray *ray, double t,
    const struct cast_hit *found)
{
    const uint32_t across = hits->volume->dim[0] - 1, down = hits->volume->dim[1] - 1;
    const uint32_t number = found->cell & ((1u << casting_cell_bits(hits->casting)) - 1);
    const uint32_t cell[3] = { number % across, number / across % down, number / across / down };
    bool in = true;
    for (int axis = 0; axis < 3; axis++) {
        const double at = ray->start[axis] + ray->direction[axis] * t - cell[axis];
        in = in && at >= -CELL_OFF && at <= 1 + CELL_OFF;
    }
    return in;
}

// Whether a hit, which is `off` voxels from the hit of the reference, is at another place: more
// than a voxel away, or where the ray meets a surface before or behind.
static bool verify_elsewhere(
    const struct verify_hits *hits, const struct reference_ray *ray, double off,
    const struct reference_hit *expected, const struct cast_hit *found)
{
    struct reference_crossing all[64];
    const uint32_t count =
        reference_crossings(hits->volume, &hits->contours, ray, all, sizeof all / sizeof *all);
    bool elsewhere = off > 1;
    for (uint32_t i = 0; i < count; i++) {
        const double t = all[i].hit.t;
        elsewhere =
            elsewhere || (t != expected->t && fabs(found->t - t) * verify_voxels(ray) <= DEPTH_OFF);
    }
    return elsewhere;
}

// Compares a ray of which rounding may decide what it meets. It may meet any of the places that the
// reference finds, but must not pass one that cannot be missed. `lit`: light is left for this hit.
// Returns whether the hit is fine; so does verify_compare_known.
static bool verify_compare_touching(
    const struct verify_hits *hits, const struct cast_hit *found, uint64_t i, bool lit,
    struct compared *compared)
{
    const struct reference_ray *ray = &hits->rays[i];
    const bool back = (found->cell & CAST_BACK) != 0, hit = found->cell != CAST_NOTHING;
    const double voxels = verify_voxels(ray), to = hit ? (double)found->t : INFINITY;
    double off = INFINITY;             // voxels from the nearest place
    bool fits = false, passed = false; // the hit is in a place, on a side that this place allows
    for (uint32_t contour = 0; contour < hits->contours.count; contour++) {
        const bool own = hit && contour == verify_contour_of(hits, found);
        struct reference_places places;
        reference_places_of(hits->volume, &hits->contours, contour, ray, &places);
        for (uint32_t k = 0; k < places.count; k++) {
            const struct reference_place *place = &places.all[k];
            const double outside = fmax(fmax(place->from - to, to - place->to), 0) * voxels;
            const bool in = own && outside <= DEPTH_OFF;
            // The hit before is already in the place, or behind it: then the side may be any.
            const bool begun = (place->from - hits->after[i]) * voxels <= DEPTH_OFF;
            off = own ? fmin(off, outside) : off;
            fits = fits || (in && (begun || (back ? place->back : place->front)));
            passed = passed || (place->met && !begun && (to - place->to) * voxels > DEPTH_OFF);
        }
    }
    if (!hit || !lit) {
        compared->missed += lit && passed;
        compared->surplus += hit;
        return !hit && !(lit && passed);
    }
    const bool far = passed || !(off <= DEPTH_OFF), elsewhere = passed || (far && !(off <= 1));
    const bool astray = !far && !verify_in_cell(hits, ray, to, found);
    compared->elsewhere += elsewhere;
    compared->depths += far && !elsewhere;
    compared->cells += astray;
    compared->sides += !far && !fits;
    return fits && !astray && !passed;
}

static bool verify_compare_known(
    const struct verify_hits *hits, const struct cast_hit *found, uint64_t i,
    const struct reference_crossing *crossing, struct compared *compared)
{
    const struct reference_ray *ray = &hits->rays[i];
    const bool met = crossing, hit = found->cell != CAST_NOTHING;
    compared->missed += met && !hit;
    compared->surplus += hit && !met;
    if (!met || !hit) {
        return met == hit;
    }
    const struct reference_hit *expected = &crossing->hit;
    const double off = fabs(found->t - expected->t) * verify_voxels(ray);
    const bool far = !(off <= DEPTH_OFF); // also true if t is NaN
    const bool elsewhere = far && verify_elsewhere(hits, ray, off, expected, found);
    const bool astray = !far && !verify_in_cell(hits, ray, expected->t, found);
    const bool turned = !far && expected->front == ((found->cell & CAST_BACK) != 0);
    const bool other = !far && crossing->contour != verify_contour_of(hits, found);
    compared->elsewhere += elsewhere;
    compared->depths += far && !elsewhere;
    compared->cells += astray;
    compared->sides += turned;
    compared->contours += other;
    compared->worst = fmax(compared->worst, elsewhere ? 0 : off);
    return !far && !astray && !turned && !other;
}

void verify_hits_compare(
    struct verify_hits *hits, const struct cast_hit *found, uint32_t layer, uint64_t count,
    struct compared *compared)
{
    for (uint64_t i = 0; i < count; i++) {
        if (layer == 0) {
            hits->light[i] = 1;
            hits->after[i] = -INFINITY;
        }
        if (hits->light[i] < 0) {
            continue;
        }
        const bool lit = hits->light[i] >= LAYERS_LEAST, hit = found[i].cell != CAST_NOTHING;
        const struct reference_crossing *expected =
            lit && layer < hits->counts[i] ? &hits->expected[i * hits->most + layer] : NULL;
        const bool fine = hits->touches[i]
                              ? verify_compare_touching(hits, &found[i], i, lit, compared)
                              : verify_compare_known(hits, &found[i], i, expected, compared);
        compared->hits += hit;
        if (!fine) {
            compared->at = (uint64_t)hits->cast->y * hits->cast->width + i;
        }
        if (fine && hit) {
            hits->light[i] *= hits->cast->transparencies[verify_contour_of(hits, &found[i])];
            hits->after[i] = found[i].t;
        } else {
            hits->light[i] = -1;
        }
    }
}
