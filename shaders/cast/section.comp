#version 460
// Finds the colour and the depth of planes through the samples: of caps, which close the solid where planes cut
// it, and of sections, which show the samples. Where a pixel's ray meets a plane, the samples are interpolated in
// the cell of that point. A pixel has several samples, so the rim of a cap is smooth. Of each sample the nearest
// plane counts.
//
// A pixel is two words: a packed colour, or COLOUR_NONE; and the depth in 24 bits above a bit for each sample.

#include "buffers.glsl"
#include "grey_samples.glsl"
#include "lanes.glsl"
#include "light.glsl"
#include "ray.glsl"
#include "sample_places.glsl"
#include "srgb.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    cast_push pushed;
};
layout(set = 0, binding = BINDING_SECTION, scalar) readonly buffer Section { section_block section; };
WRITES(colours, BINDING_COLOURS, uvec2)

const float LINE = 0.75; // half the width of a contour's line, in pixels

// What a ray meets.
struct Met {
    float t;
    uint plane;   // number of the plane; SECTION_PLANES: none
    uint contour; // of a cap: index in section.isos
    vec3 place;   // in the cell
    Corners corners;
};

vec4 plane_of(uint i)
{
    return vec4(section.planes[i][0], section.planes[i][1], section.planes[i][2], section.planes[i][3]);
}

float plane_meets(Ray ray, vec4 plane)
{
    return -(dot(plane.xyz, ray.start) + plane.w) / dot(plane.xyz, ray.direction);
}

// The point of a plane at t. Across an axis of the grid it is exactly on the plane.
vec3 plane_point(Ray ray, vec4 plane, float t)
{
    return mix(ray_at(ray, t), -plane.xyz * plane.w, equal(abs(plane.xyz), vec3(1.0)));
}

// Whether the cap is the rim of what is removed there.
bool cap_is_rim(uint cap, vec3 point)
{
    bool rim = true;
    for (uint i = 0; i < section.caps; i++) {
        const bool keeps = dot(plane_of(i), vec4(point, 1.0)) >= 0.0;
        rim = rim && (i == cap || keeps == (section.all == 0));
    }
    return rim;
}

// The contour with the greatest isovalue whose solid has the place; CONTOURS_MOST: none.
uint solid_at(Corners corners, vec3 place)
{
    uint contour = 0;
    while (contour < section.contours &&
           ((section.cut >> contour & 1) == 0 ||
            cubic_in_cell(corners, section.isos[contour], place, place).x < 0.0)) {
        contour++;
    }
    return contour < section.contours ? contour : CONTOURS_MOST;
}

Met meet(Ray ray, float begin)
{
    Met met;
    met.t = 3.0e38;
    met.plane = SECTION_PLANES;
    for (uint i = 0; i < section.count; i++) {
        const vec4 plane = plane_of(i);
        const float t = plane_meets(ray, plane);
        const vec3 point = plane_point(ray, plane, t), at = point - ray.base;
        const bool there = t >= begin && t <= met.t && all(greaterThanEqual(at, ray.low)) &&
                           all(lessThanEqual(at, ray.high));
        const bool is_cap = i < section.caps;
        if (there && (!is_cap || cap_is_rim(i, point))) {
            const vec3 cell = clamp(floor(at), ray.low, ray.high - 1.0), place = clamp(at - cell, 0.0, 1.0);
            const Corners corners = corners_of(uvec3(cell));
            const bool one = section.grey.nearest != 0 && !is_cap;
            const bool finite = one ? key_finite(corners.keys[corner_nearest(place)]) : corners_finite(corners);
            const uint contour = is_cap && finite ? solid_at(corners, place) : 0;
            if (finite && contour < CONTOURS_MOST) {
                met = Met(t, i, contour, place, corners);
            }
        }
    }
    return met;
}

vec3 cell_slope(float v[8], vec3 place)
{
    const vec3 p = place, q = 1.0 - place;
    return vec3(
        q.y * q.z * (v[1] - v[0]) + p.y * q.z * (v[3] - v[2]) + q.y * p.z * (v[5] - v[4]) + p.y * p.z * (v[7] - v[6]),
        q.x * q.z * (v[2] - v[0]) + p.x * q.z * (v[3] - v[1]) + q.x * p.z * (v[6] - v[4]) + p.x * p.z * (v[7] - v[5]),
        q.x * q.y * (v[4] - v[0]) + p.x * q.y * (v[5] - v[1]) + q.x * p.y * (v[6] - v[2]) + p.x * p.y * (v[7] - v[3]));
}

// The samples in grey, and each contour as a line over them.
vec3 section_colour(cast_push push, uvec2 pixel, vec2 at, Met met)
{
    const vec4 plane = plane_of(met.plane);
    const Ray ray = ray_through(push, pixel, at), right = ray_through(push, pixel, at + vec2(1.0, 0.0)),
              below = ray_through(push, pixel, at + vec2(0.0, 1.0));
    const vec3 point = ray_at(ray, met.t), across = ray_at(right, plane_meets(right, plane)) - point,
               down = ray_at(below, plane_meets(below, plane)) - point;
    vec3 colour = linear(vec3(grey_of(section.grey, met.corners, met.place)));
    if (!corners_finite(met.corners)) {
        return colour;
    }
    for (uint i = section.contours; i > 0; i--) {
        const float values[8] = corner_values(met.corners, section.isos[i - 1]);
        const vec3 slope = cell_slope(values, met.place);
        const float each = length(vec2(dot(slope, across), dot(slope, down)));
        const float away = abs(cubic_of(values, met.place, met.place).x) / max(each, 1e-30);
        const float share = (section.lines >> (i - 1) & 1) != 0 ? clamp(LINE + 0.5 - away, 0.0, 1.0) : 0.0;
        colour = mix(colour, picture.front[section.colours[i - 1]].rgb, share);
    }
    return colour;
}

vec3 cap_colour(picture_block block, vec3 point, Met met)
{
    const vec4 clip = block.clip * vec4(point, 1.0);
    const bool perspective = block.view.w > 0.5;
    const vec3 v = perspective ? normalize(vec3(-clip.xy * block.view.xy, clip.w)) : vec3(0.0, 0.0, 1.0);
    // A cap faces what is removed.
    const vec3 normal =
        mat3(block.normal[0].xyz, block.normal[1].xyz, block.normal[2].xyz) * -plane_of(met.plane).xyz;
    const bool front = dot(normal, v) >= 0.0;
    vec3 base;
    const vec3 light = light_of(block, picture.front[section.colours[met.contour]].rgb, front,
                                front ? normal : -normal, v, 1.0, base);
    return light_compressed(light);
}

void main()
{
    const cast_push push = pushed; // read before any branch, see shaders/README.md
    const picture_block block = picture;
    const uvec2 pixel = gl_WorkGroupID.xy * CAST_TILE + pixel_in_tile(group_lane());
    if (pixel.x >= push.width || pixel.y >= push.height) {
        return;
    }
    vec3 sum = vec3(0.0);
    float depth = 1.0;
    uint mask = 0;
    for (uint i = 0; i < section.samples; i++) {
        const vec2 at = section.samples > 1 ? vec2(PLACES[section.samples + i]) / 16.0 : vec2(0.5);
        const Ray ray = ray_through(push, pixel, at);
        const Met met = meet(ray, push.begin);
        if (met.plane < SECTION_PLANES) {
            const vec3 point = plane_point(ray, plane_of(met.plane), met.t);
            const vec4 clip = block.clip * vec4(point, 1.0);
            const bool cap = met.plane < section.caps;
            sum += cap ? (section.values != 0 ? linear(vec3(grey_of(section.grey, met.corners, met.place))) : cap_colour(block, point, met))
                       : section_colour(push, pixel, at, met);
            depth = min(depth, clip.z / clip.w);
            mask |= 1u << i;
        }
    }
    const uint far = uint(clamp(depth, 0.0, 1.0) * 16777215.0);
    colours[pixel.y * push.width + pixel.x] =
        mask != 0 ? uvec2(colour_packed(sum / float(bitCount(mask))), far << 8 | mask) : uvec2(COLOUR_NONE, 0);
}
