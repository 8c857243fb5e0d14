// The processes that do one command together, called ranks as in MPI. `cubist` is one rank alone
// (ranks_one.c). `cubist-mpi` is started several times by mpirun or srun (ranks_mpi.c, the only
// file that includes mpi.h).
//
// All ranks run the same command. A collective function must be called by all ranks, in the same
// order, with the same size; where they do not, as ranks with other arguments would, all of them get
// PROBLEM_USAGE. It first asks whether all ranks are fine, so a rank that failed need not know what
// the others would do next:
//
//     a rank that fails returns false, up to the end of its command;
//     there main calls ranks_agree(false, problem);
//     the others meet it in their next collective function, which returns false, too.
//
// After that no collective function talks to other ranks any more: each returns false at once, with
// the same problem. So a command calls these functions like any other that can fail. A rank within
// long work learns of the failure by ranks_go_on.
//
// Ranks wait asleep, because a rank that waits busily takes a core from the others.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>
#include <stdint.h>

struct ranks {
    int rank, count;             // of all
    int local_rank, local_count; // of those on the same host
    int cores;                   // of this host, for this rank; 0: all that it may use
    bool mpi;                    // this is `cubist-mpi`, which may also be one rank alone
    char host[64];
};

// Which rank this is. Before ranks_begin: alone.
const struct ranks *ranks(void);

// Call it first in main. Where there are several ranks, only rank 0 has a standard output; what the
// others write there is dropped. PROBLEM_INTERNAL where MPI cannot be started. PROBLEM_USAGE where
// this is `cubist`, and mpirun or srun has started several of it.
bool ranks_begin(int *argc, char ***argv, struct problem *problem);

// Collective. Whether all ranks are fine. Where one is not, all get its problem, with its number
// and its host in the line: that of the lowest rank that failed for another reason than an
// interrupt, if there is one. With one rank the problem stays as it is.
bool ranks_agree(bool fine, struct problem *problem);

// Within long work, often: false with PROBLEM_INTERRUPTED where `interrupted` is set, or where
// another rank has failed.
bool ranks_go_on(struct problem *problem);

// Collective. Each value becomes the sum over all ranks. 64 bits, signed: both MPIs of Debian 12
// have errors in other types.
bool ranks_sum(int64_t *values, size_t count, struct problem *problem);

// Collective. Each value becomes the least over all ranks; at rank 0 only. The others' values stay.
bool ranks_least(int64_t *values, size_t count, struct problem *problem);

// Collective. `bytes` of rank `from` replace those of all others.
bool ranks_share(int from, void *bytes, size_t size, struct problem *problem);

// Collective. `all` gets the `size` bytes of each rank, in order: ranks()->count times `size`
// bytes.
bool ranks_gather(const void *bytes, size_t size, void *all, struct problem *problem);

// Not collective: the next number of a counter that all ranks share, from 0 on. Each number is
// given once. ranks_restart, collective, sets the counter to 0; call it before.
bool ranks_restart(struct problem *problem);
bool ranks_take(int64_t *next, struct problem *problem);

// Call it last in main, also where ranks_begin failed. Rank 0 prints the problem before: after
// ranks_end launchers may end all ranks as soon as one of them has returned its exit code.
void ranks_end(void);
