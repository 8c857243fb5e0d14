#version 460
// One vertex per crossing edge: where the isovalue lies between its two samples, and the direction
// towards lower values there. One lane per vertex.
//
// The gradient is taken by central differences at both ends and interpolated; on the border, and
// beside samples that are not finite, by one-sided ones. compute/reference/reference.h has the rules.

#include "buffers.glsl"
#include "field.glsl"
#include "lists.glsl"
#include "outputs.glsl"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    vertices_push push;
};

uint key_at(uvec3 p)
{
    return field_key(field_slice(p.z), p.x, p.y);
}

// The field's slope along one axis at p, whose key is `key`.
float slope(uvec3 p, uint key, uint axis)
{
    const uvec3 dim = uvec3(DIM_X, DIM_Y, DIM_Z);
    uvec3 below = p, above = p;
    below[axis] -= uint(p[axis] > 0);
    above[axis] += uint(p[axis] + 1 < dim[axis]);
    float span = float(above[axis] - below[axis]);
    uint low = key_at(below), high = key_at(above);
    if (GAPS != 0) {
        const bool low_gap = !key_finite(low), high_gap = !key_finite(high);
        low = low_gap ? key : low;
        high = high_gap ? key : high;
        span = max(span - float(low_gap) - float(high_gap), 1.0);
    }
    return key_difference(high, low, push.scale) / span;
}

void main()
{
    const uint vertex = folded_lane();
    if (vertex >= list_length(LIST_VERTICES)) {
        return;
    }
    const uint edge = edges_at(vertex);
    const uint row = edge >> 7 & 15, axis = edge >> 5 & 3;
    const uvec3 a = brick_origin(edge >> 11) + uvec3(edge & 31, row & 3, row >> 2);
    uvec3 b = a;
    b[axis]++;
    const uint key_a = key_at(a), key_b = key_at(b);

    const float span = key_difference(key_b, key_a, push.scale);
    const float rise = TYPE == FLOAT32
                           ? (push.iso_high - key_float(key_a) * push.scale) + push.iso_low
                           : key_difference(push.iso_key, key_a, 1.0) + push.iso_high;
    const float t = clamp(rise / span, 0.0, 1.0);

    vec3 at_a, at_b;
    [[unroll]] for (uint k = 0; k < 3; k++) {
        at_a[k] = slope(a, key_a, k);
        at_b[k] = slope(b, key_b, k);
    }
    // Nothing is left of two gradients that cancel but rounding: the edge's own direction then.
    const vec3 reach = max(abs(at_a), abs(at_b));
    const float unit = 1.0 / max(max(reach.x, reach.y), max(reach.z, 1e-37));
    at_a *= unit;
    at_b *= unit;
    const vec3 gradient = mix(at_a, at_b, t);
    const float least = GRADIENT_VANISHES * GRADIENT_VANISHES * max(dot(at_a, at_a), dot(at_b, at_b));
    vec3 normal = vec3(0);
    normal[axis] = span < 0.0 ? 1.0 : -1.0;
    if (dot(gradient, gradient) > least) {
        normal = -normalize(gradient);
    }
    vec3 position = vec3(a);
    position[axis] += t;
    write_positions(push.positions, vertex, position);
    write_normals(push.normals, vertex, normal);
}
