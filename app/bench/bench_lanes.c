#include "app/bench/bench_lanes.h"

#include "shaders/shared/casting.h"

#include <string.h>

#define SIZES 6 // number of subgroup sizes: 4 << 0 to 4 << 5
#define TILE  (CAST_TILE * CAST_TILE)

struct lanes {
    uint64_t turns[SIZES], executed[SIZES]; // iterations; executed: also while a lane only waits
};

bool lanes_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ways->caster_count; i++) {
        struct caster *caster = &ways->casters[i];
        caster->buffer = caster->turns_buffer;
        caster->image = caster->turns_image;
    }
    for (uint32_t i = 0; i < ways->count; i++) {
        const struct caster *caster = ways->ways[i].caster;
        if (caster->buffer) {
            ways->ways[kept++] = ways->ways[i];
        } else if (!bench_add_gap(
                       table, experiment, caster->name, "its kernels do not count loop iterations",
                       problem)) {
            return false;
        }
    }
    ways->count = kept;
    return kept > 0 || problem_set(
                           problem, PROBLEM_USAGE,
                           "none of these casters has kernels that count loop iterations");
}

// Sets *pixel to the index of a lane's pixel in the picture, like pixel_in_tile in
// shaders/lib/hits.glsl. False: the lane has none.
static bool
lanes_pixel(const struct cast *cast, uint32_t across, uint32_t tile, uint32_t lane, size_t *pixel)
{
    const uint32_t x = (lane & 3) | (lane >> 2 & 4) | (lane >> 3 & 8);
    const uint32_t y = (lane >> 2 & 3) | (lane >> 3 & 4) | (lane >> 4 & 8);
    const uint32_t column = tile % across * CAST_TILE + x, row = tile / across * CAST_TILE + y;
    *pixel = (size_t)row * cast->width + column;
    return column < cast->width && row < cast->height;
}

static void lanes_add_tile(struct lanes *lanes, const uint32_t turns[TILE])
{
    for (uint32_t size = 0; size < SIZES; size++) {
        const uint32_t subgroup = 4u << size;
        for (uint32_t first = 0; first < TILE; first += subgroup) {
            uint32_t most = 0;
            for (uint32_t i = first; i < first + subgroup; i++) {
                lanes->turns[size] += turns[i];
                most = turns[i] > most ? turns[i] : most;
            }
            lanes->executed[size] += (uint64_t)most * subgroup;
        }
    }
}

// Adds the frame that was cast last, whose results are in frames->first.
static void lanes_add(struct lanes *lanes, const struct frames *frames)
{
    const struct cast *cast = &frames->cast;
    const uint32_t across = (cast->width + CAST_TILE - 1) / CAST_TILE;
    for (uint32_t tile = 0; tile < casting_tiles(cast); tile++) {
        uint32_t turns[TILE] = { 0 };
        for (uint32_t lane = 0; lane < TILE; lane++) {
            size_t pixel;
            if (lanes_pixel(cast, across, tile, lane, &pixel)) {
                memcpy(&turns[lane], &frames->first[pixel].t, sizeof turns[lane]);
                if (turns[lane] == CAST_NOTHING) { // the square of the pixel was not cast
                    turns[lane] = 0;
                }
            }
        }
        lanes_add_tile(lanes, turns);
    }
}

bool lanes_measure(
    struct frames *frames, const struct ways *ways, uint32_t views, const struct view *view,
    const struct bench_row *shared, struct bench_table *table, struct problem *problem)
{
    for (uint32_t i = 0; i < ways->count; i++) {
        const struct way *way = &ways->ways[i];
        struct lanes lanes = { 0 };
        struct bench_row row = *shared;
        for (uint32_t v = 0; v < views; v++) {
            struct view at = *view;
            struct placement placement;
            struct frame frame;
            uint64_t differ;
            frames_look(frames, v, shared->iso, CAST_ROUNDS_DEFAULT, &placement, &at);
            if (!frames_cast(frames, way, false, &frame, problem) ||
                !frames_compare(frames, true, false, &differ, problem)) {
                return false;
            }
            lanes_add(&lanes, frames);
        }
        way_row(way, &row);
        row.stage = "lanes";
        for (uint32_t size = 0; size < SIZES; size++) {
            row.subgroup = 4u << size;
            row.busy = lanes.executed[size] > 0
                           ? 100.0 * (double)lanes.turns[size] / (double)lanes.executed[size]
                           : 100;
            if (!bench_add_row(table, &row, problem)) {
                return false;
            }
        }
    }
    return true;
}
