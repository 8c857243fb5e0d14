// Other ways to find the surface in a cell, for a measurement (bench cast --rerun cell-test). They
// replace cubic_part and cubic_root of cubic.glsl, and find fewer hits. Built for one of
//
//   TEST_ENDS      There is a hit if the ends of the ray in the cell are on different sides.
//   TEST_NEUBAUER  As TEST_ENDS, but the root is found by three linear interpolations (Neubauer et al.
//                  2002, Cell-based first-hit ray casting).
//   TEST_MARMITT   The cubic is cut at its extrema. The root is in the first piece whose ends differ,
//                  and is found as by TEST_NEUBAUER (Marmitt et al. 2004, Fast and accurate ray-voxel
//                  intersection techniques). As in the paper, the coefficients are those of the powers
//                  of s, so digits cancel where the cubic is flat.
#ifndef LIB_CELL_TESTS
#define LIB_CELL_TESTS

#define LINEAR_STEPS 3

#ifdef TEST_MARMITT

// The cubic's coefficients of 1, s, s^2 and s^3.
vec4 cubic_powers(vec4 b)
{
    return vec4(b.x, 3.0 * (b.y - b.x), 3.0 * (b.x - 2.0 * b.y + b.z), b.w - b.x + 3.0 * (b.y - b.z));
}

float cubic_value(vec4 b, float s)
{
    const vec4 c = cubic_powers(b);
    return ((c.w * s + c.z) * s + c.y) * s + c.x;
}

// The extrema in ascending order; 0 stands for one that does not exist.
vec2 cubic_extrema(vec4 b)
{
    const vec4 c = cubic_powers(b);
    const float square = c.z * c.z - 3.0 * c.w * c.y; // discriminant / 4 of c.y + 2 c.z s + 3 c.w s^2
    vec2 extrema = vec2(0.0);
    if (square >= 0.0) {
        const float q = -(c.z + (c.z < 0.0 ? -sqrt(square) : sqrt(square)));
        const vec2 both = mix(vec2(q / (3.0 * c.w), c.y / q), vec2(0.0), equal(vec2(c.w, q), vec2(0.0)));
        extrema = vec2(min(both.x, both.y), max(both.x, both.y));
    }
    return extrema;
}

#else

float cubic_value(vec4 b, float s)
{
    const vec3 c = mix(b.xyz, b.yzw, s);
    const vec2 d = mix(c.xy, c.yz, s);
    return mix(d.x, d.y, s);
}

#endif

// They find one part at most; there is none with another number than 0.
CubicPart cubic_part(vec4 whole, uint number, inout uint turns)
{
    const bool inside = whole.x >= 0.0;
    float begin = 0.0, end = 1.0;
    bool found = (whole.w >= 0.0) != inside;
#ifdef TEST_MARMITT
    const vec2 extrema = cubic_extrema(whole);
    [[unroll]] for (uint i = 0; i < 2; i++) {
        const float s = extrema[i];
        if (s > begin && s < end) {
            const bool differs = (cubic_value(whole, s) >= 0.0) != inside;
            begin = mix(s, begin, differs);
            end = mix(end, s, differs);
            found = found || differs;
        }
    }
#endif
    return CubicPart(whole, begin, found && number == 0 ? end - begin : 0.0);
}

float cubic_root(CubicPart part)
{
#ifdef TEST_ENDS
    return cubic_only_root(part.b);
#else
    float low = part.begin, high = part.begin + part.size;
    float low_value = cubic_value(part.b, low), high_value = cubic_value(part.b, high), s = low;
    const bool inside = part.b.x >= 0.0;
    [[unroll]] for (uint i = 0; i < LINEAR_STEPS; i++) {
        s = clamp(low + (high - low) * low_value / (low_value - high_value), low, high);
        const float value = cubic_value(part.b, s);
        const bool before = (value >= 0.0) == inside;
        low = mix(low, s, before);
        low_value = mix(low_value, value, before);
        high = mix(s, high, before);
        high_value = mix(value, high_value, before);
    }
    return s;
#endif
}

#endif
