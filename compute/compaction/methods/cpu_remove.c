// Works like std::remove_if: one thread and one pass, which writes each kept word. Phase 1 marks
// the words that the list names, phase 2 removes. Where we differ: Bontes & Gain 2024 run all
// methods of the CPU on the threads of TBB, std::remove too.

#include "compute/compaction/methods/cpu_threads.h"

static uint32_t cpu_remove(struct cpu_run *run)
{
    cpu_begin_in_place(run);
    uint32_t *words = run->out;
    double time = omp_get_wtime();
    for (uint32_t i = 0; i < run->removal_count; i++) {
        words[run->removals[i]] |= WORD_INVALID;
    }
    time = cpu_end_phase(run, 0, time);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if (!(words[i] & WORD_INVALID)) {
            words[kept++] = words[i];
        }
    }
    time = cpu_end_phase(run, 1, time);
    cpu_end_phase(run, 2, time);
    return kept;
}

const struct method method_cpu_remove = {
    .name = "cpu-remove",
    .summary = "on one thread, where the paper has TBB: one pass, as std::remove_if does",
    .paper = "Bontes & Gain 2024, Redzone Stream Compaction, 5.3: compared with on the CPU",
    .notes = { "It runs on one thread; the paper's std::remove runs on the threads of TBB." },
    .order = ORDER_STREAM,
    .in_place = true,
    .cpu = cpu_remove,
};
