// Numbers tuned for a kind of device: one row for CPUs such as llvmpipe, and one for GPUs with
// subgroups of 32 or more, of 16 and of 8 lanes. Kernels get them as specialization constants. No
// other code asks for the kind of device to be fast.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

struct traits {
    // Work per lane. A CPU has a fixed cost per lane and few threads. A GPU needs many workgroups:
    // 256^3 must give each processor several.
    uint32_t classify_rows;   // halo rows per lane of `classify`
    uint32_t vertices_each;   // vertices per lane, where only vertices move
    uint32_t triangles_cells; // cells per lane of `triangles`: 1 or 8
    uint32_t most_each;       // most stream lanes per lane of a compaction kernel
    uint32_t fewest_groups;   // fewer of them if there would be fewer workgroups than this
    // Groups of four rows per workgroup, in the passes whose lanes share the work on rows. 256:
    // each lane has a group. On a GPU a subgroup has the four groups of a brick. But 64 lanes have
    // those of two: a brick's 69 vertices (bonsai at 36.5) would take two turns, half of them idle.
    uint32_t shared_fours;
    uint32_t patience;  // vain looks at what another workgroup has not published yet
    bool shuffles;      // prefix sums by shuffles, in place of subgroup arithmetic
    bool group_appends; // to append to a list takes an atomic per workgroup, not per subgroup
    // A dispatch costs more than lanes that have nothing to do, so passes of a cast are joined.
    bool folds;
    uint32_t apex_lanes; // lanes of the workgroup that reduces the small levels of a pyramid
    uint32_t box_lanes;  // lanes of a workgroup that makes the boxes of a cast
    uint32_t cast_lanes; // lanes of a workgroup that casts the rays of squares: 64 or 256
    uint32_t
        transfer_half;   // bytes of half a staging buffer: the most that a transfer copies at once
    bool short_pyramids; // one workgroup makes small pyramids in a single pass
    bool cast_texels;    // hits and spans of rays are read as texels, not from storage buffers
    bool stamps_twice;   // see stopwatch.c
    // The device ends a loop, without an error, after this many iterations. They are counted over
    // all loops of an invocation; a loop of n iterations counts n + 1. 0: it never does.
    uint32_t loop_turns;
    uint32_t subgroup_size; // requested if the device offers it and larger ones; 0: never
};

extern const struct traits traits_cpu, traits_gpu; // traits_gpu: of 32 lanes

// The row for a device. lanes: its most common size of subgroups.
const struct traits *traits_of(bool cpu, VkDriverId driver, uint32_t lanes);
