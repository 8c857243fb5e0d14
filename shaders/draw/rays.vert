// The tiles of a cast in which a ray has hit. The others cost nothing.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/bindings.h"
#include "shaders/shared/casting.h"
#include "shaders/shared/picture.h"

layout(push_constant) uniform Push { surface_push push; };
layout(std430, set = 0, binding = BINDING_TILES) readonly buffer Tiles { uint tiles[]; };

layout(location = 0) noperspective out vec2 ray; // its place in the cast
// Columns and rows of the cast, samples of a pixel: see background.vert.
layout(location = 1) flat out uvec3 size;

void main()
{
    const uint columns = push.style >> SURFACE_COLUMNS & SURFACE_COLUMNS_MASK;
    const uint across = (columns + CAST_TILE - 1) / CAST_TILE;
    const uint scale = push.style >> SURFACE_SCALE & SURFACE_SCALE_MASK;
    const uint tile = gl_InstanceIndex, corner = uint[](0, 1, 2, 2, 1, 3)[gl_VertexIndex];
    const uvec2 at = uvec2(tile % across, tile / across) + uvec2(corner & 1u, corner >> 1);
    // From pixels to clip space.
    const ivec2 centre = ivec2(int(push.centre << 16) >> 16, int(push.centre) >> 16);
    const vec2 place = (vec2(at * CAST_TILE * scale) - 0.5 * vec2(centre)) * push.pixel;
    ray = vec2(at * CAST_TILE);
    size = uvec3(columns, push.colour, (push.style >> SURFACE_SAMPLES & 7u) + 1u);
    gl_Position = vec4(place / vec2(push.normal[0].w, -push.normal[1].w), 0.0, 1.0);
    if (tiles[tile] == 0u)
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // all corners are there: nothing is drawn
}
