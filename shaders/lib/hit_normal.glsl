// The normal at a hit, computed as for the mesh's vertices: minus the gradient. Central differences at the eight
// corners of the cell, as in vertex.glsl, are interpolated. If they cancel, the gradient of the interpolated
// samples is used.
#ifndef LIB_HIT_NORMAL
#define LIB_HIT_NORMAL

#include "cubic.glsl"
#include "ray.glsl"
#include "slope.glsl"

const uvec3 UNIT[3] = uvec3[3](uvec3(1, 0, 0), uvec3(0, 1, 0), uvec3(0, 0, 1));

// A cell has four pairs of corners along an axis. Returns the lower corner of pair `i`.
uint pair_corner(uint axis, uint i)
{
    const uint one = axis == 0 ? 2 : 1, two = axis == 2 ? 2 : 4;
    return (i & 1) * one + (i >> 1) * two;
}

// The weight of a corner at a place in the cell.
float corner_share(uint corner, vec3 place)
{
    const vec3 share = mix(1.0 - place, place, bvec3(corner & 1, corner & 2, corner & 4));
    return share.x * share.y * share.z;
}

// Central differences at the eight corners. `last`: the atlas's last sample.
vec3[8] corner_gradients(uvec3 cell, Corners corners, vec3 last)
{
    Slope slopes[3][8];
    int widest = 0;
    [[unroll]] for (uint axis = 0; axis < 3; axis++) {
        const uint low = uint(cell[axis] > 0), high = uint(cell[axis] + 1 < uvec3(last)[axis]);
        [[unroll]] for (uint i = 0; i < 4; i++) {
            const uint a = pair_corner(axis, i), b = a + (1u << axis);
            const Place at_a = field_place(cell + uvec3(a & 1, a >> 1 & 1, a >> 2));
            const Place at_b = above(at_a, UNIT[axis], 1);
            slopes[axis][a] = slope_of(corners.keys[a], field_key(below(at_a, UNIT[axis], low)),
                                       corners.keys[b], low + 1);
            slopes[axis][b] = slope_of(corners.keys[b], corners.keys[a],
                                       field_key(above(at_b, UNIT[axis], high)), high + 1);
            if (SCALED) {
                widest = max(widest, max(key_exponent(slopes[axis][a].keys.x), key_exponent(slopes[axis][a].keys.y)));
                widest = max(widest, max(key_exponent(slopes[axis][b].keys.x), key_exponent(slopes[axis][b].keys.y)));
            }
        }
    }
    vec3 gradients[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        [[unroll]] for (uint axis = 0; axis < 3; axis++) {
            const Slope slope = slopes[axis][i];
            gradients[i][axis] = key_difference(slope.keys.y, slope.keys.x, widest) * slope.scale;
        }
    }
    return gradients;
}

// The gradient of the interpolated samples in the cell. Scaled if floats are scaled.
vec3 cell_gradient(Corners corners, vec3 place)
{
    int exponent = 0;
    if (SCALED) {
        [[unroll]] for (uint i = 0; i < 8; i++) {
            exponent = max(exponent, key_exponent(corners.keys[i]));
        }
    }
    vec3 gradient = vec3(0.0);
    [[unroll]] for (uint axis = 0; axis < 3; axis++) {
        [[unroll]] for (uint i = 0; i < 4; i++) {
            const uint a = pair_corner(axis, i), b = a + (1u << axis);
            const float share = corner_share(a, place) + corner_share(b, place);
            gradient[axis] += share * key_difference(corners.keys[b], corners.keys[a], exponent);
        }
    }
    return gradient;
}

// v times a power of two that brings `largest`, its largest component, near 1. 0 stays 0.
vec3 near_one(vec3 v, float largest)
{
    const uint own = clamp(floatBitsToUint(largest) >> 23, 1u, 253u);
    return v * uintBitsToFloat((254 - own) << 23);
}

float largest_of(vec3 v)
{
    return greatest_of(abs(v));
}

vec3 normal_at(uvec3 cell, vec3 place, vec3 last, vec3 otherwise)
{
    const Corners corners = corners_of(cell);
    vec3 gradients[8] = corner_gradients(cell, corners, last);
    float largest = 0.0;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        largest = max(largest, largest_of(gradients[i]));
    }
    vec3 gradient = vec3(0.0);
    float longest = 0.0; // squared length of the longest gradient
    [[unroll]] for (uint i = 0; i < 8; i++) {
        const vec3 own = near_one(gradients[i], largest);
        gradient += corner_share(i, place) * own;
        longest = max(longest, dot(own, own));
    }
    float square = dot(gradient, gradient);
    if (!(square > GRADIENT_VANISHES * GRADIENT_VANISHES * longest)) {
        gradient = cell_gradient(corners, place);
        gradient = near_one(gradient, largest_of(gradient));
        square = dot(gradient, gradient);
    }
    vec3 normal = otherwise;
    if (square > 0.0) {
        normal = -gradient * inversesqrt(square);
    }
    return normal;
}

// The place of a hit in its cell, from 0 to 1 along each axis.
vec3 place_of_hit(Ray ray, uvec2 hit)
{
    return clamp(ray_at(ray, uintBitsToFloat(hit.x)) - in_volume(ray, vec3(cell_of_hit(hit.y))), 0.0, 1.0);
}

vec3 normal_of_hit(Ray ray, uvec2 hit, vec3 place)
{
    const vec3 along = normalize(ray.direction);
    return normal_at(cell_of_hit(hit.y), place, last_samples(ray), (hit.y & CAST_BACK) != 0 ? along : -along);
}

#endif
