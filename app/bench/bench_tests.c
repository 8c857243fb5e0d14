#include "app/bench/bench_tests.h"

#include "shaders/shared/casting.h"

#include <math.h>

#define APART 0.5 // cells; hits farther apart are different hits

bool tests_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ways->count; i++) {
        const struct caster *caster = ways->ways[i].caster;
        if (caster->tests) {
            ways->ways[kept] = ways->ways[i];
            ways->ways[kept++].test = "bernstein";
        } else if (!bench_add_gap(
                       table, experiment, caster->name, "it has no other test of a cell",
                       problem)) {
            return false;
        }
    }
    ways->count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        struct caster caster = *ways->ways[i].caster;
        for (const struct caster_test *test = caster.tests; test->name; test++) {
            caster.buffer = test->buffer;
            caster.image = test->image;
            if (!ways_add_caster(ways, &caster, NULL, 0, problem)) {
                return false;
            }
            ways->ways[ways->count - 1].test = test->name;
        }
    }
    return kept > 0 ||
           problem_set(problem, PROBLEM_USAGE, "none of these casters has other tests of a cell");
}

void tests_count(const struct frames *frames, uint64_t *lost, uint64_t *misplaced)
{
    const struct cast *cast = &frames->cast;
    *lost = *misplaced = 0;
    for (uint32_t y = 0; y < cast->height; y++) {
        for (uint32_t x = 0; x < cast->width; x++) {
            const size_t pixel = (size_t)y * cast->width + x;
            const struct cast_hit *hit = &frames->hits[pixel], *kept = &frames->first[pixel];
            struct ray ray;
            if ((hit->cell == CAST_NOTHING) != (kept->cell == CAST_NOTHING)) {
                ++*lost;
            } else if (kept->cell != CAST_NOTHING) {
                rays_at(&cast->rays, frames->atlas.dim, x, y, &ray);
                const float *d = ray.direction;
                const double cells = sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
                *misplaced += fabs((double)hit->t - (double)kept->t) * cells > APART;
            }
        }
    }
}
