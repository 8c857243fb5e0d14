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

bool ranks_begin(int *argc, char ***argv, struct problem *problem)
{
    (void)argc;
    (void)argv;
    (void)problem;
    gethostname(alone.host, sizeof alone.host - 1);
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
