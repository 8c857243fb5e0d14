#version 460
// The paper's protocol for compaction in kernels of its own (Hughes et al. 2013, 3.1): a lane whose
// ray goes on writes its number, any other lane an invalid word.

#include "outputs.glsl"

layout(local_size_x = GROUP) in;

void main()
{
    const uint lane = folded_lane();
    const bool there = lane < stream_lanes();
    const uint kept = keep_if(lane, there);
    if (there) {
        list[lane] = element(lane) | (output_mask(0, kept) != 0 ? 0 : WORD_INVALID);
    }
#ifdef STREAM_HITS
    const bool has = output_mask(1, kept) != 0;
    list_hit(has, has ? pixel_of_ray(lane) : 0);
#endif
}
