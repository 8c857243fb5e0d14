// The batches of redzone-2:in-place (Bontes & Gain 2024, algorithm 2). A batch is a part of the
// removals, and the part of the red zone with the same indices. A workgroup works on one batch.
#ifndef LIB_REDZONE_BATCH
#define LIB_REDZONE_BATCH

#define IN_PLACE
#include "arguments.glsl"
#include "redzone.glsl"

SHARES(batches, BINDING_ORPHANS, uvec2)

// The workgroup's batch: removals from `first` until `end`. `size` is that of all batches but the
// last one, `all` the number of batches.
struct RedzoneBatch
{
    uint first, end, size, all;
};

RedzoneBatch redzone_batch()
{
    const uint k = work[REDZONE_REMOVED];
    const uint size = max(lanes_for(k, REDZONE_BATCHES * GROUP), 1) * GROUP;
    const uint first = min(folded_group() * size, k);
    return RedzoneBatch(first, min(first + size, k), size, lanes_for(k, size));
}

#endif
