// Bernabe & Acacio 2018, "On the Parallelization of Stream Compaction on a Low-Cost SDC Cluster",
// algorithm 2, as Bontes & Gain describe and time it. Phase 1 marks the kept words in a Boolean
// stencil. Phase 2 counts each thread's kept words and sums the counts. Phase 3 copies. The stencil
// has a byte per word, so no two threads write the same byte. cpu-stencil:mark counts in phase 1.

#include "compute/compaction/methods/cpu_threads.h"

// `marked`: counts while it marks. Then phase 2 only sums the counts.
static inline uint32_t cpu_stencil_run(struct cpu_run *run, bool marked)
{
    const uint32_t batches = cpu_batches(run);
    const uint32_t *in = run->in, *removals = run->removals;
    const uint32_t count = run->count, removal_count = run->removal_count;
    uint32_t *out = run->out, begins[CPU_THREADS + 1], gone[CPU_THREADS] = { 0 };
    uint8_t *stays = run->scratch;
    double time = omp_get_wtime();
#pragma omp parallel num_threads(batches)
    {
        if (removal_count > 0) {
#pragma omp for schedule(static)
            for (uint32_t i = 0; i < count; i++) {
                stays[i] = 1;
            }
#pragma omp for schedule(static) reduction(+ : gone[:CPU_THREADS])
            for (uint32_t i = 0; i < removal_count; i++) {
                stays[removals[i]] = 0;
                if (marked) {
                    gone[(((uint64_t)removals[i] + 1) * batches - 1) / count]++; // of its batch
                }
            }
        } else {
#pragma omp for schedule(static, 1)
            for (uint32_t b = 0; b < batches; b++) {
                const uint32_t end = cpu_batch_begin(b + 1, batches, count);
                uint32_t away = 0;
                for (uint32_t i = cpu_batch_begin(b, batches, count); i < end; i++) {
                    stays[i] = !(in[i] & WORD_INVALID);
                    away += marked ? !stays[i] : 0;
                }
                gone[b] = away;
            }
        }
    }
    time = cpu_end_phase(run, 0, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches) if (!marked)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t begin = cpu_batch_begin(b, batches, count);
        const uint32_t end = cpu_batch_begin(b + 1, batches, count);
        uint32_t stay = marked ? end - begin - gone[b] : 0;
        for (uint32_t i = begin; !marked && i < end; i++) {
            stay += stays[i];
        }
        begins[b] = stay;
    }
    cpu_sum_up(begins, batches);
    time = cpu_end_phase(run, 1, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t end = cpu_batch_begin(b + 1, batches, count);
        uint32_t at = begins[b];
        for (uint32_t i = cpu_batch_begin(b, batches, count); i < end; i++) {
            if (stays[i]) {
                out[at++] = in[i];
            }
        }
    }
    cpu_end_phase(run, 2, time);
    return begins[batches];
}

static uint32_t cpu_stencil(struct cpu_run *run)
{
    return cpu_stencil_run(run, false);
}

static uint32_t cpu_stencil_mark(struct cpu_run *run)
{
    return cpu_stencil_run(run, true);
}

#define STENCIL_PAPER "Bernabe & Acacio 2018, Stream Compaction on a Low-Cost SDC Cluster, alg. 2"
#define STENCIL_NOTE  "OpenMP provides the threads, not TBB."

const struct method method_cpu_stencil = {
    .name = "cpu-stencil",
    .summary = "on threads: marks kept words in a Boolean stencil, sums their counts, copies them",
    .paper = STENCIL_PAPER,
    .notes = { STENCIL_NOTE, "The kept words are not counted while the stencil is made, as section "
                             "5.3 of Redzone proposes: that is left to cpu-stencil:mark." },
    .order = ORDER_STREAM,
    .cpu = cpu_stencil,
};

const struct method method_cpu_stencil_mark = {
    .name = "cpu-stencil:mark",
    .summary = "as cpu-stencil, but it counts the kept words while it marks them",
    .paper = STENCIL_PAPER "; Redzone, 5.3",
    .notes = { STENCIL_NOTE },
    .order = ORDER_STREAM,
    .form = FORM_MARK,
    .cpu = cpu_stencil_mark,
};
