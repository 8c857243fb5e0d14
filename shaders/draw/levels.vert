// Draws a level of the HistoPyramid as a square. The number of rows of cells, which only the device knows, gives
// the number of levels. Squares beyond the apex are not drawn.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/shared/picture.h"

LISTED_COUNTER(bricks_counter, BINDING_BRICKS_COUNTER)
layout(push_constant) uniform Push { levels_push push; };
layout(location = 0) out vec2 place;          // position in the square, 0 to 1
layout(location = 1) flat out uvec4 pyramid;  // x: leaves, y: level, z: first sum of the level, w: nodes along a side

// Number of fours of a level, in a pyramid over `leaves` leaves.
uint fours_of(uint leaves, uint level)
{
    const uint shift = 2u * level + 2u;
    return (leaves >> shift) + uint((leaves & (1u << shift) - 1u) != 0u);
}

void main()
{
    const uint leaves = min(bricks_counter.count, bricks_counter.capacity) * BRICK_ROWS;
    uint apex = 0u; // level of the apex
    while (apex < 15u && (max(leaves, 1u) - 1u) >> (2u * apex) != 0u)
        apex++;
    uint level = push.level;
    while (level < apex && 1u << (apex - level) > push.side) // a pixel shows the sum of the nodes that it covers
        level++;
    // A node of level n is the sum of a four of level n - 1, which is stored after the levels before.
    uint offset = 0u;
    for (uint i = 1u; i + 1u < level; i++)
        offset += fours_of(push.leaves, i);
    pyramid = uvec4(leaves, level, offset, 1u << (apex - min(level, apex)));

    const uint corner = uint(gl_VertexIndex);
    const uint of = corner < 3u ? corner : corner == 3u ? 2u : corner == 4u ? 1u : 3u;
    place = vec2(of & 1u, of >> 1);
    gl_Position = vec4(mix(push.square.xy, push.square.zw, place), 0.0, 1.0);
    if (push.level > apex || leaves == 0u)
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // outside of the picture: nothing is drawn
}
