#include "app/bench/bench_cpu.h"

#include "app/base/progress.h"
#include "compute/compaction/cpu.h"

#include <stdlib.h>
#include <string.h>

bool bench_cpu_create(uint32_t count, struct bench_cpu *out, struct problem *problem)
{
    const size_t size = (size_t)count * sizeof(uint32_t);
    *out = (struct bench_cpu){
        .in = malloc(size),
        .out = malloc(size),
        .removals = malloc(size),
        .scratch = malloc(count),
    };
    if (!out->in || !out->out || !out->removals || !out->scratch) {
        bench_cpu_destroy(out);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory for %u words of the CPU's methods", count);
    }
    return true;
}

void bench_cpu_destroy(struct bench_cpu *cpu)
{
    free(cpu->in);
    free(cpu->out);
    free(cpu->removals);
    free(cpu->scratch);
    *cpu = (struct bench_cpu){ 0 };
}

static void bench_cpu_add_stage(struct words_result *result, const char *name, double ms)
{
    result->stages[result->stage_count] = (struct stage){ STAGE_PASS, name };
    result->stage_ms[result->stage_count++] = ms;
    result->ms += ms;
}

// Lists the positions of the words with their top bit set, on one thread.
static uint32_t bench_cpu_make_list(const uint32_t *words, uint32_t count, uint32_t *list)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[found] = i;
        found += words[i] >> 31;
    }
    return found;
}

void bench_cpu_run(
    struct bench_cpu *cpu, const struct method *method, uint32_t count, const uint32_t *list,
    uint32_t list_count, struct words_result *result)
{
    static const char *const phases[CPU_PHASES] = { "phase 1", "phase 2", "phase 3" };
    *result = (struct words_result){ .method = method };
    struct cpu_run run = {
        .in = cpu->in,
        .out = cpu->out,
        .count = count,
        .removals = cpu->removals,
        .scratch = cpu->scratch,
    };
    if (list) {
        memcpy(cpu->removals, list, (size_t)list_count * sizeof *list);
        run.removal_count = list_count;
    } else if (method->removes) {
        const double start = clock_ms();
        run.removal_count = bench_cpu_make_list(cpu->in, count, cpu->removals);
        bench_cpu_add_stage(result, "make list", clock_ms() - start);
    }
    result->kept = method->cpu(&run);
    for (int i = 0; i < CPU_PHASES; i++) {
        bench_cpu_add_stage(result, phases[i], run.ms[i]);
    }
}
