// The commands that `cubist-mpi` does not have. This file takes the place of theirs.
#include "app/cli/command.h"
#include "app/cli/options.h"

static bool elsewhere(const struct options *options, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_USAGE,
        "`cubist-mpi` has only the commands extract, info, render and devices; use `cubist %s`",
        options->command->name);
}

bool command_view(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_merge(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_animate(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_verify(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_convert(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_generate(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_methods(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}

bool command_bench(const struct options *options, struct problem *problem)
{
    return elsewhere(options, problem);
}
