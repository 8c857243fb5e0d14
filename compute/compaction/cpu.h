// A run of a method of the CPU (method->cpu): words in the host's memory, plain C and threads. It
// returns how many words it kept, which stand at the head of `out`.
#pragma once

#include <stdint.h>

#define CPU_PHASES  3
#define CPU_THREADS 256 // at most

// One compaction of words. What does not stay is told by a list, or by the words themselves where
// there is none: their top bit (WORD_INVALID) is set. Memory is the caller's, so that nothing but
// the work is timed.
struct cpu_run {
    const uint32_t *in;
    // Room for `count` words. Methods in place work here, on the words themselves where `in` is
    // `out`, and else on a copy of them, which is not timed.
    uint32_t *out;
    uint32_t count;
    // Indices into `in` of what does not stay, each once, in any order; 0 of them: the words tell.
    // Methods that need a removal list go by it alone, and use it up; no word that it does not name
    // has its top bit set.
    uint32_t *removals;
    uint32_t removal_count;
    uint8_t *scratch;      // count bytes, whatever they hold
    uint32_t threads;      // at most CPU_THREADS; 0: as many as the machine has
    double ms[CPU_PHASES]; // out: what the phases of figure 7 in the Redzone paper took
};
