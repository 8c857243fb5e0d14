// The methods that run on the CPU: words in the host's memory, plain C and threads. They are rows
// of the same table; bench and verify run them beside the device's.
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

// Each returns how many words it kept, at the head of `out`.

// Sequential, as std::remove_if: stable, in place. Phases: mark what a list names; remove.
uint32_t cpu_remove(struct cpu_run *run);

// A Boolean stencil, a prefix sum of the threads' counts, a copy: stable, not in place.
uint32_t cpu_stencil(struct cpu_run *run);

// Redzone 2 on threads: in place, O(removal_count). Same list, same order, whatever the threads.
uint32_t cpu_redzone(struct cpu_run *run);
