// cpu-remove   what std::remove_if does: one thread, one pass, a word written for each one kept.
//
// cpu-stencil  Bernabe & Acacio 2018, "On the Parallelization of Stream Compaction on a Low-Cost
// SDC
//              Cluster", algorithm 2, as Bontes & Gain describe and time it: mark what goes in a
//              Boolean stencil; count each thread's share and sum the counts up; copy. A byte per
//              word, so that no two threads write the same one.
//
// cpu-redzone  Bontes & Gain 2024, Redzone, algorithm 2. k words go, so the last k places, the red
//              zone Z, will be empty: mark the words to remove that stand there; then pair the i-th
//              word of Z with the i-th removal and overwrite the one with the other where the word
//              stays and the removed one stands before Z; the words and removals that found no
//              partner, the orphans, are as many of each and are paired last. Touches O(k) words.
//              Orphans replace what has been read of their own batch of Z and of the list, so
//              nothing else is needed. A batch's orphans keep their order and the batches theirs,
//              so the outcome does not depend on how many threads there are.
#include "compute/compaction/cpu.h"

#include "shaders/shared/compaction.h"

#include <assert.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

static uint32_t batches_of(const struct cpu_run *run)
{
    const uint32_t wanted = run->threads ? run->threads : (uint32_t)omp_get_max_threads();
    return wanted < CPU_THREADS ? wanted : CPU_THREADS;
}

// Where the batch begins among `count` things; that of the batch after the last is their end.
static uint32_t batch_begin(uint32_t batch, uint32_t batches, uint32_t count)
{
    return (uint32_t)((uint64_t)count * batch / batches);
}

// In place of the counts their exclusive sums, the total behind them.
static void sum_up(uint32_t *counts, uint32_t batches)
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b <= batches; b++) {
        const uint32_t count = b < batches ? counts[b] : 0;
        counts[b] = sum;
        sum += count;
    }
}

static void begin_in_place(struct cpu_run *run)
{
    if (run->out != run->in && run->count > 0) {
        memcpy(run->out, run->in, (size_t)run->count * sizeof *run->out);
    }
}

static double end_phase(struct cpu_run *run, int phase, double start)
{
    const double now = omp_get_wtime();
    run->ms[phase] = 1000 * (now - start);
    return now;
}

uint32_t cpu_remove(struct cpu_run *run)
{
    begin_in_place(run);
    uint32_t *words = run->out;
    double time = omp_get_wtime();
    for (uint32_t i = 0; i < run->removal_count; i++) {
        words[run->removals[i]] |= WORD_INVALID;
    }
    time = end_phase(run, 0, time);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if (!(words[i] & WORD_INVALID)) {
            words[kept++] = words[i];
        }
    }
    time = end_phase(run, 1, time);
    end_phase(run, 2, time);
    return kept;
}

uint32_t cpu_stencil(struct cpu_run *run)
{
    const uint32_t batches = batches_of(run);
    const uint32_t *in = run->in, *removals = run->removals;
    const uint32_t count = run->count, removal_count = run->removal_count;
    uint32_t *out = run->out, begins[CPU_THREADS + 1];
    uint8_t *stays = run->scratch;
    double time = omp_get_wtime();
#pragma omp parallel num_threads(batches)
    {
        if (removal_count > 0) {
#pragma omp for schedule(static)
            for (uint32_t i = 0; i < count; i++) {
                stays[i] = 1;
            }
#pragma omp for schedule(static)
            for (uint32_t i = 0; i < removal_count; i++) {
                stays[removals[i]] = 0;
            }
        } else {
#pragma omp for schedule(static)
            for (uint32_t i = 0; i < count; i++) {
                stays[i] = !(in[i] & WORD_INVALID);
            }
        }
    }
    time = end_phase(run, 0, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t end = batch_begin(b + 1, batches, count);
        uint32_t stay = 0;
        for (uint32_t i = batch_begin(b, batches, count); i < end; i++) {
            stay += stays[i];
        }
        begins[b] = stay;
    }
    sum_up(begins, batches);
    time = end_phase(run, 1, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t end = batch_begin(b + 1, batches, count);
        uint32_t at = begins[b];
        for (uint32_t i = batch_begin(b, batches, count); i < end; i++) {
            if (stays[i]) {
                out[at++] = in[i];
            }
        }
    }
    end_phase(run, 2, time);
    return begins[batches];
}

// A walk over the orphans of all batches in turn: batch b's stand from its begin on.
struct orphans {
    const uint32_t *first; // index of each batch's first among all orphans
    uint32_t batch, batches, count;
};

// Where orphan `index`, no smaller than the one before, stands.
static uint32_t place_of_orphan(struct orphans *orphans, uint32_t index)
{
    while (orphans->first[orphans->batch + 1] <= index) {
        orphans->batch++;
    }
    return batch_begin(orphans->batch, orphans->batches, orphans->count) + index -
           orphans->first[orphans->batch];
}

uint32_t cpu_redzone(struct cpu_run *run)
{
    begin_in_place(run);
    const uint32_t batches = batches_of(run);
    const uint32_t k = run->removal_count, z = run->count - k;
    uint32_t *words = run->out, *zone = run->out + z, *removals = run->removals;
    uint32_t lost_words[CPU_THREADS + 1], lost_removals[CPU_THREADS + 1];
    double time = omp_get_wtime();
#pragma omp parallel for schedule(static) num_threads(batches)
    for (uint32_t i = 0; i < k; i++) {
        if (removals[i] >= z) {
            words[removals[i]] |= WORD_INVALID;
        }
    }
    time = end_phase(run, 0, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t begin = batch_begin(b, batches, k), end = batch_begin(b + 1, batches, k);
        uint32_t word_count = 0, removal_count = 0;
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t word = zone[i], removal = removals[i];
            const bool stays = !(word & WORD_INVALID), before = removal < z;
            if (stays && before) {
                words[removal] = word;
            } else if (stays) {
                zone[begin + word_count++] = word;
            } else if (before) {
                removals[begin + removal_count++] = removal;
            }
        }
        lost_words[b] = word_count;
        lost_removals[b] = removal_count;
    }
    time = end_phase(run, 1, time);
    sum_up(lost_words, batches);
    sum_up(lost_removals, batches);
    const uint32_t orphans = lost_words[batches];
    assert(orphans == lost_removals[batches]);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t end = batch_begin(b + 1, batches, orphans);
        struct orphans from = { lost_words, 0, batches, k }, to = { lost_removals, 0, batches, k };
        for (uint32_t i = batch_begin(b, batches, orphans); i < end; i++) {
            const uint32_t word = zone[place_of_orphan(&from, i)];
            words[removals[place_of_orphan(&to, i)]] = word;
        }
    }
    end_phase(run, 2, time);
    return z;
}
