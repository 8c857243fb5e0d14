#version 460
// InK-Collate (Hughes et al. 2013, 2.4): compaction inside the kernel that evaluates the predicate.
// Order is kept within a workgroup's block. The blocks are written in the order in which they
// finish, with one atomic each. There is no scratch and no second pass.
//
// Where we differ: a lane handles several lanes of the stream, so there are fewer blocks and fewer
// atomics. On a CPU the block of a cell stream belongs to a subgroup, because there barriers cost
// more than atomics (GROUP_APPENDS).

#include "arguments.glsl"
#include "outputs.glsl"

#ifdef STREAM_BRICKS
RAISES_ARGUMENTS(halo_arguments, BINDING_HALO_ARGUMENTS)
#endif
#ifdef STREAM_CELLS
RAISES_ARGUMENTS(cells_arguments, BINDING_CELLS_ARGUMENTS)
#endif

layout(local_size_x = GROUP) in;

// Allocates space in the list for the block of the workgroup, or of the subgroup (eq. 5, by the
// atomic). Returns where the subgroup's elements begin; `sum` is their number.
uint allocate_block(uint sum)
{
    uint from;
#ifdef STREAM_CELLS
    const bool group = GROUP_APPENDS != 0;
    APPEND(counter, sum, from)
#else
    const bool group = true;
    APPEND_GROUP(counter, 0, sum, from)
#endif
    const uint all = group ? scan_total : sum;
    if ((group ? group_lane() : gl_SubgroupInvocationID) == 0 && all != 0) {
#ifdef STREAM_BRICKS
        RAISE_ARGUMENTS(halo_arguments, halo_lanes(min(from + all, push.capacity)))
#endif
#ifdef STREAM_CELLS
        RAISE_ARGUMENTS(cells_arguments, cells_lanes(min(from + all, push.capacity)))
#endif
    }
    subgroup_join();
    return from;
}

// Computes the thread offsets and the warp offsets of the InK-Compact paper by ballots, for an output: the
// places of the lane's elements in those of the subgroup, and their number.
#define PLACE(which)                                                                               \
    sum = 0;                                                                                       \
    [[unroll]] for (uint item = 0; item < EACH; item++) {                                          \
        const uvec4 ballot = subgroup_ballot(output_mask(which, masks[item]) != 0);                \
        places[item] = sum + subgroupBallotExclusiveBitCount(ballot);                              \
        sum += subgroupBallotBitCount(ballot);                                                     \
    }

void main()
{
    const uint lanes = stream_lanes(), size = gl_SubgroupSize;
#ifdef STREAM_CELLS
    const uint i = shared_four();
    const bool there = i < lanes / 4;
    const uvec4 masks = there ? keep_four(i, 1) : uvec4(0);
    const ivec4 counts = bitCount(masks);
    const uint n = counts.x + counts.y + counts.z + counts.w, before = ballot_scan(n, 8);
    const uint sum = subgroupShuffle(before + n, size - 1);
    const uint base = allocate_block(sum), capacity = push.capacity;
    emit_four(masks, there ? element(4 * i) : 0, before, 0,
              min(sum, max(capacity, base) - base), base);
#else
    const uint first = folded_group() * GROUP + gl_SubgroupID * size;
    uint elements[EACH], masks[EACH];
    [[unroll]] for (uint item = 0; item < EACH; item++) {
        const uint lane = first * EACH + item * size + gl_SubgroupInvocationID;
        masks[item] = keep_if(lane, lane < lanes);
        elements[item] = lane < lanes ? element(lane) : 0;
    }
    uint places[EACH], sum = 0;
    PLACE(0)
    const uint from = allocate_block(sum), capacity = push.capacity;
    [[unroll]] for (uint item = 0; item < EACH; item++) {
        if (output_mask(0, masks[item]) != 0 && from + places[item] < capacity) {
            put_element(from + places[item], elements[item]);
        }
    }
#ifdef STREAM_HITS
    PLACE(1)
    uint hit;
    APPEND(hit_counts, sum, hit)
    RAISE_BOTH(hit_counts, hit, RAISED_SUM(sum))
    [[unroll]] for (uint item = 0; item < EACH; item++) {
        const uint lane = first * EACH + item * size + gl_SubgroupInvocationID;
        emit_output(1, output_mask(1, masks[item]), lane, true, hit + places[item]);
    }
#endif
#endif
}
