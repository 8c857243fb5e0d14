#include "app/cli/commands/cells_cpu.h"

#include "compute/compaction/cpu.h"

#include <stdlib.h>

#define CELLS_BLOCK (1u << 22)

struct cells_block {
    uint32_t *words, *out, *removals;
    uint8_t *scratch;
};

static void cells_block_destroy(struct cells_block *block)
{
    free(block->words);
    free(block->out);
    free(block->removals);
    free(block->scratch);
}

static bool cells_block_create(struct cells_block *block, uint32_t count)
{
    const size_t size = count * sizeof(uint32_t);
    *block = (struct cells_block){
        .words = malloc(size),
        .out = malloc(size),
        .removals = malloc(size),
        .scratch = malloc(count),
    };
    return block->words && block->out && block->removals && block->scratch;
}

// Makes the words of `count` cells from cell `first` on. `active` are the active cells from there
// on. Returns how many of them are among the `count` cells.
static uint64_t cells_block_fill(
    struct cells_block *block, uint64_t first, uint32_t count, const uint64_t *active,
    uint64_t left, bool by_list, uint32_t *removal_count)
{
    uint64_t met = 0;
    *removal_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool stays = met < left && active[met] == first + i;
        met += stays;
        block->words[i] = i | (stays || by_list ? 0 : WORD_INVALID);
        if (!stays && by_list) {
            block->removals[(*removal_count)++] = i;
        }
    }
    return met;
}

// Makes room for `more` cells.
static bool cells_reserve(struct cell_list *list, uint64_t *room, uint64_t more)
{
    if (list->cells && list->count + more <= *room) {
        return true;
    }
    const uint64_t wanted = (list->count + more) * 3 / 2 + 1;
    uint64_t *cells = realloc(list->cells, wanted * sizeof *cells);
    if (!cells) {
        return false;
    }
    list->cells = cells;
    *room = wanted;
    return true;
}

bool cells_by_cpu(
    const struct method *method, const uint32_t dim[3], const struct cell_list *active,
    uint32_t threads, struct cell_list *out, struct problem *problem)
{
    const uint64_t all = (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1);
    struct cells_block block;
    uint64_t room = 0, at = 0;
    *out = (struct cell_list){ 0 };
    bool fine = cells_block_create(&block, all < CELLS_BLOCK ? (uint32_t)all : CELLS_BLOCK);
    for (uint64_t first = 0; fine && first < all; first += CELLS_BLOCK) {
        const uint32_t count = all - first < CELLS_BLOCK ? (uint32_t)(all - first) : CELLS_BLOCK;
        struct cpu_run run = {
            .in = block.words,
            .out = method->in_place ? block.words : block.out,
            .count = count,
            .removals = block.removals,
            .scratch = block.scratch,
            .threads = threads,
        };
        at += cells_block_fill(
            &block, first, count, active->cells + at, active->count - at, method->removes,
            &run.removal_count);
        const uint32_t kept = method->cpu(&run);
        fine = cells_reserve(out, &room, kept);
        for (uint32_t i = 0; fine && i < kept; i++) {
            out->cells[out->count++] = first + run.out[i];
        }
    }
    cells_block_destroy(&block);
    if (!fine) {
        cell_list_destroy(out);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the stream of cells");
    }
    return true;
}
