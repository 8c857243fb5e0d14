// A run of a CPU method (method->cpu): plain C and threads, on words in host memory. It returns the
// number of kept words, which are at the beginning of `out`.
#pragma once

#include <stdint.h>

#define CPU_PHASES  3
#define CPU_THREADS 256 // at most

// One compaction of words. The words to drop are named by a list; without a list they are those
// whose top bit (WORD_INVALID) is set. The caller allocates all memory, so that only the work is
// timed.
struct cpu_run {
    const uint32_t *in;
    // Memory for `count` words. Methods that work in place work here. If `in` is not `out`, they
    // first copy the words; the copy is not timed.
    uint32_t *out;
    uint32_t count;
    // Indices into `in` of the words to drop, each once, in any order. If there are none, the
    // words' top bits decide. A method that needs a removal list uses only the list, and overwrites
    // it; then no other word may have its top bit set.
    uint32_t *removals;
    uint32_t removal_count;
    void *scratch;         // `count` bytes, with any contents, aligned for words
    uint32_t threads;      // at most CPU_THREADS; 0: as many as the machine has
    double ms[CPU_PHASES]; // output: times of the phases of figure 7 in the Redzone paper
};
