// Samples as keys: unsigned integers of the sample's width, whose order is the order of the values.
// Then the inside test is one exact unsigned comparison for every type.
#pragma once

#include "compute/atlas.h"

// Facts about the samples that packing collects.
struct atlas_packing {
    bool gaps, extremes; // as atlas_params has them
};

// Slices of the whole volume in host memory, from the atlas's slice `first` on.
struct atlas_window {
    const void *samples;
    uint32_t first;
};

// Packs `count` atlas rows of one layer from row `first` on, as keys; tiles without a slice are 0.
// The window must have the slices of these rows.
void atlas_pack_rows(
    const struct atlas *atlas, const struct atlas_window *window, uint32_t layer, uint32_t first,
    uint32_t count, void *to, struct atlas_packing *packing);
