// What dims and types a raw file of a wrong size would fit: advice for an error message.
#pragma once

#include "volumes/volume.h"

// Writes up to three suggestions for `bytes` of samples near `dim` and `type`, joined by ", "
// ("64x64x32 uint8, ..."), or an empty text. `dim` may be NULL: nothing is known of them.
void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size);
