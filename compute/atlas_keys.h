// Samples as keys: unsigned integers of the sample's width, whose order is the order of the values.
// Then the inside test is one exact unsigned comparison for every type.
#pragma once

#include "shaders/shared/extraction.h"
#include "volumes/volume.h"

// Facts about the samples that packing collects.
struct atlas_packing {
    bool gaps, extremes; // see struct atlas_params
};

// Packs a row of `count` samples as keys.
void atlas_keys_pack(
    enum volume_type type, const void *samples, uint32_t count, void *to,
    struct atlas_packing *packing);

uint32_t atlas_key_of_float(float value);

// The least value of an integer type, whose key is 0.
double atlas_key_least(enum volume_type type);

// Converts an isovalue to the form that kernels get.
struct atlas_iso atlas_iso(enum volume_type type, double iso);
