#include "app/cli/ray_parts.h"

#include "app/cli/option_table.h"

// Bytes of device memory for rays through a part of `layers` layers of cells; 0: through the whole
// volume. The sum over all casters, so it is enough for each of them.
static uint64_t ray_parts_bytes(
    const struct gpu *gpu, const struct caster *const *casters, uint32_t count,
    const struct method *method, uint32_t pixels, uint32_t samples, const uint32_t dim[3],
    uint32_t layers)
{
    const uint32_t slices = layers + 3 < dim[2] ? layers + 3 : dim[2]; // one more on either side
    const uint32_t part[3] = { dim[0], dim[1], slices };
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += casting_bytes(gpu, dim, layers ? part : NULL, casters[i], method, pixels, samples);
    }
    return bytes;
}

// Rays through a thinner part need less memory. So the loop starts with the whole volume and halves
// the thickness until the remaining memory allows parts that are at least half as thick.
void ray_parts_plan(
    struct gpu *gpu, const struct caster *const *casters, uint32_t count,
    const struct method *method, uint32_t pixels, uint32_t samples, struct parts_params *params)
{
    const uint32_t *dim = params->volume->dim;
    const uint64_t picture = params->reserve;
    struct parts_plan plan;
    uint32_t layers = 0;
    for (bool fits = false; !fits;) {
        params->layers = layers;
        params->reserve =
            picture + ray_parts_bytes(gpu, casters, count, method, pixels, samples, dim, layers);
        fits = layers == 1 ||
               (params->reserve < GPU_TOO_MUCH && parts_plan(gpu, params, &plan, NULL) &&
                (layers ? 2 * plan.layers > layers : plan.count == 1));
        layers = layers ? (layers + 1) / 2 : dim[2] - 1;
    }
}

bool ray_parts_open(
    struct session *session, const struct cubes *cubes, const struct caster *caster,
    uint32_t pixels, uint32_t samples, struct casting *casting, struct problem *problem)
{
    struct gpu *gpu = &session->gpu;
    struct atlas frame;
    if (parts_whole(session->parts)) {
        return casting_create(
            gpu, parts_atlas(session->parts), cubes, caster, pixels, samples, casting, problem);
    }
    return parts_describe(session->parts, &frame, problem) &&
           casting_create_parts(gpu, &frame, cubes, caster, pixels, samples, casting, problem);
}

bool ray_rounds_allowed(
    const struct options *options, const struct caster *caster, struct problem *problem)
{
    const bool layers = view_is_transparent(&options->view); // a method compacts them
    const char *what = option_given(options, "method") && !layers ? "method"
                       : option_given(options, "rounds")          ? "rounds"
                                                                  : NULL;
    char casters[200];
    if (!what || !caster || caster->wavefront) {
        return true;
    }
    word_list(NULL, word_rounds_caster, casters, sizeof casters);
    return problem_set(
        problem, PROBLEM_USAGE,
        "--draw rays: %s is a single kernel without a list to compact; leave --%s out, or give "
        "--caster %s",
        caster->name, what, casters);
}
