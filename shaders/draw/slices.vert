// Draws a list of active cells in 2D, a rectangle of whole pixels each: at their texels in the slices, which are
// tiles, or row by row in a square. A draw of one rectangle is the frame around them, or a level of the pyramid
// over the tiles.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/listed.glsl"
#include "shaders/lib/picture.glsl"
#include "shaders/lib/tiles.glsl"

FETCHES(cells, BINDING_CELLS)
LISTED_COUNTER(cells_counter, BINDING_CELLS_COUNTER)
layout(push_constant) uniform Push { slices_push push; };
layout(location = 0) out vec2 place;         // in pixels, from the inner corner of the frame
layout(location = 1) flat out vec2 high;     // the far corner of the rectangle
layout(location = 2) flat out vec2 pixels;   // pixels of a texel
layout(location = 3) flat out float in_list; // 0 for the first cell, 1 for the last one
layout(location = 4) flat out uvec2 level;   // of the pyramid: where it begins, and texels along x

void main()
{
    const uvec3 dim = uvec3(picture.extent.xyz) + 1u;
    const bool tiles = (push.what & SLICES_LIST) == 0u;
    const uint number = uint(gl_VertexIndex) / CELL_CORNERS, corner = uint(gl_VertexIndex) % CELL_CORNERS;
    uvec2 texels = uvec2(push.cols, (dim.z + push.cols - 1u) / push.cols) * dim.xy;
    if (!tiles) {
        texels = uvec2(ceil(sqrt(float(max(cells_counter.count, 1u)))));
        texels += uint(texels.x * texels.x < cells_counter.count); // where a float is too coarse
    }
    level = uvec2(0u);
    for (uint below = 0u; below < push.level; below++) {
        const uvec2 size = level_size(texels, below);
        level.x += size.x * size.y;
    }
    texels = level_size(texels, push.level);
    level.y = texels.x;
    const uint most = max(texels.x, texels.y);
    const bool whole = most <= push.side && push.level == 0u; // a texel has whole pixels
    const uvec2 size = !whole ? max(texels * push.side / most, 1u) : texels * (push.side / most);

    vec2 low = vec2(-1.0); // of the frame, which is a pixel wide
    high = vec2(size) + 1.0;
    if ((push.what & SLICES_CELLS) != 0u) {
        uvec2 at = uvec2(number % texels.x, number / texels.x);
        if (tiles) {
            const uint id = texelFetch(cells, int(number)).x, of = CELL_ROW(id);
            const uvec3 cell = listed_origin(ROW_BRICK(of), picture.bricks_x, picture.bricks_y) +
                               uvec3(ID_X(id), ROW_Y(of), ROW_Z(of));
            at = tile_texel(cell, push.cols, dim.xy);
        }
        low = vec2(at * size / texels);
        high = max(vec2((at + 1u) * size / texels), low + 1.0);
    }
    pixels = vec2(size) / vec2(texels);
    in_list = float(number) / float(max(cells_counter.count, 2u) - 1u);
    // The corners of a triangle whose half is the rectangle.
    place = low + 2.0 * (high - low) * vec2(corner == 1u, corner == 2u);
    gl_Position = vec4((vec2(push.left, push.top) + place) * picture.pixel - 1.0, 0.0, 1.0);
}
