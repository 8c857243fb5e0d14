// The boxes of the active bricks: the three sides that may be visible, two triangles each.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/lib/picture.glsl"

FETCHES(bricks, BINDING_BRICKS)
layout(location = 0) out vec2 place;     // position on the side, in samples
layout(location = 1) flat out vec3 side; // xy: size of the side; z: its brightness

void main()
{
    const uint number = uint(gl_VertexIndex) / BRICK_CORNERS;
    const uint corner = uint(gl_VertexIndex) % BRICK_CORNERS;
    const uint brick = texelFetch(bricks, int(number)).x;
    const vec3 low = vec3(listed_origin(brick, picture.bricks_x, picture.bricks_y));
    const vec3 size = min(low + vec3(BRICK_X, BRICK_Y, BRICK_Z), picture.part_extent.xyz) - low;

    const uint axis = corner / 6u, u = (axis + 1u) % 3u, v = (axis + 2u) % 3u;
    const uint which = corner % 6u; // corners of two triangles: 0 1 2, 2 1 3
    const uint of = which < 3u ? which : which == 3u ? 2u : which == 4u ? 1u : 3u;
    const vec3 middle = low + 0.5 * size;
    const bool high = picture.eye[axis] > picture.eye.w * middle[axis];
    place = vec2(of & 1u, of >> 1) * vec2(size[u], size[v]);
    vec3 at = low;
    at[axis] += high ? size[axis] : 0.0;
    at[u] += place.x;
    at[v] += place.y;
    side = vec3(size[u], size[v], high ? picture.high[axis] : picture.low[axis]);
    gl_Position = picture.part_clip * vec4(at, 1.0);
}
