// Several processes of one command, as threads: a stand-in for MPI. They meet like ranks do
// (app/ranks/ranks.h): a process that fails says so once, and the others learn it where they meet.
#pragma once

#include "volumes/base/problem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES_MOST 8

struct processes {
    int count;
    pthread_barrier_t barrier;
    atomic_bool failed;
    unsigned char *bytes; // what each brings
};

struct process {
    struct processes *all;
    int rank;
    bool over; // one has failed, and this one knows it
    int meetings;
};

// All processes call it. `gathered` may be NULL where `size` is 0.
static inline bool
process_meet(struct process *process, bool fine, const void *bytes, size_t size, void *gathered)
{
    struct processes *all = process->all;
    if (process->over) {
        return false;
    }
    process->meetings++;
    if (!fine) {
        all->failed = true;
    }
    pthread_barrier_wait(&all->barrier); // all know whether one has failed
    process->over = all->failed;
    if (process->over) {
        return false;
    }
    if (process->rank == 0) {
        all->bytes = malloc((size_t)all->count * size + 1);
    }
    pthread_barrier_wait(&all->barrier);
    memcpy(all->bytes + (size_t)process->rank * size, bytes, size);
    pthread_barrier_wait(&all->barrier);
    memcpy(gathered, all->bytes, (size_t)all->count * size);
    pthread_barrier_wait(&all->barrier);
    if (process->rank == 0) {
        free(all->bytes);
    }
    return true;
}

// struct mesh_window's gather, with a struct process as `user`.
static inline bool
process_gather(void *user, const void *bytes, size_t size, void *gathered, struct problem *problem)
{
    return process_meet(user, true, bytes, size, gathered) ||
           problem_set(problem, PROBLEM_INTERRUPTED, "another process has failed");
}

// The last meeting: whether all went well.
static inline bool process_end(struct process *process, bool fine)
{
    char none[PROCESSES_MOST];
    return process_meet(process, fine, none, 1, none);
}

// Runs `work` once for each rank, at the same time. `users` are the ranks' own.
static inline void processes_run(int count, void *(*work)(void *user), void *const *users)
{
    pthread_t threads[PROCESSES_MOST];
    for (int i = 1; i < count; i++) {
        if (pthread_create(&threads[i], NULL, work, users[i]) != 0) {
            abort();
        }
    }
    work(users[0]);
    for (int i = 1; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}
