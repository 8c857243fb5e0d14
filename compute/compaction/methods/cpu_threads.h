// Shared by the methods of the CPU: one batch of work per thread, and the times of the phases.
// OpenMP provides the threads; the Redzone paper uses TBB.
#pragma once

#include "compute/compaction/cpu.h"
#include "compute/compaction/method.h"

#include <omp.h>
#include <string.h>

static inline uint32_t cpu_batches(const struct cpu_run *run)
{
    const uint32_t wanted = run->threads ? run->threads : (uint32_t)omp_get_max_threads();
    return wanted < CPU_THREADS ? wanted : CPU_THREADS;
}

// The index of a batch's first item among `count` items; for batch number `batches`, `count`.
static inline uint32_t cpu_batch_begin(uint32_t batch, uint32_t batches, uint32_t count)
{
    return (uint32_t)((uint64_t)count * batch / batches);
}

// Replaces the counts by their exclusive sums, and appends the total.
static inline void cpu_sum_up(uint32_t *counts, uint32_t batches)
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b <= batches; b++) {
        const uint32_t count = b < batches ? counts[b] : 0;
        counts[b] = sum;
        sum += count;
    }
}

static inline void cpu_begin_in_place(struct cpu_run *run)
{
    if (run->out != run->in && run->count > 0) {
        memcpy(run->out, run->in, (size_t)run->count * sizeof *run->out);
    }
}

static inline double cpu_end_phase(struct cpu_run *run, int phase, double start)
{
    const double now = omp_get_wtime();
    run->ms[phase] = 1000 * (now - start);
    return now;
}
