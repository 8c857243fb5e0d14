// Runs the CPU's methods for bench, on words in the host's memory.
#pragma once

#include "compute/compaction/words.h"

struct bench_cpu {
    uint32_t *in;       // the stream
    uint32_t *out;      // its kept words
    uint32_t *removals; // a copy of the given list, or a list made here; the method destroys it
    uint8_t *scratch;
};

// Allocates memory for streams of `count` words. PROBLEM_HOST_MEMORY. On false `out` is empty.
bool bench_cpu_create(uint32_t count, struct bench_cpu *out, struct problem *problem);
void bench_cpu_destroy(struct bench_cpu *cpu);

// Compacts the first `count` words of cpu->in into cpu->out. `list`: positions of the words to
// remove. NULL: they have their top bit set; if the method needs a list, making it is a separate
// stage. Sets kept, stages and ms of `result` by the host's clock.
void bench_cpu_run(
    struct bench_cpu *cpu, const struct method *method, uint32_t count, const uint32_t *list,
    uint32_t list_count, struct words_result *result);
