#version 460
// Puts caps among the hits of a cast: a ray that meets its cap before its hit, or has no hit, gets the cap.

#include "caps.glsl"
#include "hits.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};

BUFFER(, own_hits, BINDING_HITS, uvec2) // a lane accesses only its pixel's

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    const uint at = pixel.y * push.width + pixel.x;
    bool more = false;
    if (pixel.x < push.width && pixel.y < push.height) {
        const uvec2 hit = own_hits[at], cap = cap_before(ray_of_pixel(push, pixel), push.begin, CAP_FIRST, hit);
        more = hit.y == CAST_NOTHING && cap.y != CAST_NOTHING;
        own_hits[at] = cap;
    }
    if (list_hit(more, at) && gl_SubgroupInvocationID == 0) {
        tiles[folded_group()] = 1; // other subgroups of the tile may write the same
    }
}
