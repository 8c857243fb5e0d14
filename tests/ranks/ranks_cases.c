// One case of test_mpi_ranks.py, run by mpirun. It ends as main does: all ranks agree, one rank
// prints the problem, and each returns its exit code.
//
//     ranks_cases collect | take | rest | fail WHERE RANK:KIND... | hang | sleep | differ HOW
#include "app/cli/signals.h"
#include "app/ranks/ranks.h"
#include "volumes/base/clock.h"
#include "volumes/base/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static bool check(bool holds, const char *what, struct problem *problem)
{
    return holds || problem_set(problem, PROBLEM_CHECK, "%s is wrong", what);
}

static void rest_ms(long ms)
{
    const double end = clock_ms() + (double)ms;
    while (clock_ms() < end) {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
}

// A value that tells its rank and its place, of either sign and with all 64 bits in use.
static int64_t value_of(int rank, size_t at)
{
    const uint64_t mixed = (uint64_t)(rank + 1) * 0x9e3779b97f4a7c15 ^ at * 0xbf58476d1ce4e5b9;
    return (int64_t)mixed / 16;
}

static bool collect_values(size_t count, struct problem *problem)
{
    const int ranks_here = ranks()->count, rank = ranks()->rank;
    int64_t *sums = calloc(count + 1, 8), *least = calloc(count + 1, 8);
    for (size_t i = 0; i < count; i++) {
        sums[i] = least[i] = value_of(rank, i);
    }
    bool fine = ranks_sum(sums, count, problem) && ranks_least(least, count, problem);
    for (size_t i = 0; fine && i < count; i++) {
        int64_t sum = 0, low = INT64_MAX;
        for (int r = 0; r < ranks_here; r++) {
            sum += value_of(r, i);
            low = value_of(r, i) < low ? value_of(r, i) : low;
        }
        fine = check(sums[i] == sum, "a sum", problem) &&
               check(least[i] == (rank == 0 ? low : value_of(rank, i)), "a least value", problem);
    }
    free(sums);
    free(least);
    return fine;
}

static unsigned char byte_of(int rank, size_t at)
{
    return (unsigned char)(value_of(rank, at) >> 20);
}

static bool collect_bytes(size_t size, struct problem *problem)
{
    const size_t ranks_here = (size_t)ranks()->count;
    unsigned char *mine = malloc(size + 1), *all = malloc(ranks_here * size + 1);
    for (size_t i = 0; i < size; i++) {
        mine[i] = byte_of(ranks()->rank, i);
    }
    all[ranks_here * size] = 77;
    bool fine = ranks_gather(mine, size, all, problem);
    for (size_t i = 0; fine && i < ranks_here * size; i++) {
        fine = check(all[i] == byte_of((int)(i / size), i % size), "a gathered byte", problem);
    }
    fine = fine && check(all[ranks_here * size] == 77, "a byte after the gathered ones", problem);
    for (int from = 0; fine && from < (int)ranks_here; from++) {
        for (size_t i = 0; i < size; i++) {
            mine[i] = byte_of(ranks()->rank, i);
        }
        fine = ranks_share(from, mine, size, problem);
        for (size_t i = 0; fine && i < size; i++) {
            fine = check(mine[i] == byte_of(from, i), "a shared byte", problem);
        }
    }
    free(mine);
    free(all);
    return fine;
}

static bool case_collect(struct problem *problem)
{
    // A transfer has at most 1000 bytes here, see CMakeLists.txt.
    static const size_t sizes[] = { 0, 1, 7, 125, 126, 999, 1000, 1001, 5000 };
    const struct ranks *me = ranks();
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool fine = check(
        me->local_rank == me->rank && me->local_count == me->count && me->host[0] &&
            me->cores > 0 && (me->cores == 1 || me->cores * me->count <= cores),
        "a rank's place", problem);
    for (size_t i = 0; fine && i < sizeof sizes / sizeof *sizes; i++) {
        fine = collect_values(sizes[i], problem) && collect_bytes(sizes[i], problem);
    }
    return fine;
}

// Each rank takes numbers up to NUMBERS, twice. Each number is given once.
#define NUMBERS 200
static bool case_take(struct problem *problem)
{
    for (int round = 0; round < 2; round++) {
        int64_t given[NUMBERS] = { 0 }, next = 0, took = 0;
        bool fine = ranks_restart(problem);
        for (; fine && (fine = ranks_take(&next, problem)) && next < NUMBERS; took++) {
            given[next]++;
            rest_ms(ranks_go_on(NULL) ? 2 : 0);
        }
        if (!fine || !ranks_sum(given, NUMBERS, problem)) {
            return false;
        }
        for (int i = 0; i < NUMBERS; i++) {
            if (given[i] != 1) {
                return problem_set(
                    problem, PROBLEM_CHECK, "%d was given %d times", i, (int)given[i]);
            }
        }
        fprintf(stderr, "rank %d took %d\n", ranks()->rank, (int)took);
    }
    return true;
}

static double cpu_ms(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-3;
}

// Rank 0 rests for a second, and the others wait for it. The time that they use is printed.
static bool case_rest(struct problem *problem)
{
    if (!ranks_agree(true, problem)) {
        return false;
    }
    const double before = cpu_ms();
    rest_ms(ranks()->rank == 0 ? 1000 : 0);
    int64_t one = 1;
    const bool fine = ranks_sum(&one, 1, problem);
    if (ranks()->rank > 0) {
        fprintf(stderr, "waiting took %.1f ms\n", cpu_ms() - before);
    }
    return fine;
}

// WHERE the others are: they work, or wait, or have ended their work and wait in ranks_agree.
static bool case_fail(int argc, char **argv, struct problem *problem)
{
    rest_ms(300);
    for (int i = 3; i < argc; i++) {
        int rank, kind;
        sscanf(argv[i], "%d:%d", &rank, &kind);
        if (rank == ranks()->rank) {
            return problem_set(problem, (enum problem_kind)kind, "fails as it should");
        }
    }
    if (strcmp(argv[2], "waiting") == 0) {
        int64_t one = 1;
        return ranks_sum(&one, 1, problem) && problem_set(problem, PROBLEM_CHECK, "no failure met");
    }
    for (const double end = clock_ms() + 20000; strcmp(argv[2], "working") == 0;) {
        if (!ranks_go_on(problem)) {
            return false;
        }
        if (clock_ms() > end) {
            return problem_set(problem, PROBLEM_CHECK, "no failure heard of");
        }
    }
    return true;
}

// The last rank fails, and rank 0 does not answer.
static bool case_hang(struct problem *problem)
{
    if (ranks()->rank == ranks()->count - 1) {
        return problem_set(problem, PROBLEM_OUTPUT, "fails alone");
    }
    rest_ms(ranks()->rank == 0 ? 60000 : 0);
    return true;
}

// Rank 0 works, and the others wait, until a signal comes.
static bool case_sleep(struct problem *problem)
{
    fprintf(stderr, "ready %d %d\n", ranks()->rank, (int)getpid());
    while (ranks()->rank == 0) {
        rest_ms(10);
        if (!ranks_go_on(problem)) {
            return false;
        }
    }
    return true;
}

// The last rank calls another function than the others, or with another size.
static bool case_differ(const char *how, struct problem *problem)
{
    const bool last = ranks()->rank == ranks()->count - 1;
    int64_t values[8] = { 0 }, *all = calloc((size_t)ranks()->count, sizeof values);
    bool fine;
    if (strcmp(how, "size") == 0) {
        fine = ranks_gather(values, last ? 16 : 8, all, problem);
    } else if (strcmp(how, "end") == 0) {
        fine = last || ranks_sum(values, 1, problem);
    } else {
        fine = last ? ranks_restart(problem) : ranks_share(0, values, 8, problem);
    }
    free(all);
    return fine;
}

static bool run_case(int argc, char **argv, struct problem *problem)
{
    const char *name = argv[1];
    return strcmp(name, "collect") == 0  ? case_collect(problem)
           : strcmp(name, "take") == 0   ? case_take(problem)
           : strcmp(name, "rest") == 0   ? case_rest(problem)
           : strcmp(name, "hang") == 0   ? case_hang(problem)
           : strcmp(name, "sleep") == 0  ? case_sleep(problem)
           : strcmp(name, "differ") == 0 ? case_differ(argv[2], problem)
                                         : case_fail(argc, argv, problem);
}

int main(int argc, char **argv)
{
    signals_install();
    struct problem problem = { 0 };
    bool fine = ranks_begin(&argc, &argv, &problem) && run_case(argc, argv, &problem);
    fine = ranks_agree(fine, &problem);
    // What has failed goes on failing, and without other ranks.
    if (!fine && ranks()->count > 1) {
        int64_t value = 0;
        fine = ranks_sum(&value, 1, NULL) || ranks_go_on(NULL) || ranks_agree(true, NULL);
    }
    if (!fine && ranks()->rank == 0) {
        fprintf(stderr, "cubist: %s\n", problem.text);
    }
    ranks_end();
    return fine ? 0 : problem_exit(problem.kind);
}
