#include "app/ranks/ranks.h"

#include "volumes/base/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ranks alone = { .count = 1, .local_count = 1 };
static int64_t taken;

const struct ranks *ranks(void)
{
    return &alone;
}

// Environment variables in which launchers tell a process how many were started together, and its
// rank. The last row is for srun, which sets PMIX_RANK only if it starts the processes for MPI.
static const struct launcher {
    const char *told, *count, *rank;
} launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "PMI_SIZE", "PMI_SIZE", "PMI_RANK" },
    { "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMIX_RANK" },
};

static int launcher_number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

bool ranks_begin(int *argc, char ***argv, struct problem *problem)
{
    (void)argc;
    (void)argv;
    gethostname(alone.host, sizeof alone.host - 1);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *row = &launchers[i];
        const int count = launcher_number(row->count);
        if (getenv(row->told) && count > 1) {
            alone.rank = launcher_number(row->rank); // only rank 0 prints the problem
            return problem_set(
                problem, PROBLEM_USAGE,
                "%d of `cubist` were started together, and each would do the whole work: start "
                "`cubist-mpi` instead, or unset %s where each has work of its own",
                count, row->told);
        }
    }
    return true;
}

bool ranks_agree(bool fine, struct problem *problem)
{
    (void)problem;
    return fine;
}

bool ranks_go_on(struct problem *problem)
{
    return !interrupted || problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
}

bool ranks_sum(int64_t *values, size_t count, struct problem *problem)
{
    (void)values;
    (void)count;
    (void)problem;
    return true;
}

bool ranks_least(int64_t *values, size_t count, struct problem *problem)
{
    return ranks_sum(values, count, problem);
}

bool ranks_share(int from, void *bytes, size_t size, struct problem *problem)
{
    (void)from;
    (void)bytes;
    (void)size;
    (void)problem;
    return true;
}

bool ranks_gather(const void *bytes, size_t size, void *all, struct problem *problem)
{
    (void)problem;
    memmove(all, bytes, size);
    return true;
}

bool ranks_restart(struct problem *problem)
{
    (void)problem;
    taken = 0;
    return true;
}

bool ranks_take(int64_t *next, struct problem *problem)
{
    (void)problem;
    *next = taken++;
    return true;
}

void ranks_end(void)
{
}
