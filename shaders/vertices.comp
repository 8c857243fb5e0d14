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

// The keys of the neighbours of p (whose key is `key`) along one axis, below and above; `span` is
// their distance. Past the border, and where a neighbour is not finite, it is p itself.
uvec2 neighbours(uvec3 p, uint key, uint axis, out float span)
{
    const uvec3 dim = uvec3(DIM_X, DIM_Y, DIM_Z);
    uvec3 below = p, above = p;
    below[axis] -= uint(p[axis] > 0);
    above[axis] += uint(p[axis] + 1 < dim[axis]);
    span = float(above[axis] - below[axis]);
    uvec2 keys = uvec2(key_at(below), key_at(above));
    if (GAPS != 0) {
        const bvec2 gap = bvec2(!key_finite(keys.x), !key_finite(keys.y));
        keys = uvec2(gap.x ? key : keys.x, gap.y ? key : keys.y);
        span = max(span - float(gap.x) - float(gap.y), 1.0);
    }
    return keys;
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

    const int exponent = max(key_exponent(key_a), key_exponent(key_b));
    const float span = key_difference(key_b, key_a, exponent);
    precise float rise; // the order of the sum matters: low is what high has lost
    if (TYPE == FLOAT32) {
        const float unit = power_of_two(push.iso_exponent + 126 - exponent);
        rise = (push.iso_high * unit - key_scaled(key_a, exponent)) + push.iso_low * unit;
    } else {
        rise = key_difference(push.iso_key, key_a, 0) + push.iso_high;
    }
    const float t = clamp(rise / span, 0.0, 1.0);

    uvec2 near_a[3], near_b[3];
    vec3 span_a, span_b;
    int widest = exponent;
    [[unroll]] for (uint k = 0; k < 3; k++) {
        near_a[k] = neighbours(a, key_a, k, span_a[k]);
        near_b[k] = neighbours(b, key_b, k, span_b[k]);
        widest = max(widest, max(key_exponent(near_a[k].x), key_exponent(near_a[k].y)));
        widest = max(widest, max(key_exponent(near_b[k].x), key_exponent(near_b[k].y)));
    }
    vec3 at_a, at_b;
    [[unroll]] for (uint k = 0; k < 3; k++) {
        at_a[k] = key_difference(near_a[k].y, near_a[k].x, widest) / span_a[k];
        at_b[k] = key_difference(near_b[k].y, near_b[k].x, widest) / span_b[k];
    }
    // Nothing is left of two gradients that cancel but rounding: the edge's own direction then.
    const vec3 reach = max(abs(at_a), abs(at_b));
    const float unit = 1.0 / max(max(reach.x, reach.y), max(reach.z, 1e-30));
    at_a *= unit;
    at_b *= unit;
    const vec3 gradient = mix(at_a, at_b, t);
    const float least = GRADIENT_VANISHES * GRADIENT_VANISHES * max(dot(at_a, at_a), dot(at_b, at_b));
    vec3 normal = vec3(0);
    normal[axis] = key_b < key_a ? 1.0 : -1.0;
    if (dot(gradient, gradient) > least) {
        normal = -normalize(gradient);
    }
    vec3 position = vec3(a + uvec3(0, 0, push.base_z));
    position[axis] += t;
    write_positions(push.positions, vertex, position);
    write_normals(push.normals, vertex, normal);
}
