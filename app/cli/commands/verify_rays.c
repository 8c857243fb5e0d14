#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/cli/commands/checks.h"
#include "app/cli/commands/verify_hits.h"
#include "app/cli/option_table.h"
#include "app/cli/ray_parts.h"
#include "app/picture/render_line.h"
#include "app/picture/scene.h"
#include "compute/atlas_load.h"
#include "compute/casting/cast_pass.h"
#include "compute/casting/casting.h"
#include "shaders/shared/casting.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND_PIXELS 65536 // pixels that are cast at a time; at least one row
#define WAYS_MOST   128

#define HITS_PER_MISS 100000 // of this many hits, one may differ and one may be off

// With --opacity or --clip: of so many pixels that are cast at a time, so many hits of each.
#define LAYERS_PIXELS 8192
#define LAYERS_EACH   128

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
    bool together;    // one picture of all isovalues: with --opacity or --clip
    char isos[SETTING_TEXT];
    uint32_t width, height, rows; // of the picture, and rows of a band
    uint32_t layers;              // the most that a ray has
    uint32_t way_count;
    struct verify_way ways[WAYS_MOST];
    uint64_t hits;     // of the reference
    uint64_t touching; // rays that may meet several places, see reference_places
    struct verify_hits band;
    struct cast_hit *found, *before; // of the band's layer, and each ray's hit in front of it
    // Numbers made of the bytes of each ray's hits: of two runs of the caster, of the first way.
    uint64_t *bytes, *again, *first;
    bool damaged;
    struct checks checks;
};

// For tests: changes two hits of the caster.
static void verify_damage(struct verify_rays *verify, uint64_t count)
{
    for (uint64_t i = 0, left = 2; i < count && left > 0; i++) {
        struct cast_hit *hit = &verify->found[i];
        const bool bytes = verify->options->damage == DAMAGE_BYTES;
        const bool has = bytes ? verify->band.counts[i] > 0 : hit->cell != CAST_NOTHING;
        if (!has || verify->damaged) {
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
            verify->bytes[i]++;
            break;
        case DAMAGE_CONTOURS:
            hit->cell ^= 1u << casting_cell_bits(&verify->casting);
            break;
        default:
            hit->cell ^= CAST_BACK;
            break;
        }
        verify->damaged = left == 0;
    }
}

static uint64_t verify_bytes_apart(const uint64_t *a, const uint64_t *b, uint64_t count)
{
    uint64_t apart = 0;
    for (uint64_t i = 0; i < count; i++) {
        apart += a[i] != b[i];
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

// Casts the next layer of the band.
static bool verify_cast_layer(struct verify_rays *verify, bool first, struct problem *problem)
{
    struct casting *casting = &verify->casting;
    struct run run;
    uint32_t hits;
    if (first && !casting_prepare_layers(casting, verify->cast.method, problem)) {
        return false;
    }
    VkCommandBuffer cmd = gpu_begin(casting->gpu, problem);
    if (!cmd) {
        return false;
    }
    run_begin(&run, casting->gpu, cmd, NULL);
    casting_record_layer(casting, &run, &verify->cast);
    casting_record_left(casting, &run);
    return gpu_submit_and_wait(casting->gpu, cmd, problem) &&
           casting_collect(casting, &hits, problem) &&
           casting_fetch(casting, &verify->cast, verify->found, problem);
}

// Adds the bytes of a layer's hits to the bytes of the run. In a layer behind the first one, a ray
// that has ended keeps its last hit: removes it.
static void verify_take_layer(struct verify_rays *verify, uint32_t layer, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct cast_hit *hit = &verify->found[i];
        uint64_t bytes;
        memcpy(&bytes, hit, sizeof bytes);
        verify->bytes[i] = layer == 0 ? bytes : verify->bytes[i] * 0x9e3779b97f4a7c15 + bytes;
        if (layer > 0 && memcmp(hit, &verify->before[i], sizeof *hit) == 0) {
            hit->cell = CAST_NOTHING;
        } else {
            verify->before[i] = *hit;
        }
    }
}

// Casts the band through all layers. `compared` NULL: compares nothing.
static bool verify_run(
    struct verify_rays *verify, uint64_t count, struct compared *compared, struct problem *problem)
{
    const bool layered = cast_layered(&verify->cast);
    const enum damage damage = verify->options->damage;
    uint32_t hits;
    bool fine = verify_cast(verify, &hits, verify->found, problem), more = fine;
    for (uint32_t layer = 0; more; layer++) {
        if (layer > 0 && !verify_cast_layer(verify, layer == 1, problem)) {
            return false;
        }
        verify_take_layer(verify, layer, count);
        if (compared && layer == layered && damage != DAMAGE_NONE && damage != DAMAGE_BYTES) {
            verify_damage(verify, count);
        }
        if (compared) {
            verify_hits_compare(&verify->band, verify->found, layer, count, compared);
            verify->layers = layer + 1 > verify->layers ? layer + 1 : verify->layers;
        }
        more = layered && layer + 1 < LAYERS_EACH &&
               (layer == 0 || casting_layers_left(&verify->casting) > 0);
    }
    return fine;
}

static bool
verify_band_of(struct verify_rays *verify, uint32_t which, uint64_t count, struct problem *problem)
{
    struct compared *compared = &verify->ways[which].compared;
    verify->cast.caster = verify->ways[which].caster;
    verify->cast.method = verify->ways[which].method;
    if (!verify_run(verify, count, NULL, problem)) {
        return false;
    }
    memcpy(verify->again, verify->bytes, count * sizeof *verify->bytes);
    if (!verify_run(verify, count, compared, problem)) {
        return false;
    }
    compared->again += verify_bytes_apart(verify->bytes, verify->again, count);
    if (which == 0) {
        memcpy(verify->first, verify->bytes, count * sizeof *verify->bytes);
    } else if (verify->options->damage == DAMAGE_BYTES && which + 1 == verify->way_count) {
        verify_damage(verify, count);
    }
    compared->apart += verify_bytes_apart(verify->bytes, verify->first, count);
    return progress_go_on(problem);
}

static bool verify_band(struct verify_rays *verify, struct problem *problem)
{
    const uint64_t count = (uint64_t)verify->cast.width * verify->cast.height;
    verify_hits_expect(&verify->band, count);
    for (uint64_t i = 0; i < count; i++) {
        verify->hits += verify->band.counts[i] > 0;
        verify->touching += verify->band.touches[i];
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
    bool fine = true;
    for (uint32_t y = 0; fine && y < verify->height; y += verify->cast.height) {
        const uint32_t left = verify->height - y;
        verify->cast.y = (int32_t)y;
        verify->cast.height = verify->rows < left ? verify->rows : left;
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
    for (uint32_t i = 0; i < verify->way_count; i++) {
        const struct verify_way *way = &verify->ways[i];
        const struct compared *compared = &way->compared;
        const char *name = way->caster->name;
        struct checks *checks = &verify->checks;
        const uint64_t differ = compared->missed + compared->surplus + compared->elsewhere;
        const uint64_t hits = cast_layered(&verify->cast) ? compared->hits : verify->hits;
        const uint64_t most = (hits + HITS_PER_MISS - 1) / HITS_PER_MISS;
        const uint32_t first = checks->count;
        checks_add_most(checks, name, "hits", "hits differing", most, differ);
        struct check *depths =
            checks_add_most(checks, name, "depths", "depths differing", most, compared->depths);
        checks_add(checks, name, "cells", "cells differing", 0, compared->cells);
        checks_add(checks, name, "sides", "sides differing", 0, compared->sides);
        if (verify->cast.contours > 1) {
            checks_add(checks, name, "contours", "contours differing", 0, compared->contours);
        }
        for (uint32_t k = first; k < checks->count; k++) {
            struct check *check = &checks->rows[k];
            if (!check->ok) {
                snprintf(
                    check->detail, sizeof check->detail, "for example pixel (%u, %u)",
                    (uint32_t)(compared->at % verify->width),
                    (uint32_t)(compared->at / verify->width));
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
    const bool several = verify->options->iso_count > 1, together = verify->together;
    json_t *json = checks_report(
        &verify->checks, &verify->session, several && together ? NAN : verify->cast.isos[0],
        several && !together);
    if (together) {
        json_add_numbers(json, "isos", verify->cast.isos, verify->cast.contours);
        json_add_count(json, "planes", verify->cast.plane_count);
    }
    if (cast_layered(&verify->cast)) {
        json_add_count(json, "layers", verify->layers);
        json_add_count(json, "crossings", verify->ways[0].compared.hits);
    }
    json_add_count(json, "width", verify->width);
    json_add_count(json, "height", verify->height);
    json_add_count(json, "hits", verify->hits);
    json_add_count(json, "touching", verify->touching);
    checks_json(&verify->checks, "caster", json);
}

static void verify_report(struct verify_rays *verify)
{
    const struct options *options = verify->options;
    char details[240], hits[32], rays[32], touching[32];
    if (options->json) {
        verify_rays_json(verify);
    } else {
        checks_text(&verify->checks, options->quiet);
    }
    snprintf(
        details, sizeof details, "%s of %s rays hit, %s %s, ", number_thousands(verify->hits, hits),
        number_thousands((uint64_t)verify->width * verify->height, rays),
        number_thousands(verify->touching, touching),
        verify->together ? "go where rounding decides"
                         : "only touch the surface or go where it touches itself");
    if (cast_layered(&verify->cast)) {
        const size_t told = strlen(details);
        snprintf(
            details + told, sizeof details - told, "%s crossings in %u layers, ",
            number_thousands(verify->ways[0].compared.hits, hits), verify->layers);
    }
    checks_end(&verify->checks, "rays", verify->isos, details, !options->json);
}

static bool verify_make_room(struct verify_rays *verify, uint64_t pixels, struct problem *problem)
{
    verify->found = malloc(pixels * sizeof *verify->found);
    verify->before = malloc(pixels * sizeof *verify->before);
    verify->bytes = malloc(pixels * sizeof *verify->bytes);
    verify->again = malloc(pixels * sizeof *verify->again);
    verify->first = malloc(pixels * sizeof *verify->first);
    return verify_hits_create(&verify->band, pixels, problem) &&
           ((verify->found && verify->before && verify->bytes && verify->again && verify->first) ||
            problem_set(
                problem, PROBLEM_HOST_MEMORY, "out of memory for %" PRIu64 " rays", pixels));
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
    const struct plan *plan = &options->plan;
    for (const struct caster *caster = caster_next(NULL); caster; caster = caster_next(caster)) {
        if (!verify_asked(options, caster)) {
            continue;
        }
        if (!caster->wavefront) {
            verify_add_way(verify, caster, NULL);
        } else if (!plan->all_methods) {
            for (uint32_t i = 0; i < plan->method_count || i == 0; i++) {
                const struct method *asked = plan->method_count > 0 ? plan->methods[i] : NULL;
                verify_add_way(verify, caster, wavefront_method(asked));
            }
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
    const uint32_t most = verify->together ? LAYERS_PIXELS : BAND_PIXELS;
    const uint32_t band = all < most ? (uint32_t)all : most;
    const uint32_t pixels = verify->width > band ? verify->width : band;
    verify->rows = pixels / verify->width;
    verify->band = (struct verify_hits){
        .volume = &session->volume,
        .casting = &verify->casting,
        .cast = &verify->cast,
        .most = verify->together ? LAYERS_EACH : 1,
    };
    verify_list_ways(verify);
    if (!verify_make_room(verify, pixels, problem) ||
        !verify_open_casting(verify, pixels, problem)) {
        return false;
    }
    return !verify->casting.in_parts || !view_is_transparent(&options->view) ||
           problem_set(
               problem, PROBLEM_UNSUPPORTED,
               "transparent contours are not cast through a volume in parts: leave --opacity out, "
               "or give more --memory-budget");
}

// Checks and reports isovalue `which` of --iso, or all of them together.
static bool verify_rays_at(struct verify_rays *verify, uint32_t which, struct problem *problem)
{
    const struct options *options = verify->options;
    const struct session *session = &verify->session;
    struct view view = options->view;
    struct placement placement;
    struct scene scene = {
        .view = &view,
        .placement = &placement,
        .casting = &verify->casting,
        .area.extent = { verify->width, verify->height },
    };
    view.further = verify->together ? options->iso_count - 1 : 0;
    view.cap = CAP_NONE;
    for (uint32_t i = 0; i <= view.further; i++) {
        view.isos[i] = session_iso(session, &options->isos[which + i]);
    }
    render_line_isos(&view, false, verify->isos);
    view_place(&view, &session->volume, &placement);
    view_begin(&view, &placement, &verify->cubes, (float)verify->width, (float)verify->height);
    scene_set_cast(&scene, scene.area, 1);
    verify->cast = scene.cast;
    verify->layers = 0;
    verify->hits = verify->touching = 0;
    verify->damaged = false;
    for (uint32_t i = 0; i < verify->way_count; i++) {
        verify->ways[i].compared = (struct compared){ 0 };
    }
    if (!verify_picture(verify, problem)) {
        return session_contour_failed(
            view.isos[0], which, verify->together ? 1 : options->iso_count, problem);
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
    verify->together = option_given(options, "opacity") || option_given(options, "clip");
    bool fine = verify_rounds_allowed(options, problem) && verify_open(verify, problem);
    const uint32_t count = verify->together ? 1 : options->iso_count;
    for (uint32_t i = 0; fine && i < count; i++) {
        fine = verify_rays_at(verify, i, problem);
    }
    fine = checks_close(&verify->checks, fine, problem);
    casting_destroy(&verify->casting);
    if (verify->session.gpu.device) {
        atlas_destroy(&verify->session.gpu, &verify->atlas);
    }
    cubes_destroy(&verify->cubes);
    verify_hits_destroy(&verify->band);
    free(verify->found);
    free(verify->before);
    free(verify->bytes);
    free(verify->again);
    free(verify->first);
    fine = session_close(&verify->session, fine, problem);
    free(verify);
    return fine;
}
