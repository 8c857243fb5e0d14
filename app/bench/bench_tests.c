#include "app/bench/bench_tests.h"

#include "shaders.h"
#include "shaders/shared/casting.h"

#include <math.h>

#define APART 0.5 // cells; a hit that is farther away is another one

static const struct {
    const char *name;
    const struct shader *buffer, *image; // in place of dda's
} tests[] = {
    { "ends", &shader_cast_dda_ends_buffer, &shader_cast_dda_ends_image },
    { "neubauer", &shader_cast_dda_neubauer_buffer, &shader_cast_dda_neubauer_image },
    { "marmitt", &shader_cast_dda_marmitt_buffer, &shader_cast_dda_marmitt_image },
    { "step", &shader_steps_buffer, &shader_steps_image },
};

bool tests_prepare(
    struct ways *ways, const struct experiment *experiment, struct bench_table *table,
    struct problem *problem)
{
    const uint32_t count = ways->count;
    ways->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct caster *caster = ways->ways[i].caster;
        if (caster->buffer == &shader_cast_dda_buffer) {
            ways->ways[ways->count++] = (struct way){ caster, .test = "bernstein" };
        } else if (!bench_add_gap(
                       table, experiment, caster->name, "it has no other test of a cell",
                       problem)) {
            return false;
        }
    }
    if (ways->count == 0) {
        return problem_set(problem, PROBLEM_USAGE, "of the casters only dda has other tests");
    }
    ways->count = 1;
    struct caster *casters = ways->casters;
    casters[0] = *ways->ways[0].caster;
    ways->ways[0].caster = &casters[0];
    ways->caster_count = 1;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct caster *caster = &casters[ways->caster_count++];
        *caster = casters[0];
        caster->buffer = tests[i].buffer;
        caster->image = tests[i].image;
        ways->ways[ways->count++] = (struct way){ caster, .test = tests[i].name };
    }
    return true;
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
