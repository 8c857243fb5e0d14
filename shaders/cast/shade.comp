#version 460
// Finds the colour of each hit in the light, and its depth in the picture; with EDGES, those of each
// sample at edges, and with FOLDS of both. A sample without a hit gets COLOUR_NONE.

#include "buffers.glsl"
#include "grey.glsl"
#include "lanes.glsl"
#include "light.glsl"
#include "sample_normal.glsl"
#include "shaders/shared/casting.h"
#include "srgb.glsl"
#ifdef OCCLUSION
#include "occlusion.glsl"
#endif

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    shade_push push;
};

READS(hits, BINDING_HITS, uvec2)
READS(hit_list, BINDING_HIT_LIST, uint)
COUNTER(hit_counts, BINDING_HIT_COUNTS)
READS(points, BINDING_POINTS, vec3)
WRITES(colours, BINDING_COLOURS, uvec2)
#ifdef EDGES
COUNTER(edge_counts, BINDING_EDGES_COUNTER)
READS(edge_points, BINDING_EDGE_POINTS, vec3)
WRITES(edge_colours, BINDING_EDGE_COLOURS, uvec2)
#endif

// `normal`: if there is a shadow, longer than 1 by the share of the key light that does not reach the
// place. `front`: the visible side is the one that faces lower values.
uvec2 colour_of(picture_block block, uint code, vec3 place, vec3 normal, bool front)
{
    const vec4 clip = block.clip * vec4(place, 1.0);
    const uint contour = code % SAMPLE_CAP;
    const bool cap = code >= SAMPLE_CAP;
    if (cap && push.caps == CAPS_VALUES) {
        return colour_at(linear(vec3(grey_of_normal(normal))), clip.z / clip.w);
    }
    const bool perspective = block.view.w > 0.5;
    const vec2 across = clip.xy * block.view.xy;
    const vec3 v = perspective ? normalize(vec3(-across, clip.w)) : vec3(0.0, 0.0, 1.0);
    const vec3 view_normal = mat3(block.normal[0].xyz, block.normal[1].xyz, block.normal[2].xyz) * normal;
    const float key_left = (block.style & SURFACE_SHADOWED) != 0 ? 2.0 - length(normal) : 1.0;
    vec3 base;
    const uint of_view = push.fronts >> 4 * contour & 15; // the contour's number in the view
    const vec3 towards = front ? view_normal : -view_normal;
    vec3 light = light_of(block, picture.front[of_view].rgb, front, towards, v, key_left, base);
#ifdef OCCLUSION
    const bool inside = !front && (block.solid >> of_view & 1) != 0;
    if (!cap) {
        light *= light_left(clamp(occlusion_light(place, front ? normal : -normal, inside), 0.0, 1.0));
    }
#endif
    return colour_at(light_compressed(light), clip.z / clip.w);
}

void main()
{
    const picture_block block = picture; // read before any branch, see shaders/README.md
    const uint i = folded_lane(), cell_bits = push.cell_bits;
#ifdef EDGES
    const uint count = FOLDS != 0 ? hit_counts.count : 0;
#else
    const uint count = hit_counts.count;
#endif
    uint at, code;
    vec3 place, normal;
    bool front;
#ifdef EDGES
    const uint sample_at = i - count; // the lanes after those of the hits have samples
    if (i >= count) {
        if (sample_at >= list_length(edge_counts)) {
            return;
        }
        const vec3 scaled = edge_points[2 * sample_at + 1];
        place = edge_points[2 * sample_at];
        code = code_of_normal(scaled);
        normal = scaled / code_scale(code);
        front = place.x >= 0.0;
        place = front ? place : -1.0 - place;
    } else
#else
    if (i >= count) {
        return;
    }
#endif
    {
        at = hit_list[i];
        const uint hit = hits[at].y;
        const bool edge = hit >= CAST_EDGE;
        const bool cap = (hit & (edge ? CAST_EDGE_CAP : CAST_CAP)) != 0 && push.caps != 0;
        const uint word = hit & ~CAST_BACK & (cap ? ~CAST_CAP : ~0u);
        const uint contour = edge ? hit >> CAST_EDGE_CONTOUR & 7 : word >> cell_bits;
        const uint k = (block.style & SURFACE_BY_PIXEL) != 0 ? at : i;
        front = (hit & (edge ? CAST_EDGE_BACK : CAST_BACK)) == 0;
        code = cap ? contour | SAMPLE_CAP : contour;
        place = points[2 * k];
        normal = points[2 * k + 1];
    }
    const uvec2 colour = colour_of(block, code, place, normal, front);
#ifdef EDGES
    if (i >= count) {
        edge_colours[sample_at] = normal == vec3(0.0) ? uvec2(COLOUR_NONE) : colour;
        return;
    }
#endif
    colours[at] = colour;
}
