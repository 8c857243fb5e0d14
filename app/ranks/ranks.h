// The processes that do one command together, called ranks as in MPI. `cubist` is one rank alone
// (ranks_one.c). `cubist-mpi` is started several times by mpirun or srun (ranks_mpi.c, the only
// file that includes mpi.h).
//
// All ranks run the same command. A collective function must be called by all ranks, in the same
// order, with the same size. If they do not, for example because their arguments differ, all ranks
// get PROBLEM_USAGE. The function first asks whether all ranks are fine. So a rank that failed need
// not know what the others would do next:
//
//     a rank that fails returns false, up to the end of its command;
//     there main calls ranks_agree(false, problem);
//     the others learn of it in their next collective function, which also returns false.
//
// After that no collective function talks to other ranks any more: each returns false at once, with
// the same problem. So a command calls these functions like any other that can fail. During long
// work a rank learns of the failure by ranks_go_on.
//
// A rank sleeps while it waits, because polling would take a core from the other ranks.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>
#include <stdint.h>

struct ranks {
    int rank, count;             // among all ranks
    int local_rank, local_count; // among the ranks on the same host
    int cores;                   // number of cores for this rank; 0: all that it may use
    bool mpi;                    // this is `cubist-mpi`, which may also be one rank alone
    char host[64];
};

// Which rank this process is. Before ranks_begin it is a single rank.
const struct ranks *ranks(void);

// Call it first in main. With several ranks, only rank 0 has a standard output; what the others
// write to theirs is dropped. PROBLEM_INTERNAL: MPI cannot be started. PROBLEM_USAGE: this is
// `cubist`, and mpirun or srun has started it several times.
bool ranks_begin(int *argc, char ***argv, struct problem *problem);

// Collective. Whether all ranks are fine. If not, all ranks get the problem of one rank that
// failed: the lowest one that failed for another reason than an interrupt, if there is one. The
// text names this rank and its host. With one rank the problem is not changed.
bool ranks_agree(bool fine, struct problem *problem);

// Call it often during long work. False with PROBLEM_INTERRUPTED if `interrupted` is set or another
// rank has failed.
bool ranks_go_on(struct problem *problem);

// Collective. Each value becomes the sum over all ranks. Only int64_t: both MPIs of Debian 12 have
// errors in other types.
bool ranks_sum(int64_t *values, size_t count, struct problem *problem);

// Collective. At rank 0 each value becomes the least over all ranks. Other ranks keep theirs.
bool ranks_least(int64_t *values, size_t count, struct problem *problem);

// Collective. Copies `bytes` of rank `from` to `bytes` of all other ranks.
bool ranks_share(int from, void *bytes, size_t size, struct problem *problem);

// Collective. `all` gets the `size` bytes of each rank, in the order of ranks: ranks()->count times
// `size` bytes.
bool ranks_gather(const void *bytes, size_t size, void *all, struct problem *problem);

// ranks_take is not collective. It returns the next number of a counter that all ranks share; each
// number is given once. ranks_restart is collective. Call it first: it sets the counter to 0.
bool ranks_restart(struct problem *problem);
bool ranks_take(int64_t *next, struct problem *problem);

// Call it last in main, also if ranks_begin failed. Rank 0 must print the problem before this call:
// after it launchers may end all ranks as soon as one of them has returned its exit code.
void ranks_end(void);
