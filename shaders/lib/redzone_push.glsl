// Redzone as a method of compaction: what it is told, and how a run begins.
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

// Opens the run: how many are removed, and what is left. One lane. A list that outgrew its room by
// what joined it is left as it is: its count says the need.
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
    // Nothing has to be moved where nothing stays.
    return Redzone(n - k, k == n ? 0 : k);
}

#endif
