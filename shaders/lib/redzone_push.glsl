// Redzone as a compaction method: its push struct, and the beginning of a run.
#ifndef LIB_REDZONE_PUSH
#define LIB_REDZONE_PUSH

#include "buffers.glsl"
#include "shaders/shared/compaction.h"
#include "shaders/shared/redzone.h"

layout(push_constant, scalar) uniform Push
{
    redzone_push push;
};

COUNTER(counter, BINDING_COUNTER)
SHARES(list, BINDING_LIST, uint)
COUNTER(removals_counter, BINDING_REMOVALS_COUNTER)
SHARES(removals, BINDING_REMOVALS, uint)
SHARES(kept, BINDING_KEPT, uint)
SHARES(work, BINDING_WORK, uint)
SHARES(orphans, BINDING_ORPHANS, uint)
SHARES(events, BINDING_EVENTS, uint)

#include "redzone.glsl"

// Opens the run, by one lane. Returns the number of removed elements and the length without them.
// If the elements that joined exceed the capacity, the list stays as it is, and its count says how
// many elements it needs.
struct Redzone
{
    uint edge, removed;
};

Redzone redzone_open()
{
    const uint n = counter.count, before = kept[0];
    const bool fits = n <= max(push.capacity, before);
    const uint k = fits ? min(removals_counter.count, n) : 0;
    counter.count = n - k;
    kept[0] = n - k;
    events[EVENT_REMOVED] = k;
    events[EVENT_ENTERED] = n - before;
    // If no element stays, no element has to be moved.
    return Redzone(n - k, k == n ? 0 : k);
}

#endif
