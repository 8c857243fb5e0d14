#include "app/cli/rounds.h"

#include "app/cli/option_table.h"
#include "compute/casting/caster.h"

#include <stdio.h>

// "a, b or c": the casters in rounds.
static void rounds_casters(char *out, size_t size)
{
    const struct caster *last = NULL;
    size_t length = 0;
    *out = '\0';
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        last = row->wavefront ? row : last;
    }
    const char *between = "";
    for (const struct caster *row = caster_next(NULL); row; row = caster_next(row)) {
        if (row->wavefront && length < size) {
            between = !length ? "" : row == last ? " or " : ", ";
            length += (size_t)snprintf(out + length, size - length, "%s%s", between, row->name);
        }
    }
}

bool rounds_allowed(
    const struct options *options, const struct caster *caster, struct problem *problem)
{
    const char *what = option_given(options, "method")   ? "method"
                       : option_given(options, "rounds") ? "rounds"
                                                         : NULL;
    char casters[200];
    if (!what || !caster || caster->wavefront) {
        return true;
    }
    rounds_casters(casters, sizeof casters);
    return problem_set(
        problem, PROBLEM_USAGE,
        "--draw rays: %s is a single kernel without a list to compact; leave --%s out, or give "
        "--caster %s",
        caster->name, what, casters);
}
