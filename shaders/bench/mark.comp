#version 460
// Marks the words at listed positions as not kept. In bench's streams a word's value is its
// position, so no word has to be read: a lane does one scattered write, as in phase 1 of the
// comparisons in the Redzone paper. With COUNT_BLOCKS it also counts: `blocks` holds the words of each
// workgroup of count-scan-compact, and the kept ones of them are left (5.1 of that paper).

#include "buffers.glsl"
#include "lanes.glsl"
#include "shaders/shared/compaction.h"

layout(push_constant, scalar) uniform Push
{
    mark_push push;
};

READS(removals, BINDING_REMOVALS, uint)
WRITES(words, BINDING_WORDS, uint)

#ifdef COUNT_BLOCKS
SHARES(blocks, BINDING_BLOCKS, uint)
#endif

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    if (lane < push.count) {
        const uint place = removals[lane];
        words[place * (1 + push.payload)] = place | WORD_INVALID;
#ifdef COUNT_BLOCKS
        atomicAdd(blocks[place / GROUP], -1);
#endif
    }
}
