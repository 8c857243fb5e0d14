#version 460
// Makes a list of the elements at listed positions: the preserve list in section 6 of the Redzone paper,
// which takes as long as it has elements. A lane has one.

#include "buffers.glsl"
#include "lanes.glsl"
#include "shaders/shared/compaction.h"

layout(push_constant, scalar) uniform Push
{
    mark_push push;
};

READS(places, BINDING_REMOVALS, uint)
READS(words, BINDING_WORDS, uint)
WRITES(list, BINDING_LIST, uint)

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane(), each = 1 + push.payload;
    if (lane < push.count) {
        const uint place = places[lane];
        for (uint word = 0; word < each; word++) {
            list[lane * each + word] = words[place * each + word];
        }
    }
}
