#include "compute/casting/caster.h"

#include "shaders.h"

#include <string.h>

static const struct caster_test dda_tests[] = {
    { "ends", &shader_cast_dda_ends_buffer, &shader_cast_dda_ends_image },
    { "neubauer", &shader_cast_dda_neubauer_buffer, &shader_cast_dda_neubauer_image },
    { "marmitt", &shader_cast_dda_marmitt_buffer, &shader_cast_dda_marmitt_image },
    { "step", &shader_cast_dda_step_buffer, &shader_cast_dda_step_image },
    { 0 },
};

static const struct caster casters[] = {
    {
        .name = "dda",
        .summary = "one kernel; over cubes of 16 and 4 cells a side, then from cell to cell",
        .paper = "Parker et al. 1998, Interactive ray tracing for isosurface rendering",
        .buffer = &shader_cast_dda_buffer,
        .image = &shader_cast_dda_image,
        .spans = true,
        .turns_buffer = &shader_cast_dda_turns_buffer,
        .turns_image = &shader_cast_dda_turns_image,
        .tests = dda_tests,
    },
    {
        .name = "kd-jump",
        .summary = "one kernel; down a kd-tree without a stack, then from cell to cell",
        .paper = "Hughes and Lim 2009, Kd-jump: a path-preserving stackless traversal",
        .buffer = &shader_cast_kd_jump_buffer,
        .image = &shader_cast_kd_jump_image,
        .turns_buffer = &shader_cast_kd_jump_turns_buffer,
        .turns_image = &shader_cast_kd_jump_turns_image,
        .tree = CASTER_KD,
        .leaf = 3,
    },
    {
        .name = "single-bvh",
        .summary = "one kernel; through boxes over what the isovalue meets, with a stack",
        .paper = "Hughes et al. 2013, 3.1, the single-kernel pipeline",
        .buffer = &shader_cast_single_bvh_buffer,
        .image = &shader_cast_single_bvh_image,
        .turns_buffer = &shader_cast_single_bvh_turns_buffer,
        .turns_image = &shader_cast_single_bvh_turns_image,
        .tree = CASTER_BVH,
        .leaf = 3,
    },
    {
        .name = "wavefront-dda",
        .summary = "as dda, in rounds over a list of rays that --method compacts",
        .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 3.1; its future work",
        .wavefront = true,
    },
    {
        .name = "wavefront-bvh",
        .summary = "as single-bvh, in rounds over lists of rays that --method compacts",
        .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 3.1",
        .tree = CASTER_BVH,
        .leaf = 3,
        .wavefront = true,
    },
};
_Static_assert(sizeof casters / sizeof *casters <= CASTERS_MOST, "the table has too many rows");

const struct caster *caster_next(const struct caster *caster)
{
    const struct caster *next = caster ? caster + 1 : casters;
    return next < casters + sizeof casters / sizeof *casters ? next : NULL;
}

const struct caster *caster_default(void)
{
    return casters;
}

const struct caster *caster_find(const char *name)
{
    const struct caster *caster = caster_next(NULL);
    while (caster && strcmp(caster->name, name) != 0) {
        caster = caster_next(caster);
    }
    return caster;
}
