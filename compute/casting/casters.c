#include "compute/casting/caster.h"

#include "shaders.h"

#include <string.h>

static const struct caster casters[] = {
    {
        .name = "dda",
        .summary = "one kernel; over cubes of 16 and 4 cells a side, then from cell to cell",
        .paper = "Parker et al. 1998, Interactive ray tracing for isosurface rendering",
        .buffer = &shader_cast_dda_buffer,
        .image = &shader_cast_dda_image,
    },
    {
        .name = "wavefront-dda",
        .summary = "as dda, in rounds over a list of rays that --method compacts",
        .paper = "Hughes et al. 2013, In-Kernel Stream Compaction, 3.1; its future work",
        .wavefront = true,
    },
};

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
