// The outputs of a kernel that compacts. Each is a list, which one bit of keep's masks fills: the stream's
// own list, and where rays end with hits (STREAM_HITS) the list of hits, whose elements are pixels. Hughes
// et al. (2013, 3.1) compact both at the end of the intersection kernel.
#ifndef LIB_OUTPUTS
#define LIB_OUTPUTS

#include "append.glsl"
#include "stream.glsl"

#ifdef STREAM_HITS
const uint OUTPUTS = 2;
#else
const uint OUTPUTS = 1;
#endif
// Of ink-compact: those that it compacts. Others are appended.
const uint COMPACTED = FORM == FORM_BOTH ? OUTPUTS : 1;

// The part of a lane's mask that fills output number `which`.
uint output_mask(uint which, uint mask)
{
    return OUTPUTS == 1 ? mask : mask >> which & 1;
}

// As emit, for one output; `at` is that of the lane. The list of hits has room for all pixels.
void emit_output(uint which, uint mask, uint lane, bool there, uint at)
{
#ifdef STREAM_HITS
    if (which != 0) {
        if (mask != 0) {
            hit_list[at] = pixel_of_ray(lane);
        }
        return;
    }
#endif
    emit(mask, there ? element(lane) : 0, at);
}

// How many elements the output's list has before the kernel: earlier rounds have found hits.
uint output_begin(uint which)
{
#ifdef STREAM_HITS
    return which != 0 ? atomicAdd(hit_counts.count, 0) : 0;
#else
    return 0;
#endif
}

// Sets the length of the output's list, by one lane.
void output_end(uint which, uint n)
{
#ifdef STREAM_HITS
    if (which != 0) {
        atomicExchange(hit_counts.count, n);
        RAISE_BOTH(hit_counts, 0, n)
        return;
    }
#endif
    atomicExchange(counter.count, n);
}

#endif
