#include "app/cli/cells_cpu.h"

#include "compute/compaction/cpu.h"

#include <stdlib.h>

#define PIECE (1u << 22)

struct piece {
    uint32_t *words, *out, *removals;
    uint8_t *scratch;
};

static void piece_destroy(struct piece *piece)
{
    free(piece->words);
    free(piece->out);
    free(piece->removals);
    free(piece->scratch);
}

static bool piece_create(struct piece *piece, uint32_t count)
{
    const size_t size = count * sizeof(uint32_t);
    *piece = (struct piece){
        .words = malloc(size),
        .out = malloc(size),
        .removals = malloc(size),
        .scratch = malloc(count),
    };
    return piece->words && piece->out && piece->removals && piece->scratch;
}

// The words of `count` cells from `first` on; `active` are the active ones among and behind them.
// How many of those were met.
static uint64_t fill(
    struct piece *piece, uint64_t first, uint32_t count, const uint64_t *active, uint64_t left,
    bool by_list, uint32_t *removal_count)
{
    uint64_t met = 0;
    *removal_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool stays = met < left && active[met] == first + i;
        met += stays;
        piece->words[i] = i | (stays || by_list ? 0 : WORD_INVALID);
        if (!stays && by_list) {
            piece->removals[(*removal_count)++] = i;
        }
    }
    return met;
}

// Makes room for `more` cells.
static bool reserve(struct cell_list *list, uint64_t *room, uint64_t more)
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
    struct piece piece;
    uint64_t room = 0, at = 0;
    *out = (struct cell_list){ 0 };
    bool fine = piece_create(&piece, all < PIECE ? (uint32_t)all : PIECE);
    for (uint64_t first = 0; fine && first < all; first += PIECE) {
        const uint32_t count = all - first < PIECE ? (uint32_t)(all - first) : PIECE;
        struct cpu_run run = {
            .in = piece.words,
            .out = method->in_place ? piece.words : piece.out,
            .count = count,
            .removals = piece.removals,
            .scratch = piece.scratch,
            .threads = threads,
        };
        at += fill(
            &piece, first, count, active->cells + at, active->count - at, method->removes,
            &run.removal_count);
        const uint32_t kept = method->cpu(&run);
        fine = reserve(out, &room, kept);
        for (uint32_t i = 0; fine && i < kept; i++) {
            out->cells[out->count++] = first + run.out[i];
        }
    }
    piece_destroy(&piece);
    if (!fine) {
        cell_list_destroy(out);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the stream of cells");
    }
    return true;
}
