// One vertex per crossing edge: the position where the isovalue lies between the edge's two samples, and
// as its normal the direction towards lower values there.
//
// The gradient is computed at both ends of the edge and interpolated. It uses central differences, and
// one-sided ones at the border and next to samples that are not finite. compute/reference/reference.h has
// the rules.
//
// Include it after the push block, which has `iso`, base_y and base_z.
#ifndef LIB_VERTEX
#define LIB_VERTEX

#include "buffers.glsl"
#include "field.glsl"
#include "slope.glsl"

// A vertex has six floats: position, normal.
WRITES(vertices, BINDING_VERTICES, vec3)
void write_vertex(uint at, vec3 position, vec3 normal)
{
    vertices[2 * at] = position;
    vertices[2 * at + 1] = normal;
}

// Push constants that are the same for all vertices of an isovalue, see vertices_push. They are read
// once: llvmpipe reads a push constant lane by lane if lanes may be inactive. For floats that are not
// scaled, the isovalue is the sum of the members high and low.
struct Level {
    uint key;
    float high, low;
    int exponent;
    uint base_y, base_z;
};

Level level_of_push()
{
    const float unit = TYPE == FLOAT32 && !SCALED ? power_of_two(push.iso.exponent) : 1.0;
    return Level(push.iso.iso_key, push.iso.high * unit, push.iso.low * unit, push.iso.exponent,
                 push.base_y, push.base_z);
}

// Makes and writes the vertex of an edge.
void make_vertex(uint vertex, uint edge, Level iso)
{
    const uint row = EDGE_ROW(edge), axis = EDGE_AXIS(edge);
    const Place a = field_place(brick_origin(ROW_BRICK(row)) + uvec3(ID_X(edge), ROW_Y(row), ROW_Z(row)));
    const bool along_x = axis == 0, along_y = axis == 1, along_z = axis == 2;
    const Place b = above(a, uvec3(along_x, along_y, along_z), 1);
    const uint key_a = field_key(a), key_b = field_key(b);

    const int exponent = max(key_exponent(key_a), key_exponent(key_b));
    const float span = key_difference(key_b, key_a, exponent);
    precise float rise; // the order of the additions matters: low is the rounding error of high
    if (SCALED) {
        const float unit = power_of_two(iso.exponent + 126 - exponent);
        rise = (iso.high * unit - key_scaled(key_a, exponent)) + iso.low * unit;
    } else if (TYPE == FLOAT32) {
        rise = (iso.high - key_float(key_a)) + iso.low;
    } else {
        rise = key_difference(iso.key, key_a, 0) + iso.high;
    }
    const float t = clamp(rise / span, 0.0, 1.0);

    // The neighbours of the two ends a and b. Along the edge, each end is a neighbour of the other. `one`
    // and `two` are the other two axes.
    const uvec3 x = uvec3(1, 0, 0), y = uvec3(0, 1, 0), z = uvec3(0, 0, 1);
    const uvec3 one = along_x ? y : x, two = along_z ? y : z;
    const uvec3 low = uvec3(greaterThan(a.p, uvec3(0)));
    const uvec3 high = uvec3(lessThan(b.p + 1, uvec3(DIM_X, DIM_Y, DIM_Z)));
    const uint one_low = mix(low.x, low.y, along_x), two_low = mix(low.z, low.y, along_z);
    const uint one_high = mix(high.x, high.y, along_x), two_high = mix(high.z, high.y, along_z);
    const uvec3 below_a = uvec3(field_key(below(a, x, low.x)), field_key(below(a, y, low.y)),
                                field_key(below(a, z, low.z)));
    const uvec3 above_b = uvec3(field_key(above(b, x, high.x)), field_key(above(b, y, high.y)),
                                field_key(above(b, z, high.z)));
    const uint one_above_a = field_key(above(a, one, one_high));
    const uint two_above_a = field_key(above(a, two, two_high));
    const uint one_below_b = field_key(below(b, one, one_low));
    const uint two_below_b = field_key(below(b, two, two_low));
    const uvec3 above_a = uvec3(along_x ? key_b : one_above_a,
                                along_y ? key_b : along_x ? one_above_a : two_above_a,
                                along_z ? key_b : two_above_a);
    const uvec3 below_b = uvec3(along_x ? key_a : one_below_b,
                                along_y ? key_a : along_x ? one_below_b : two_below_b,
                                along_z ? key_a : two_below_b);
    const uvec3 along = uvec3(along_x, along_y, along_z);
    Slope slopes_a[3], slopes_b[3];
    int widest = exponent;
    [[unroll]] for (uint k = 0; k < 3; k++) {
        slopes_a[k] = slope_of(key_a, below_a[k], above_a[k], low[k] + max(high[k], along[k]));
        slopes_b[k] = slope_of(key_b, below_b[k], above_b[k], max(low[k], along[k]) + high[k]);
        widest = max(widest, max(key_exponent(slopes_a[k].keys.x), key_exponent(slopes_a[k].keys.y)));
        widest = max(widest, max(key_exponent(slopes_b[k].keys.x), key_exponent(slopes_b[k].keys.y)));
    }
    vec3 at_a, at_b;
    [[unroll]] for (uint k = 0; k < 3; k++) {
        at_a[k] = key_difference(slopes_a[k].keys.y, slopes_a[k].keys.x, widest) * slopes_a[k].scale;
        at_b[k] = key_difference(slopes_b[k].keys.y, slopes_b[k].keys.x, widest) * slopes_b[k].scale;
    }
    if (SCALED) {
        // Scales by a power of two again, so that the largest component is about 1.
        const vec3 reach = max(abs(at_a), abs(at_b));
        const uint own = floatBitsToUint(max(max(reach.x, reach.y), reach.z)) >> 23;
        const float unit = uintBitsToFloat((254 - own) << 23);
        at_a *= unit;
        at_b *= unit;
    }
    // If the two gradients cancel, only rounding errors are left. Then the normal is along the edge.
    const vec3 gradient = mix(at_a, at_b, t);
    const float least = GRADIENT_VANISHES * GRADIENT_VANISHES * max(dot(at_a, at_a), dot(at_b, at_b));
    vec3 normal = vec3(0);
    normal[axis] = key_b < key_a ? 1.0 : -1.0;
    const float square = dot(gradient, gradient);
    if (square > least) {
        normal = -gradient * inversesqrt(square);
    }
    vec3 position = vec3(a.p + uvec3(0, iso.base_y, iso.base_z));
    position[axis] += t;
    write_vertex(vertex, position, normal);
}

#endif
