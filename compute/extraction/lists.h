// What a step leaves on the device beside the surface: its lists, for pictures of how a method
// works. Nothing is copied or read back.
#pragma once

#include "compute/extraction/extraction.h"

// Borrowed from an extraction, until its next step is prepared or it is stripped. A brick's number
// is (z * bricks[1] + y) * bricks[0] + x; a cell's is brick * BRICK_CELLS + row * BRICK_X + x
// (shaders/shared/extraction.h).
struct extraction_lists {
    const struct buffer *bricks, *cells;    // ids, in the order in which the method put them
    const struct buffer *slots;             // per brick: its place in the list of bricks
    const struct buffer *row_masks;         // HALO_ROWS per active brick
    const struct buffer *control;           // has in these slots:
    uint32_t bricks_counter, cells_counter; // a list_counter
    uint32_t draws; // two VkDrawIndirectCommands: BRICK_CORNERS vertices per brick, CELL_CORNERS
                    // per cell; none of both if the step is not whole
    const struct method *method; // of the cells
    const struct buffer *masks;  // the HistoPyramid of the cells: a leaf per row of active bricks,
    const struct buffer *levels; // and the levels above; NULL: the method has none
    uint32_t leaves;             // that there is room for
    uint32_t grid[3];            // bricks along x, y, z
    uint32_t base_y, base_z;     // of the first brick, in the whole volume's samples
};

// The lists of the step that was recorded last, if it made this surface with step.draws, and
// nothing has freed them since. They may be read where extraction_show_lists or the end of a
// submission has come between.
bool extraction_lists(
    const struct extraction *extraction, const struct surface *surface,
    struct extraction_lists *out);

// Shaders of drawings that follow in this command buffer read the lists.
void extraction_show_lists(struct run *run, const struct extraction_lists *lists);
