#include "app/base/progress.h"
#include "app/cli/commands/checks.h"
#include "app/cli/ray_parts.h"
#include "app/picture/cast_show.h"
#include "compute/atlas_load.h"
#include "compute/casting/cast_pass.h"
#include "compute/casting/casting.h"
#include "compute/reference/cast.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND_PIXELS 65536 // pixels that are cast at a time; at least one row
#define WAYS_MOST   128

#define DEPTH_OFF     2e-3   // a hit may be off by this many voxels along its ray
#define CELL_OFF      1e-3   // a hit this near to a cell, in voxels, counts as in it
#define HITS_PER_MISS 100000 // of this many hits, one may differ and one may be off

// How the hits of a caster compare with those of the reference. Each number counts rays.
struct compared {
    uint64_t missed, surplus;      // only the reference hits; only the caster hits
    uint64_t elsewhere;            // they hit different places
    uint64_t depths, cells, sides; // the depth, cell or side is wrong
    uint64_t again;                // a second run gives other bytes
    uint64_t apart;                // the first way gives other bytes
    double worst;                  // largest error along the ray, in voxels
    uint32_t at[2];                // a pixel where a hit is missing, surplus or off
};

// A caster; if it works in rounds, with a method.
struct verify_way {
    const struct caster *caster;
    const struct method *method;
    struct compared compared;
};

struct verify_rays {
    struct session session;
    const struct options *options;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
    struct cast cast; // of the band, with the caster and method that run now
    uint32_t width, height;
    uint32_t way_count;
    struct verify_way ways[WAYS_MOST];
    uint64_t hits;     // of the reference
    uint64_t touching; // rays that may meet several places, see reference_places
    // Arrays of a band: rays, hits of the reference, of two runs of the caster, of the first way.
    struct reference_ray *rays;
    struct reference_hit *expected;
    bool *touches; // whether the ray is one of `touching`
    struct cast_hit *found, *again, *first;
    bool damaged;
    struct checks checks;
};

static void
verify_cell_of(const struct verify_rays *verify, const struct cast_hit *hit, uint32_t cell[3])
{
    const uint32_t *dim = verify->session.volume.dim;
    const uint32_t number = hit->cell & ~CAST_BACK;
    cell[0] = number % (dim[0] - 1);
    cell[1] = number / (dim[0] - 1) % (dim[1] - 1);
    cell[2] = number / (dim[0] - 1) / (dim[1] - 1);
}

// Whether the point of the ray at `t` is in the cell of the hit, or at most CELL_OFF away.
static bool verify_in_cell(
    const struct verify_rays *verify, const struct reference_ray *ray, double t,
    const struct cast_hit *found)
{
    uint32_t cell[3];
    bool in = true;
    verify_cell_of(verify, found, cell);
    for (int axis = 0; axis < 3; axis++) {
        const double at = ray->start[axis] + ray->direction[axis] * t - cell[axis];
        in = in && at >= -CELL_OFF && at <= 1 + CELL_OFF;
    }
    return in;
}

static double verify_voxels(const struct reference_ray *ray)
{
    const double *d = ray->direction;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// Whether a hit, which is `off` voxels from the hit of the reference, is at another place: more
// than a voxel away, or where the ray meets the surface again.
static bool verify_elsewhere(
    const struct verify_rays *verify, const struct reference_ray *ray, double off,
    const struct cast_hit *found)
{
    struct reference_hit all[64];
    const uint32_t count = reference_cast(
        &verify->session.volume, verify->cast.isos[0], ray, all, sizeof all / sizeof *all);
    bool elsewhere = off > 1;
    for (uint32_t i = 1; i < count; i++) {
        elsewhere = elsewhere || fabs(found->t - all[i].t) * verify_voxels(ray) <= DEPTH_OFF;
    }
    return elsewhere;
}

// Stores the pixel of ray `i` if `fine` is false.
static void
verify_note(const struct verify_rays *verify, struct compared *compared, uint64_t i, bool fine)
{
    if (!fine) {
        compared->at[0] = verify->cast.x + (uint32_t)(i % verify->cast.width);
        compared->at[1] = verify->cast.y + (uint32_t)(i / verify->cast.width);
    }
}

// Compares a ray that touches the surface. It may meet any of the places that the reference finds.
// It must hit the surface if the last place cannot be missed.
static void
verify_compare_touching(struct verify_rays *verify, struct compared *compared, uint64_t i)
{
    const struct reference_ray *ray = &verify->rays[i];
    const struct cast_hit *found = &verify->found[i];
    const bool back = (found->cell & CAST_BACK) != 0;
    struct reference_places places;
    double off = INFINITY; // voxels from the nearest place
    bool fits = false;     // the hit is in a place, on a side that this place allows
    reference_places_of(&verify->session.volume, verify->cast.isos[0], ray, &places);
    if (found->cell == CAST_NOTHING) {
        compared->missed += places.met;
        verify_note(verify, compared, i, !places.met);
        return;
    }
    for (uint32_t k = 0; k < places.count; k++) {
        const struct reference_place *place = &places.all[k];
        const double outside = fmax(place->from - found->t, found->t - place->to);
        const double voxels = fmax(outside, 0) * verify_voxels(ray);
        off = fmin(off, voxels);
        fits = fits || (voxels <= DEPTH_OFF && (back ? place->back : place->front));
    }
    const bool far = !(off <= DEPTH_OFF), elsewhere = far && !(off <= 1);
    const bool astray = !far && !verify_in_cell(verify, ray, found->t, found);
    compared->elsewhere += elsewhere;
    compared->depths += far && !elsewhere;
    compared->cells += astray;
    compared->sides += !far && !fits;
    verify_note(verify, compared, i, fits && !astray);
}

static void verify_compare_ray(struct verify_rays *verify, struct compared *compared, uint64_t i)
{
    const struct reference_ray *ray = &verify->rays[i];
    const struct reference_hit *expected = &verify->expected[i];
    const struct cast_hit *found = &verify->found[i];
    const bool met = expected->t < INFINITY, hit = found->cell != CAST_NOTHING;
    if (verify->touches[i]) {
        verify_compare_touching(verify, compared, i);
        return;
    }
    bool fine = met == hit;
    compared->missed += met && !hit;
    compared->surplus += hit && !met;
    if (met && hit) {
        const double voxels = verify_voxels(ray), off = fabs(found->t - expected->t) * voxels;
        const bool far = !(off <= DEPTH_OFF); // also true if t is NaN
        const bool elsewhere = far && verify_elsewhere(verify, ray, off, found);
        const bool astray = !far && !verify_in_cell(verify, ray, expected->t, found);
        const bool turned = !far && expected->front == ((found->cell & CAST_BACK) != 0);
        compared->elsewhere += elsewhere;
        compared->depths += far && !elsewhere;
        compared->cells += astray;
        compared->sides += turned;
        compared->worst = fmax(compared->worst, elsewhere ? 0 : off);
        fine = !far && !astray && !turned;
    }
    verify_note(verify, compared, i, fine);
}

// For tests: changes two hits of the caster.
static void verify_damage(struct verify_rays *verify, uint64_t count)
{
    for (uint64_t i = 0, left = 2; i < count && left > 0; i++) {
        struct cast_hit *hit = &verify->found[i];
        if (hit->cell == CAST_NOTHING || verify->damaged) {
            continue;
        }
        left--;
        switch (verify->options->damage) {
        case DAMAGE_HITS:
            *hit = (struct cast_hit){ .t = INFINITY, .cell = CAST_NOTHING };
            break;
        case DAMAGE_DEPTHS:
            hit->t += 0.01f;
            break;
        case DAMAGE_CELLS:
            hit->cell ^= 2;
            break;
        case DAMAGE_BYTES:
            hit->t = nextafterf(hit->t, INFINITY);
            break;
        default:
            hit->cell ^= CAST_BACK;
            break;
        }
        verify->damaged = left == 0;
    }
}

static uint64_t
verify_bytes_apart(const struct cast_hit *a, const struct cast_hit *b, uint64_t count)
{
    uint64_t apart = 0;
    for (uint64_t i = 0; i < count; i++) {
        apart += memcmp(&a[i], &b[i], sizeof *a) != 0;
    }
    return apart;
}

// Casts the band, over the parts if there are several.
static bool verify_cast(
    struct verify_rays *verify, uint32_t *hits, struct cast_hit *out, struct problem *problem)
{
    struct casting *casting = &verify->casting;
    const struct cast *cast = &verify->cast;
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "casting");
    const bool fine =
        casting->in_parts
            ? casting_prepare(casting, cast->caster, cast->method, problem) &&
                  cast_pass_run(
                      verify->session.parts, casting, cast, false, &progress, hits, problem)
            : casting_run(casting, cast, hits, problem);
    progress_end(&meter);
    return fine && casting_fetch(casting, cast, out, problem);
}

static bool
verify_band_of(struct verify_rays *verify, uint32_t which, uint64_t count, struct problem *problem)
{
    struct compared *compared = &verify->ways[which].compared;
    struct cast *cast = &verify->cast;
    const enum damage damage = verify->options->damage;
    uint32_t hits, hits_again;
    cast->caster = verify->ways[which].caster;
    cast->method = verify->ways[which].method;
    if (!verify_cast(verify, &hits_again, verify->again, problem) ||
        !verify_cast(verify, &hits, verify->found, problem)) {
        return false;
    }
    compared->again += verify_bytes_apart(verify->found, verify->again, count);
    if (which == 0) {
        memcpy(verify->first, verify->found, count * sizeof *verify->found);
    }
    if (damage == DAMAGE_BYTES && which > 0 && which + 1 == verify->way_count) {
        verify_damage(verify, count);
    }
    compared->apart += verify_bytes_apart(verify->found, verify->first, count);
    if (damage != DAMAGE_NONE && damage != DAMAGE_BYTES) {
        verify_damage(verify, count);
    }
    for (uint64_t i = 0; i < count; i++) {
        verify_compare_ray(verify, compared, i);
    }
    return progress_go_on(problem);
}

// Copies the ray of the device through pixel `i` of the band.
static void verify_ray_of(const struct verify_rays *verify, uint64_t i, struct reference_ray *out)
{
    const struct cast *cast = &verify->cast;
    const uint32_t x = (uint32_t)(i % cast->width), y = (uint32_t)(i / cast->width);
    struct ray ray;
    rays_at(&cast->rays, verify->session.volume.dim, cast->x + x, cast->y + y, &ray);
    for (int axis = 0; axis < 3; axis++) {
        out->start[axis] = ray.start[axis];
        out->direction[axis] = ray.direction[axis];
    }
    // The reference finds by itself where the ray enters the box.
    out->begin = cast->rays.begin;
    out->end = INFINITY;
}

static bool verify_band(struct verify_rays *verify, struct problem *problem)
{
    const struct cast *cast = &verify->cast;
    const struct volume *volume = &verify->session.volume;
    const uint64_t count = (uint64_t)cast->width * cast->height;
    for (uint64_t i = 0; i < count; i++) {
        verify_ray_of(verify, i, &verify->rays[i]);
    }
    reference_cast_all(volume, verify->cast.isos[0], verify->rays, count, verify->expected);
    reference_touches_all(volume, verify->cast.isos[0], verify->rays, count, verify->touches);
    for (uint64_t i = 0; i < count; i++) {
        verify->hits += verify->expected[i].t < INFINITY;
        verify->touching += verify->touches[i];
    }
    bool fine = progress_go_on(problem);
    for (uint32_t i = 0; fine && i < verify->way_count; i++) {
        fine = verify_band_of(verify, i, count, problem);
    }
    return fine;
}

static bool verify_picture(struct verify_rays *verify, struct problem *problem)
{
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "casting");
    const uint32_t rows = BAND_PIXELS / verify->width;
    bool fine = true;
    for (uint32_t y = 0; fine && y < verify->height; y += verify->cast.height) {
        const uint32_t left = verify->height - y;
        verify->cast.y = y;
        verify->cast.height = rows < 1 ? 1 : rows < left ? rows : left;
        fine = verify_band(verify, problem) &&
               (progress.report(progress.user, (double)y / verify->height) ||
                problem_set(problem, PROBLEM_INTERRUPTED, "interrupted"));
    }
    progress_end(&meter);
    if (fine && verify->options->damage != DAMAGE_NONE && !verify->damaged) {
        return problem_set(problem, PROBLEM_USAGE, "--break finds fewer than two hits to damage");
    }
    return fine;
}

static void verify_add_checks(struct verify_rays *verify)
{
    const uint64_t most = (verify->hits + HITS_PER_MISS - 1) / HITS_PER_MISS;
    for (uint32_t i = 0; i < verify->way_count; i++) {
        const struct verify_way *way = &verify->ways[i];
        const struct compared *compared = &way->compared;
        const char *name = way->caster->name;
        struct checks *checks = &verify->checks;
        const uint64_t differ = compared->missed + compared->surplus + compared->elsewhere;
        const uint32_t first = checks->count;
        checks_add_most(checks, name, "hits", "hits differing", most, differ);
        struct check *depths =
            checks_add_most(checks, name, "depths", "depths differing", most, compared->depths);
        checks_add(checks, name, "cells", "cells differing", 0, compared->cells);
        checks_add(checks, name, "sides", "sides differing", 0, compared->sides);
        for (uint32_t k = first; k < checks->count; k++) {
            struct check *check = &checks->rows[k];
            if (!check->ok) {
                snprintf(
                    check->detail, sizeof check->detail, "for example pixel (%u, %u)",
                    compared->at[0], compared->at[1]);
            }
        }
        const size_t told = strlen(depths->detail);
        snprintf(
            depths->detail + told, sizeof depths->detail - told, "%sat most %.2g voxels off",
            told ? "; " : "", compared->worst);
        checks_add(checks, name, "same_again", "differs when run again", 0, compared->again);
        if (i > 0) {
            checks_add(checks, name, "same_bytes", "differs by caster", 0, compared->apart);
        }
        for (uint32_t k = first; k < checks->count; k++) {
            checks->rows[k].with = way->method ? way->method->name : NULL;
        }
    }
}

static void verify_rays_json(struct verify_rays *verify)
{
    json_t *json = checks_report(
        &verify->checks, &verify->session, verify->cast.isos[0], verify->options->iso_count > 1);
    json_add_count(json, "width", verify->width);
    json_add_count(json, "height", verify->height);
    json_add_count(json, "hits", verify->hits);
    json_add_count(json, "touching", verify->touching);
    checks_json(&verify->checks, "caster", json);
}

static void verify_report(struct verify_rays *verify)
{
    const struct options *options = verify->options;
    char details[160];
    if (options->json) {
        verify_rays_json(verify);
    } else {
        checks_text(&verify->checks, options->quiet);
    }
    snprintf(
        details, sizeof details,
        "%" PRIu64 " of %" PRIu64 " rays hit, %" PRIu64
        " only touch the surface or go where it touches itself, ",
        verify->hits, (uint64_t)verify->width * verify->height, verify->touching);
    checks_end(&verify->checks, "rays", verify->cast.isos[0], details, !options->json);
}

static bool verify_make_room(struct verify_rays *verify, uint64_t pixels, struct problem *problem)
{
    verify->rays = malloc(pixels * sizeof *verify->rays);
    verify->expected = malloc(pixels * sizeof *verify->expected);
    verify->touches = malloc(pixels * sizeof *verify->touches);
    verify->found = malloc(pixels * sizeof *verify->found);
    verify->again = malloc(pixels * sizeof *verify->again);
    verify->first = malloc(pixels * sizeof *verify->first);
    return (verify->rays && verify->expected && verify->touches && verify->found && verify->again &&
            verify->first) ||
           problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for %" PRIu64 " rays", pixels);
}

static void
verify_add_way(struct verify_rays *verify, const struct caster *caster, const struct method *method)
{
    assert(verify->way_count < WAYS_MOST);
    verify->ways[verify->way_count++] = (struct verify_way){ caster, method };
}

// Whether the caster was requested, by name or because all were.
static bool verify_asked(const struct options *options, const struct caster *caster)
{
    const struct plan *plan = &options->plan;
    bool asked = plan->caster_count == 0;
    for (uint32_t i = 0; i < plan->caster_count; i++) {
        asked = asked || plan->casters[i] == caster;
    }
    return asked;
}

// Checks that at least one requested caster takes --method and --rounds, if they were given.
static bool verify_rounds_allowed(const struct options *options, struct problem *problem)
{
    const struct caster *without = NULL;
    for (const struct caster *caster = caster_next(NULL); caster; caster = caster_next(caster)) {
        if (verify_asked(options, caster)) {
            without = caster;
        }
        if (verify_asked(options, caster) && caster->wavefront) {
            return true;
        }
    }
    return ray_rounds_allowed(options, without, problem);
}

// Adds the requested casters; those in rounds once for each method.
static void verify_list_ways(struct verify_rays *verify)
{
    const struct options *options = verify->options;
    for (const struct caster *caster = caster_next(NULL); caster; caster = caster_next(caster)) {
        if (!verify_asked(options, caster)) {
            continue;
        }
        if (!caster->wavefront) {
            verify_add_way(verify, caster, NULL);
        } else if (!options->all_methods) {
            verify_add_way(verify, caster, wavefront_method(options->method));
        } else {
            for (const struct method *row = method_next(NULL); row; row = method_next(row)) {
                if (!row->selects && !wavefront_refuses(&verify->session.gpu, row)) {
                    verify_add_way(verify, caster, row);
                }
            }
        }
    }
}

// Opens the casting: of the whole volume, or with --memory-budget of parts.
static bool
verify_open_casting(struct verify_rays *verify, uint32_t pixels, struct problem *problem)
{
    const struct options *options = verify->options;
    struct session *session = &verify->session;
    struct gpu *gpu = &session->gpu;
    const struct caster *casters[WAYS_MOST];
    if (gpu->budget.limit == 0) {
        return atlas_create(gpu, &session->volume, &options->atlas, &verify->atlas, problem) &&
               casting_create(
                   gpu, &verify->atlas, &verify->cubes, verify->ways[0].caster, pixels, 1,
                   &verify->casting, problem);
    }
    struct parts_params params = session_parts_params(session, options);
    params.residents = 0;
    for (uint32_t i = 0; i < verify->way_count; i++) {
        casters[i] = verify->ways[i].caster;
    }
    ray_parts_plan(gpu, casters, verify->way_count, options->method, pixels, 1, &params);
    gpu->budget.reserve[PURPOSE_PICTURE] = params.reserve;
    return session_parts(session, options, &params, problem) &&
           ray_parts_open(
               session, &verify->cubes, casters[0], pixels, 1, &verify->casting, problem);
}

static bool verify_open(struct verify_rays *verify, struct problem *problem)
{
    const struct options *options = verify->options;
    struct session *session = &verify->session;
    if (!session_read(session, options->operands[0], options, problem) ||
        !session_open(session, options, problem) ||
        !volume_cubes(&session->volume, NULL, &verify->cubes, problem)) {
        return false;
    }
    verify->width = options->width ? options->width : 1280;
    verify->height = options->height ? options->height : 800;
    const uint64_t all = (uint64_t)verify->width * verify->height;
    const uint32_t band = all < BAND_PIXELS ? (uint32_t)all : BAND_PIXELS;
    const uint32_t pixels = verify->width > band ? verify->width : band;
    verify_list_ways(verify);
    return verify_make_room(verify, pixels, problem) &&
           verify_open_casting(verify, pixels, problem);
}

// Checks and reports isovalue `which` of --iso.
static bool verify_rays_at(struct verify_rays *verify, uint32_t which, struct problem *problem)
{
    const struct options *options = verify->options;
    const struct session *session = &verify->session;
    struct view view = options->view;
    struct placement placement;
    view.isos[0] = session_iso(session, &options->isos[which]);
    view_place(&view, &session->volume, &placement);
    view_begin(&view, &placement, &verify->cubes, (float)verify->width, (float)verify->height);
    verify->cast = (struct cast){
        .rounds = options->view.rounds,
        .isos = { view.isos[0] },
        .width = verify->width,
    };
    cast_show_rays(
        &view.camera, &placement, verify->width, verify->height, &verify->cast.rays, NULL);
    verify->hits = verify->touching = 0;
    verify->damaged = false;
    for (uint32_t i = 0; i < verify->way_count; i++) {
        verify->ways[i].compared = (struct compared){ 0 };
    }
    if (!verify_picture(verify, problem)) {
        return session_contour_failed(view.isos[0], which, options->iso_count, problem);
    }
    verify_add_checks(verify);
    verify_report(verify);
    return true;
}

bool verify_rays(const struct options *options, struct problem *problem)
{
    struct verify_rays *verify = calloc(1, sizeof *verify);
    if (!verify) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    }
    verify->options = options;
    bool fine = verify_rounds_allowed(options, problem) && verify_open(verify, problem);
    for (uint32_t i = 0; fine && i < options->iso_count; i++) {
        fine = verify_rays_at(verify, i, problem);
    }
    fine = checks_close(&verify->checks, fine, problem);
    casting_destroy(&verify->casting);
    if (verify->session.gpu.device) {
        atlas_destroy(&verify->session.gpu, &verify->atlas);
    }
    cubes_destroy(&verify->cubes);
    free(verify->rays);
    free(verify->expected);
    free(verify->touches);
    free(verify->found);
    free(verify->again);
    free(verify->first);
    fine = session_close(&verify->session, fine, problem);
    free(verify);
    return fine;
}
