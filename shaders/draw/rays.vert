// Draws the tiles of a cast in which a ray has hit. Other tiles cost nothing.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/picture.glsl"
#include "shaders/shared/casting.h"

layout(push_constant) uniform Push { picture_push push; };
layout(std430, set = 0, binding = BINDING_TILES) readonly buffer Tiles { uint tiles[]; };

layout(location = 0) noperspective out vec2 ray; // position in the cast
// Columns and rows of the cast, samples of a pixel. Why here: see background.vert.
layout(location = 1) flat out uvec3 size;

void main()
{
    const uint across = (push.columns + CAST_TILE - 1) / CAST_TILE;
    const uint tile = gl_InstanceIndex, corner = uint[](0, 1, 2, 2, 1, 3)[gl_VertexIndex];
    const uvec2 at = uvec2(tile % across, tile / across) + uvec2(corner & 1u, corner >> 1);
    // Converts from pixels to clip space.
    const vec2 centre = 0.5 * vec2(push.centre_x, push.centre_y);
    const vec2 place = (vec2(at * CAST_TILE * push.scale) - centre) * picture.view.z;
    ray = vec2(at * CAST_TILE);
    size = uvec3(push.columns, push.rows, picture.samples);
    gl_Position = vec4(place / vec2(picture.view.x, -picture.view.y), 0.0, 1.0);
    if (tiles[tile] == 0u)
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // for all corners: nothing is drawn
}
