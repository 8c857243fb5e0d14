// Where a ray crosses several contours in a cell, or contours that planes cut: for casts with CAST_MANY.
//
// The crossings of a cell are in order of t. Of equal t the lower contour is first, and of the same contour the one
// that the cubic has first. A crossing depends on its ray and its cell alone. The planes do not change a crossing:
// they leave it out, or keep it.
#ifndef LIB_CROSSINGS
#define LIB_CROSSINGS

#include "cubic.glsl"
#include "planes.glsl"

struct Crossing {
    float t;
    uint contour;
    uint back;   // 1: see CAST_BACK. A bool would take two registers of a subgroup of 64 lanes
    uint number; // its number, from 1 on, among the contour's crossings at this t; 0: no crossing
};

// Comes before all crossings of a cell.
const Crossing CROSSING_NONE = Crossing(-3e38, 0, 0, 0);

// Whether a cell has samples on both sides of a contour, and all are finite. `key`: that of the only contour,
// without CAST_MANY.
bool corners_cross_any(Corners corners, uint key)
{
    bool cross = false;
    if (CAST_MANY == 0) {
        cross = corners_cross(corners, key);
    } else {
        for (uint i = 0; i < contours.count; i++) {
            cross = cross || corners_cross(corners, contours.list[i].iso.key);
        }
    }
    return cross;
}

// Whether a ray may cross a contour in a cell, between two places.
bool may_cross(Corners corners, vec3 places[2])
{
    bool may = false;
    uint i = 0;
    do {
        const atlas_iso iso = contours.list[i].iso;
        if (corners_cross(corners, iso.key)) {
            may = may || cubic_changes(cubic_in_cell(corners, iso, places[0], places[1])) > 0;
        }
        i++;
    } while (i < contours.count);
    return may;
}

// Whether the planes keep the ray's place at t, for a contour.
bool crossing_kept(Ray ray, float t, uint contour)
{
    const vec3 at = ray_at(ray, t);
    bool all = true, any = false;
    for (uint i = 0; i < contours.plane_count; i++) {
        const float plane[4] = contours.planes[i];
        precise const float above = ((plane[0] * at.x + plane[1] * at.y) + plane[2] * at.z) + plane[3];
        all = all && above >= 0.0;
        any = any || above >= 0.0;
    }
    return (contours.clipped >> contour & 1) == 0 || (contours.clip_all != 0 ? any : all);
}

// The first crossing of a cell that comes after crossing `after` and that the planes keep. The ray is in the cell
// from `enter` to `leave`.
Crossing next_crossing(Ray ray, vec3 cell, float enter, float leave, Crossing after, inout uint turns)
{
    const Corners corners = corners_of(uvec3(cell));
    const vec3 from = place_in_cell(ray, cell, enter), to = place_in_cell(ray, cell, leave);
    Crossing next = CROSSING_NONE;
    for (uint i = 0; i < contours.count; i++) {
        const atlas_iso iso = contours.list[i].iso;
        bool more = corners_cross(corners, iso.key);
        vec4 cubic = vec4(0.0);
        if (more) {
            cubic = cubic_in_cell(corners, iso, from, to);
        }
        uint k = 0, same = 0; // same: crossings of this contour at after.t
        do {
            if (more) {
                const CubicPart part = cubic_part(cubic, k, turns);
                precise const float root = enter + (leave - enter) * cubic_root(part);
                const float t = min(root, leave);
                const bool there = part.size > 0.0, beside = t == after.t && i == after.contour;
                const bool passed = t < after.t || t == after.t && i < after.contour || beside && same < after.number;
                const bool found = there && !passed && crossing_kept(ray, t, i);
                same += uint(beside);
                more = there && !found;
                if (found && (next.number == 0 || t < next.t)) {
                    next = Crossing(t, i, uint(cubic.x >= 0.0) ^ k & 1, beside ? same : 1);
                }
            }
            k++;
        } while (more);
    }
    return next;
}

#endif
