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
    const uint n = push.counter.count, before = push.kept.at[0];
    const bool fits = n <= max(push.counter.capacity, before);
    const uint k = fits ? min(push.removals_counter.count, n) : 0;
    push.counter.count = n - k;
    push.kept.at[0] = n - k;
    push.events.at[EVENT_REMOVED] = k;
    push.events.at[EVENT_ENTERED] = n - before;
    // If no element stays, no element has to be moved.
    return Redzone(n - k, k == n ? 0 : k);
}

#endif
