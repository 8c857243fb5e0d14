// Bontes & Gain 2024, Redzone, algorithm 2, on threads. It removes k words. The last k positions,
// the red zone Z, will be empty. Phase 1 marks the words in Z that are removed. Phase 2 pairs the
// i-th word of Z with the i-th removal: if the word stays and the removed position is before Z, the
// word moves to that position. The words and the removals that are left are called orphans; there
// are equally many of both. Phase 3 pairs them. O(k) words are accessed.
//
// A batch stores its orphans in Z and in the removal list, where it has already read. So no other
// memory is needed. Orphans keep their order within a batch and from batch to batch, so the result
// does not depend on the number of threads.

#include "compute/compaction/methods/cpu_threads.h"

#include <assert.h>

// Iterates over the orphans of all batches in turn. The orphans of batch b begin where batch b
// begins.
struct orphans {
    const uint32_t *first; // per batch: number of its first orphan, counted over all batches
    uint32_t batch, batches, count;
};

// The position of orphan `index`. `index` may not decrease from call to call.
static uint32_t cpu_redzone_orphan_index(struct orphans *orphans, uint32_t index)
{
    while (orphans->first[orphans->batch + 1] <= index) {
        orphans->batch++;
    }
    return cpu_batch_begin(orphans->batch, orphans->batches, orphans->count) + index -
           orphans->first[orphans->batch];
}

static uint32_t cpu_redzone(struct cpu_run *run)
{
    cpu_begin_in_place(run);
    const uint32_t batches = cpu_batches(run);
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
    time = cpu_end_phase(run, 0, time);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t begin = cpu_batch_begin(b, batches, k);
        const uint32_t end = cpu_batch_begin(b + 1, batches, k);
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
    time = cpu_end_phase(run, 1, time);
    cpu_sum_up(lost_words, batches);
    cpu_sum_up(lost_removals, batches);
    const uint32_t orphans = lost_words[batches];
    assert(orphans == lost_removals[batches]);
#pragma omp parallel for schedule(static, 1) num_threads(batches)
    for (uint32_t b = 0; b < batches; b++) {
        const uint32_t end = cpu_batch_begin(b + 1, batches, orphans);
        struct orphans from = { lost_words, 0, batches, k }, to = { lost_removals, 0, batches, k };
        for (uint32_t i = cpu_batch_begin(b, batches, orphans); i < end; i++) {
            const uint32_t word = zone[cpu_redzone_orphan_index(&from, i)];
            words[removals[cpu_redzone_orphan_index(&to, i)]] = word;
        }
    }
    cpu_end_phase(run, 2, time);
    return z;
}

const struct method method_cpu_redzone = {
    .name = "cpu-redzone",
    .summary = "on threads: fills the gaps of k removed words with words from the list's end, O(k)",
    .paper = "Bontes & Gain 2024, Redzone Stream Compaction, algorithm 2",
    .notes = { "OpenMP provides the threads, not TBB.",
               "A batch's orphans are found by walking over the batches, not by a search from the "
               "thread's number (algorithm 3)." },
    .order = ORDER_FIXED,
    .in_place = true,
    .removes = true,
    .cpu = cpu_redzone,
};
