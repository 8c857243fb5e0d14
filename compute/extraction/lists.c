#include "compute/extraction/lists.h"

#include "compute/extraction/internal.h"

bool extraction_lists(
    const struct extraction *extraction, const struct surface *surface,
    struct extraction_lists *out)
{
    *out = (struct extraction_lists){ 0 };
    if (!surface || extraction->made.surface != surface || !extraction->made.draws ||
        !extraction->cells.handle) {
        return false;
    }
    const struct atlas *atlas = extraction->atlas;
    const struct compaction *compaction = &extraction->compaction;
    const struct method *method = extraction->selections[STREAM_CELLS].method;
    *out = (struct extraction_lists){
        .bricks = &extraction->fixed[FIXED_BRICKS],
        .cells = &extraction->cells,
        .slots = &extraction->fixed[FIXED_SLOTS],
        .row_masks = &extraction->row_masks,
        .control = &extraction->fixed[FIXED_CONTROL],
        .bricks_counter = CONTROL_COUNTERS + LIST_BRICKS,
        .cells_counter = CONTROL_COUNTERS + LIST_CELLS,
        .draws = CONTROL_LISTS_DRAW,
        .method = method,
        .grid = { atlas->bricks[0], atlas->bricks[1], atlas->bricks[2] },
        .base_y = atlas->base_y,
        .base_z = atlas->base_z,
    };
    if (method->pyramid != PYRAMID_NONE) {
        out->masks = &compaction->masks;
        out->levels = &compaction->levels;
        out->leaves = compaction->size[STREAM_CELLS].lanes; // a lane has a row of cells
    }
    return true;
}

void extraction_show_lists(struct run *run, const struct extraction_lists *lists)
{
    const struct buffer *const buffers[] = {
        lists->bricks, lists->cells, lists->slots, lists->row_masks, lists->masks, lists->levels,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i]) {
            run_use(run, buffers[i], ACCESS_SHOW);
        }
    }
    const uint32_t slots[] = { lists->bricks_counter, lists->cells_counter, lists->draws };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        run_use_part(run, lists->control, (uint64_t)slots[i] * BUFFER_SLOT, ACCESS_SHOW);
    }
}
