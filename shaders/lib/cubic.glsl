// The surface in a cell. Between the cell's eight samples the value is interpolated linearly along each axis, so
// along a ray it is a cubic. The cubic's Bernstein coefficients between two points are values at the corners of
// the box that the points span: averages of the samples, in which nothing cancels. The cubic crosses the isovalue
// as often as the signs of the coefficients change, or an even number of times less.
//
// Two cells that share a face compute a value on it by the same operations. So the value at the end of a ray in
// one cell is bit for bit that at its begin in the next cell. A value counts as inside if it is 0 or more: there
// is no third side, and no tolerance.
#ifndef LIB_CUBIC
#define LIB_CUBIC

#include "field.glsl"

struct Corners {
    uint keys[8]; // keys[i]: corner (i & 1, i >> 1 & 1, i >> 2)
};

Corners corners_of(uvec3 cell)
{
    const uvec3 x = uvec3(1, 0, 0), y = uvec3(0, 1, 0), z = uvec3(0, 0, 1);
    const Place a = field_place(cell), b = above(a, y, 1), c = above(a, z, 1), d = above(c, y, 1);
    return Corners(uint[8](field_key(a), field_key(above(a, x, 1)), field_key(b),
                           field_key(above(b, x, 1)), field_key(c), field_key(above(c, x, 1)),
                           field_key(d), field_key(above(d, x, 1))));
}

// Whether the cell has samples on both sides, and all are finite.
bool corners_cross(Corners corners, uint key)
{
    uint least = corners.keys[0], most = corners.keys[0];
    [[unroll]] for (uint i = 1; i < 8; i++) {
        least = min(least, corners.keys[i]);
        most = max(most, corners.keys[i]);
    }
    const bool cross = least < key && key <= most;
    return HAS_INVALID == 0 ? cross : cross && key_finite(least) && key_finite(most);
}

// Moves a value to the side that `inside` says. A value on the other side becomes the nearest one on this side.
float on_side(float value, bool inside)
{
    const float LEAST = 1.17549435e-38; // least normal float
    return inside ? max(value, 0.0) : min(value, -LEAST);
}

// A sample minus the isovalue. If floats are scaled, it is scaled as by key_scaled; `unit` is 2^iso.exponent in
// the same scale. The sign tells on which side the sample is, despite rounding.
//
// Never call it in an [[unroll]] loop: the unroller of glslc -O keeps `precise` in the first iteration only. In
// the others spirv-opt made fma() of these operations, and Mesa's compiler reordered the sums: iso.low was lost in
// a greater number, so rays met the isovalue rounded to a float. tests/compute/test_precise.py finds such loops.
float corner_value(uint key, atlas_iso iso, int exponent, float unit)
{
    precise float value; // the order of the subtractions matters: low is the rounding error of high
    if (SCALED) {
        value = (key_scaled(key, exponent) - iso.high * unit) - iso.low * unit;
    } else if (TYPE == FLOAT32) {
        value = (key_float(key) - iso.high * unit) - iso.low * unit;
    } else {
        value = key_difference(key, iso.iso_key, 0) - iso.high;
    }
    return on_side(value, key >= iso.key);
}

// The values of a cell's corners. Corners whose bit in `counted` is 0 get the value 0.
float[8] corner_values(Corners corners, atlas_iso iso, uint counted)
{
    int exponent = 0;
    if (SCALED) {
        [[unroll]] for (uint i = 0; i < 8; i++) {
            exponent = max(exponent, (counted >> i & 1) != 0 ? key_exponent(corners.keys[i]) : 0);
        }
    }
    const float unit = SCALED             ? power_of_two(iso.exponent + 126 - exponent)
                       : TYPE == FLOAT32 ? power_of_two(iso.exponent)
                                         : 1.0;
    const uint k[8] = corners.keys;
    float values[8] =
        float[8](corner_value(k[0], iso, exponent, unit), corner_value(k[1], iso, exponent, unit),
                 corner_value(k[2], iso, exponent, unit), corner_value(k[3], iso, exponent, unit),
                 corner_value(k[4], iso, exponent, unit), corner_value(k[5], iso, exponent, unit),
                 corner_value(k[6], iso, exponent, unit), corner_value(k[7], iso, exponent, unit));
    [[unroll]] for (uint i = 0; i < 8; i++) {
        values[i] = (counted >> i & 1) != 0 ? values[i] : 0.0;
    }
    return values;
}

float[8] corner_values(Corners corners, atlas_iso iso)
{
    return corner_values(corners, iso, 0xff);
}

// Linear interpolation. Exact where s is 0 or 1; mix() need not be.
float between(float a, float b, float s)
{
    precise const float value = a * (1.0 - s) + b * s;
    return value;
}

vec2 between(vec2 a, vec2 b, float s)
{
    precise const vec2 value = a * (1.0 - s) + b * s;
    return value;
}

vec4 between(vec4 a, vec4 b, float s)
{
    precise const vec4 value = a * (1.0 - s) + b * s;
    return value;
}

// The cubic between two points of a cell, from `from` to `to`, as Bernstein coefficients.
vec4 cubic_of(float v[8], vec3 from, vec3 to)
{
    // Interpolates along x, on the four edges; then along y; then along z.
    const vec4 low = vec4(v[0], v[2], v[4], v[6]), high = vec4(v[1], v[3], v[5], v[7]);
    const vec4 a = between(low, high, from.x), b = between(low, high, to.x);
    const vec2 aa = between(a.xz, a.yw, from.y), ab = between(a.xz, a.yw, to.y);
    const vec2 ba = between(b.xz, b.yw, from.y), bb = between(b.xz, b.yw, to.y);
    const float third = 1.0 / 3.0;
    precise vec4 cubic;
    cubic.x = between(aa.x, aa.y, from.z);
    cubic.y = ((between(ba.x, ba.y, from.z) + between(ab.x, ab.y, from.z)) + between(aa.x, aa.y, to.z)) * third;
    cubic.z = ((between(bb.x, bb.y, from.z) + between(ba.x, ba.y, to.z)) + between(ab.x, ab.y, to.z)) * third;
    cubic.w = between(bb.x, bb.y, to.z);
    return cubic;
}

// The value at a point of a face, from the corners of that face.
float value_on_face(Corners corners, atlas_iso iso, vec3 at)
{
    uint counted = 0xff;
    counted &= at.x == 0.0 ? 0x55 : at.x == 1.0 ? 0xaa : 0xff;
    counted &= at.y == 0.0 ? 0x33 : at.y == 1.0 ? 0xcc : 0xff;
    counted &= at.z == 0.0 ? 0x0f : at.z == 1.0 ? 0xf0 : 0xff;
    return cubic_of(corner_values(corners, iso, counted), at, at).x;
}

// As cubic_of, but also right if floats are scaled. Values on a face may be too small for the scale of the whole
// cell. So the signs at the ends are computed on the faces: the cells on both sides of a face agree on them.
vec4 cubic_in_cell(Corners corners, atlas_iso iso, vec3 from, vec3 to)
{
    vec4 cubic = cubic_of(corner_values(corners, iso), from, to);
    if (SCALED) {
        cubic.x = on_side(cubic.x, value_on_face(corners, iso, from) >= 0.0);
        cubic.w = on_side(cubic.w, value_on_face(corners, iso, to) >= 0.0);
    }
    return cubic;
}

uint cubic_changes(vec4 b)
{
    const bvec4 inside = greaterThanEqual(b, vec4(0.0));
    return uint(inside.x != inside.y) + uint(inside.y != inside.z) + uint(inside.z != inside.w);
}

// The first or the second half of a cubic.
vec4 cubic_half(vec4 b, bool second)
{
    precise const vec3 c = (b.xyz + b.yzw) * 0.5;
    precise const vec2 d = (c.xy + c.yz) * 0.5;
    precise const float e = (d.x + d.y) * 0.5;
    return mix(vec4(b.x, c.x, d.x, e), vec4(e, d.y, c.z, b.w), bvec4(second));
}

const float SHORT_STEP = 1.0 / 4096.0;
const uint MOST_STEPS = 12;

// The root of a cubic that crosses once and whose ends differ in sign, by Newton's method. The search begins where
// a line through the ends crosses. A step out of the interval that has the root is replaced by a step to the
// interval's middle. So is a step from a point where the cubic runs back to the side of its begin. Such a step
// leads to another root, beyond the end, but perhaps so close that rounding hides it. The search ends after a
// Newton step shorter than SHORT_STEP: the error is then about the square of the step.
float cubic_only_root(vec4 b)
{
    float low = 0.0, high = 1.0, s = clamp(b.x / (b.x - b.w), 0.0, 1.0);
    const bool inside = b.x >= 0.0;
    float last, next;
    uint steps = 0;
    do {
        last = s;
        precise const float r = 1.0 - s;
        precise const vec3 c = b.xyz * r + b.yzw * s;
        precise const vec2 d = c.xy * r + c.yz * s;
        precise const float value = d.x * r + d.y * s;
        const bool before = (value >= 0.0) == inside;
        low = mix(low, s, before);
        high = mix(s, high, before);
        precise const float slope = 3.0 * (d.y - d.x), newton = s - value / slope;
        next = newton;
        s = next >= low && next <= high && (slope < 0.0) == inside ? next : (low + high) * 0.5;
        steps++;
    } while ((s != next || abs(s - last) > SHORT_STEP) && steps < MOST_STEPS);
    return s;
}

// A part of a cubic: from `begin` to `begin` + `size` in the whole cubic. Size 0: no part.
struct CubicPart {
    vec4 b;
    float begin, size;
};

// Up to so many changes of sign, the first part is the whole cubic.
#ifdef CELL_TEST
#define PLAIN_CHANGES 0
#include "cell_tests.glsl"
#else
#define PLAIN_CHANGES  1
#define CUBIC_HALVINGS 8

// The part with this number, from 0 on, in which the cubic changes its side once. A part whose signs change twice or three times is
// halved, and its first half is tested first. After a part without a root the next part is tested: it is made from
// the whole cubic by repeated halving. Only one of two halves can have several changes. So each of CUBIC_HALVINGS
// levels has two parts at most, and the loop takes less than 100 iterations. If the whole cubic has several
// changes, `turns` grows by their number.
CubicPart cubic_part(vec4 whole, uint number, inout uint turns)
{
    uint left = number;
    CubicPart part = CubicPart(whole, 0.0, 1.0);
    uint path = 0, depth = 0; // bit of `path`: 1 for a second half; the first halving is the top bit
    uint halved = 0;          // so many halvings are applied to part.b
    bool found = false;
    const uint turn = uint(cubic_changes(whole) > 1);
    do {
        turns += turn;
        const uint changes = cubic_changes(part.b);
        const bool ends = (part.b.x >= 0.0) != (part.b.w >= 0.0), there = halved == depth;
        found = there && (changes == 1 || changes > 1 && depth == CUBIC_HALVINGS && ends);
        const bool halves = there && changes > 1 && depth < CUBIC_HALVINGS;
        if (number > 0 && found && (left > 0 || part.begin >= 1.0)) {
            left -= min(left, 1);
            found = false;
        }
        if (there && !found && !halves) { // next part: climb while this one is a second half
            part.begin += part.size;
            const uint up = uint(findLSB(path + 1));
            path = (path >> up) + 1;
            depth -= min(up, depth);
            halved = 0;
            part.b = whole;
        }
        if (halves) {
            depth++;
            path <<= 1;
        }
        part.size = uintBitsToFloat((127 - depth) << 23);
        if (!found && halved < depth) {
            part.b = cubic_half(part.b, (path >> (depth - 1 - halved) & 1) != 0);
            halved++;
        }
    } while (!found && part.begin < 1.0);
    part.size = mix(0.0, part.size, found);
    return part;
}

// The position of the part's root in the whole cubic, from 0 to 1.
float cubic_root(CubicPart part)
{
    return part.begin + part.size * cubic_only_root(part.b);
}

#endif

CubicPart cubic_first_part(vec4 whole, inout uint turns)
{
    return cubic_part(whole, 0, turns);
}

#endif
