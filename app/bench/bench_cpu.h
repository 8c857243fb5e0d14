// The methods of the CPU as bench runs them: on words in the host's memory.
#pragma once

#include "compute/compaction/words.h"

struct bench_cpu {
    uint32_t *in;       // the stream
    uint32_t *out;      // its kept words
    uint32_t *removals; // a method uses a list up: a copy, or one made here
    uint8_t *scratch;
};

// Room for streams of so many words. PROBLEM_HOST_MEMORY where there is none. On false `out` is
// empty.
bool bench_cpu_create(uint32_t count, struct bench_cpu *out, struct problem *problem);
void bench_cpu_destroy(struct bench_cpu *cpu);

// Compacts the first `count` words of cpu->in into cpu->out. `list`: the places of the words that
// do not stay, which are told by it alone; NULL: by their top bits, and where the method needs a
// list it is made, a stage of its own. Fills in kept, stages and ms of `result`, by the host's
// clock.
void bench_cpu_run(
    struct bench_cpu *cpu, const struct method *method, uint32_t count, const uint32_t *list,
    uint32_t list_count, struct words_result *result);
