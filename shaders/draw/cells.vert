// Draws active cells as points: a triangle around each. The surface's direction follows from which
// corners of the cell are inside.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/lib/picture.glsl"

FETCHES(cells, BINDING_CELLS)
FETCHES(slots, BINDING_SLOTS)
FETCHES(row_masks, BINDING_ROW_MASKS)
LISTED_COUNTER(cells_counter, BINDING_CELLS_COUNTER)
layout(location = 0) out vec2 place;         // position on the point, whose edge is the unit circle
layout(location = 1) flat out vec3 faces;    // where the surface faces, in view space
layout(location = 2) flat out float in_list; // 0 for the first cell, 1 for the last one

// Samples x and x + 1 of a row of a brick: 1 if inside, else 0.
vec2 pair(uint slot, uint row, uint x)
{
    const uvec2 mask = texelFetch(row_masks, int(slot * HALO_ROWS + row)).xy;
    const uint two = mask.x >> x | (mask.y << 1) << (BRICK_X - 1u - x);
    return vec2(two & 1u, two >> 1 & 1u);
}

void main()
{
    const uint number = uint(gl_VertexIndex) / CELL_CORNERS;
    const uint corner = uint(gl_VertexIndex) % CELL_CORNERS;
    const uint id = texelFetch(cells, int(number)).x;
    const uint of = CELL_ROW(id), brick = ROW_BRICK(of), x = ID_X(id), y = ROW_Y(of), z = ROW_Z(of);
    const uint slot = texelFetch(slots, int(brick)).x, row = z * HALO_Y + y;
    const vec2 a = pair(slot, row, x), b = pair(slot, row + 1u, x);
    const vec2 c = pair(slot, row + HALO_Y, x), d = pair(slot, row + HALO_Y + 1u, x);
    const vec2 all = a + b + c + d;
    const vec3 inside = vec3(all.y - all.x, dot(b + d - a - c, vec2(1.0)), dot(c + d - a - b, vec2(1.0)));
    faces = -mat3(picture.normal[0].xyz, picture.normal[1].xyz, picture.normal[2].xyz) * inside;
    in_list = float(number) / float(max(cells_counter.count, 2u) - 1u);

    const vec3 at = vec3(listed_origin(brick, picture.bricks_x, picture.bricks_y) +
                         uvec3(x, y, z)) + 0.5;
    gl_Position = picture.part_clip * vec4(at, 1.0);
    // The corners of a triangle around the unit circle.
    place = corner == 0u ? vec2(0.0, 2.0) : vec2(corner == 1u ? -1.7320508 : 1.7320508, -1.0);
    gl_Position.xy += place * max(picture.point.xy, picture.point.zw * gl_Position.w);
}
