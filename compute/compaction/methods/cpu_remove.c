// Works like std::remove_if on threads: in place, in order. Phase 1 marks the words that the list
// names, phase 2 removes. In each round every thread takes a block. The first thread writes the
// kept words of its block to their final place, which is never behind the word that it reads. The
// others collect theirs in a buffer. When all blocks have been read, each buffer is copied to its
// place. There are few rounds, because a round is as slow as its slowest thread.
//
// Where we differ: Bontes & Gain 2024 run std::remove on TBB. libstdc++ copies all kept words into
// a buffer as long as the list, and back.

#include "compute/compaction/methods/cpu_threads.h"

#define CPU_REMOVE_BLOCK (1 << 18) // words of a block, at most: it should stay in a core's cache

// Copies the kept words of words[begin] to words[end - 1] to `to`, which may be before `begin` in
// the same memory. Returns how many there are.
static uint32_t cpu_remove_block(const uint32_t *words, uint64_t begin, uint64_t end, uint32_t *to)
{
    uint32_t kept = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (!(words[i] & WORD_INVALID)) {
            to[kept++] = words[i];
        }
    }
    return kept;
}

// The part of one thread of `threads`. Rounds use the two arrays of counts in turn: no thread is
// more than a round ahead of another. Returns how many words all threads have kept.
static uint32_t cpu_remove_on(
    const struct cpu_run *run, uint32_t thread, uint32_t threads, uint32_t counts[2][CPU_THREADS])
{
    const uint64_t count = run->count;
    const uint64_t room = threads > 1 ? count / 4 / (threads - 1) : count; // of a buffer, in words
    const uint64_t block = room < CPU_REMOVE_BLOCK ? room : CPU_REMOVE_BLOCK;
    uint32_t *words = run->out, kept = 0, round = 0;
    uint32_t *buffer = (uint32_t *)run->scratch + (thread > 0 ? thread - 1 : 0) * block;
    for (uint64_t first = 0; first < count; first += block * threads, round ^= 1) {
        const uint64_t begin = first + block * thread, end = begin + block;
        uint32_t *mine = counts[round];
        mine[thread] = cpu_remove_block(
            words, begin, end < count ? end : count, thread == 0 ? words + kept : buffer);
#pragma omp barrier
        for (uint32_t other = 0; other < threads; other++) {
            if (other == thread && thread > 0) {
                memcpy(words + kept, buffer, mine[thread] * sizeof *buffer);
            }
            kept += mine[other];
        }
    }
    return kept;
}

static uint32_t cpu_remove(struct cpu_run *run)
{
    cpu_begin_in_place(run);
    // So each buffer has a word at least. Fewer words are not worth threads.
    const uint32_t batches = run->count < 4 * CPU_THREADS ? 1 : cpu_batches(run);
    uint32_t *words = run->out, counts[2][CPU_THREADS], kept = 0;
    double time = omp_get_wtime();
#pragma omp parallel for schedule(static) num_threads(batches) if (run->removal_count > 0)
    for (uint32_t i = 0; i < run->removal_count; i++) {
        words[run->removals[i]] |= WORD_INVALID;
    }
    time = cpu_end_phase(run, 0, time);
#pragma omp parallel num_threads(batches)
    {
        const uint32_t thread = (uint32_t)omp_get_thread_num();
        const uint32_t mine = cpu_remove_on(run, thread, (uint32_t)omp_get_num_threads(), counts);
        if (thread == 0) {
            kept = mine;
        }
    }
    time = cpu_end_phase(run, 1, time);
    cpu_end_phase(run, 2, time);
    return kept;
}

const struct method method_cpu_remove = {
    .name = "cpu-remove",
    .summary = "on threads, order kept: blocks side by side, each put behind the one before it",
    .paper = "Bontes & Gain 2024, Redzone Stream Compaction, 5.3: compared with on the CPU",
    .notes = { "OpenMP provides the threads, not TBB.",
               "It is not the library's std::remove, which copies all kept words into a buffer as "
               "long as the list, and back. Here the threads have buffers of 1 MiB, and together "
               "of a quarter of the list." },
    .order = ORDER_STREAM,
    .in_place = true,
    .cpu = cpu_remove,
};
