// What a step leaves on the device beside the surface: its lists, for pictures of how a method
// works. Nothing is copied or read back.
#pragma once

#include "compute/extraction/extraction.h"

// Borrowed from an extraction, until its next step is prepared or it is stripped. A brick's number
// is (z * bricks[1] + y) * bricks[0] + x; a cell's is brick * BRICK_CELLS + row * BRICK_X + x
// (shaders/shared/extraction.h).
struct extraction_lists {
    const struct buffer *bricks, *cells;    // ids, in the order in which the method put them
    const struct buffer *slots;             // by brick: its index in the list if it is active
    const struct buffer *row_masks;         // HALO_ROWS per active brick
    const struct buffer *control;           // its slots are the next three members
    uint32_t bricks_counter, cells_counter; // slots with a list_counter
    uint32_t draws; // slot with two VkDrawIndirectCommands: BRICK_CORNERS vertices per brick,
                    // CELL_CORNERS per cell; no vertices if the step is not whole
    const struct method *method; // the method that made the cells
    const struct buffer *masks;  // leaves of the cells' HistoPyramid, one per row of active bricks
    const struct buffer *levels; // the levels above them; both NULL: the method has no pyramid
    uint32_t leaves;             // leaves that `masks` can hold
    uint32_t grid[3];            // bricks along x, y, z
    uint32_t base_y, base_z;     // of the first brick, in the whole volume's samples
};

// The lists of the last recorded step. False, unless it made this surface with step.draws and the
// lists still exist. They may be read after extraction_show_lists, or in a later submission.
bool extraction_lists(
    const struct extraction *extraction, const struct surface *surface,
    struct extraction_lists *out);

// Lets shaders of later draws in this command buffer read the lists.
void extraction_show_lists(struct run *run, const struct extraction_lists *lists);
