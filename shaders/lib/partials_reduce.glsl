// Two levels of partial sums from the one below, which the includer gives by child_count(x, y): how
// many elements there are below a node, or a texel of the base, inside its level or not.
//
// A lane makes four nodes of the first level and the one above them: on llvmpipe, where a workgroup's
// idle lanes cost what busy ones do, faster than several levels per workgroup in shared memory.
#ifndef LIB_PARTIALS_REDUCE
#define LIB_PARTIALS_REDUCE

#include "partials.glsl"

#extension GL_EXT_control_flow_attributes : require

OUTPUT(partials, BINDING_OUT_PARTIALS, uvec4, WriteUvec4s)

// Inclusive sums of four children's counts.
uvec4 inclusive(uvec4 four)
{
    four.y += four.x;
    four.z += four.y;
    four.w += four.z;
    return four;
}

// The node at (x, y) of a level that starts at `offset`, if it is inside.
void write_node(uint offset, uvec2 size, uint x, uint y, uvec4 node)
{
    if (x < size.x && y < size.y) {
        write_partials(WriteUvec4s(push.levels), offset + y * size.x + x, node);
        if (size == uvec2(1)) {
            push.head.count = node.w; // the top
        }
    }
}

// `offset`: where the first of the two levels starts.
void reduce_twice(uint lane, uint offset)
{
    const uvec2 lower = partials_size(push.level + 1), upper = partials_size(push.level + 2);
    const uint y = lane / upper.x, x = lane - y * upper.x;
    if (y >= upper.y) {
        return;
    }
    uvec4 counts;
    [[unroll]] for (uint i = 0; i < 4; i++) {
        const uint u = 2 * x + (i & 1), v = 2 * y + (i >> 1);
        const uvec4 node =
            inclusive(uvec4(child_count(2 * u, 2 * v), child_count(2 * u + 1, 2 * v),
                            child_count(2 * u, 2 * v + 1), child_count(2 * u + 1, 2 * v + 1)));
        write_node(offset, lower, u, v, node);
        counts[i] = node.w;
    }
    if (lower != uvec2(1)) { // above the top is nothing
        write_node(offset + lower.x * lower.y, upper, x, y, inclusive(counts));
    }
}

#endif
