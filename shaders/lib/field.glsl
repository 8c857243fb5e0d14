// The scalar field, independent of its storage: the key of the sample at (x, y, z).
//
// Samples are stored as keys: unsigned integers of the type's width, in the order of the values. The
// key of a signed integer has the sign bit flipped. The key of a negative float has all bits flipped,
// that of another float the sign bit. So "sample >= isovalue" is one exact comparison for every type.
//
// In the atlas slice z is tile z of a grid of COLS x ROWS tiles per layer, each TILE_WIDTH x DIM_Y.
// There is one layout and two storages: with FIELD_IMAGE a 2D array image, otherwise a texel buffer
// with the same rows one after the other. Single keys are read from a storage texel buffer: llvmpipe
// compiles such loads into the kernel, but for a uniform texel buffer it calls a function and saves
// all registers. For four words at once that call is faster. Texel buffers of 16-byte blocks reach 16
// times as many bytes as those of bytes: a key beyond the reach is read from its block.
#ifndef LIB_FIELD
#define LIB_FIELD

#include "buffers.glsl"
#include "grid.glsl"

layout(constant_id = CONSTANT_TILE_WIDTH) const uint TILE_WIDTH = 2;
layout(constant_id = CONSTANT_COLS) const uint COLS = 1;
layout(constant_id = CONSTANT_ROWS) const uint ROWS = 1;
layout(constant_id = CONSTANT_LAYERS) const uint LAYERS = 1;
layout(constant_id = CONSTANT_TYPE) const uint TYPE = 0;
layout(constant_id = CONSTANT_KEYS_IN_BLOCKS) const uint KEYS_IN_BLOCKS = 0;

const uint UINT8 = 0, INT8 = 1, UINT16 = 2, INT16 = 3, UINT32 = 4, INT32 = 5, FLOAT32 = 6;
const uint BYTES = TYPE < UINT16 ? 1 : TYPE < UINT32 ? 2 : 4;
const uint ATLAS_WIDTH = COLS * TILE_WIDTH;

// Where slice z starts in the atlas: u, v, layer.
uvec3 slice_tile(uint z)
{
    uint layer = 0;
    if (LAYERS > 1) {
        layer = z / (COLS * ROWS);
    }
    const uint tile = z - layer * (COLS * ROWS), row = tile / COLS;
    return uvec3((tile - row * COLS) * TILE_WIDTH, row * DIM_Y, layer);
}

#ifdef FIELD_IMAGE

#extension GL_EXT_samplerless_texture_functions : require

layout(set = 0, binding = BINDING_SAMPLES) uniform utexture2DArray samples;

#define Slice uvec3
Slice field_slice(uint z)
{
    return slice_tile(z);
}

uint field_key(Slice slice, uint x, uint y)
{
    return texelFetch(samples, ivec3(slice.x + x, slice.y + y, slice.z), 0).r;
}

// Bit i is set if the key of sample x + i is at least `key`. x is a multiple of 32; bits past the
// row's end are undefined.
uint field_row(Slice slice, uint x, uint y, uint key)
{
    uint bits = 0;
    [[unroll]] for (uint i = 0; i < 32; i++) {
        const uint at = min(x + i, DIM_X - 1);
        bits |= uint(field_key(slice, at, y) >= key) << i;
    }
    return bits;
}

#else

layout(set = 0, binding = BINDING_KEYS8, r8ui) readonly uniform uimageBuffer keys8;
layout(set = 0, binding = BINDING_KEYS16, r16ui) readonly uniform uimageBuffer keys16;
layout(set = 0, binding = BINDING_KEYS32, r32ui) readonly uniform uimageBuffer keys32;
FETCHES(key_blocks, BINDING_KEY_BLOCKS)

uint key_at(uint i)
{
    if (KEYS_IN_BLOCKS != 0) {
        const uint byte = i * BYTES;
        const uint word = texelFetch(key_blocks, int(byte / 16))[byte / 4 % 4];
        return bitfieldExtract(word, int(byte % 4 * 8), int(BYTES * 8));
    }
    if (BYTES == 1) {
        return imageLoad(keys8, int(i)).r;
    }
    if (BYTES == 2) {
        return imageLoad(keys16, int(i)).r;
    }
    return imageLoad(keys32, int(i)).r;
}

#define Slice uint
Slice field_slice(uint z)
{
    const uvec3 tile = slice_tile(z);
    return (tile.z * ROWS * DIM_Y + tile.y) * ATLAS_WIDTH + tile.x;
}

uint field_key(Slice slice, uint x, uint y)
{
    return key_at(slice + y * ATLAS_WIDTH + x);
}

// Compares each byte, or half, of a word with a key. Sets the top bit of each field that is >= the
// key. `low`: the key without its top bit, in each field. `above`: the key has its top bit.
uint at_least(uint word, uint low, bool above, uint tops)
{
    const uint rest = (word | tops) - low;
    return (above ? word & rest : word | rest) & tops;
}

uint field_row(Slice slice, uint x, uint y, uint key)
{
    const int block = int((slice + y * ATLAS_WIDTH + x) / (16 / BYTES));
    uint bits = 0;
    if (BYTES == 1) {
        const uint low = (key & 0x7f) * 0x01010101u;
        const bool above = key >= 0x80;
        [[unroll]] for (int i = 0; i < 2; i++) {
            const uvec4 four = texelFetch(key_blocks, block + i);
            [[unroll]] for (int k = 0; k < 4; k++) {
                const uint tops = at_least(four[k], low, above, 0x80808080u);
                bits |= ((tops >> 7) * 0x10204080u >> 28) << (i * 16 + k * 4);
            }
        }
    } else if (BYTES == 2) {
        const uint low = (key & 0x7fff) * 0x00010001u;
        const bool above = key >= 0x8000;
        [[unroll]] for (int i = 0; i < 4; i++) {
            const uvec4 four = texelFetch(key_blocks, block + i);
            [[unroll]] for (int k = 0; k < 4; k++) {
                const uint tops = at_least(four[k], low, above, 0x80008000u);
                bits |= ((tops >> 15 | tops >> 30) & 3) << (i * 8 + k * 2);
            }
        }
    } else {
        [[unroll]] for (int i = 0; i < 8; i++) {
            const uvec4 four = texelFetch(key_blocks, block + i);
            bits |= (uint(four.x >= key) | uint(four.y >= key) << 1 | uint(four.z >= key) << 2 |
                     uint(four.w >= key) << 3)
                    << (i * 4);
        }
    }
    return bits;
}

#endif

// The position of a sample, for access to its neighbours. `at` is the sample's texel in a texel buffer
// with one column of slices. There a step along an axis has the same length everywhere.
struct Place {
    uvec3 p;
    uint at;
};

Place field_place(uvec3 p)
{
    return Place(p, (p.z * DIM_Y + p.y) * ATLAS_WIDTH + p.x);
}

uint step_along(uvec3 unit)
{
    return unit.x + (unit.y + unit.z * DIM_Y) * ATLAS_WIDTH;
}

// The next sample up, or down, along an axis if `there` is 1; the same sample if it is 0.
Place above(Place place, uvec3 unit, uint there)
{
    return Place(place.p + unit * there, place.at + step_along(unit) * there);
}

Place below(Place place, uvec3 unit, uint there)
{
    return Place(place.p - unit * there, place.at - step_along(unit) * there);
}

uint field_key(Place place)
{
#ifndef FIELD_IMAGE
    if (COLS == 1 && LAYERS == 1) {
        return key_at(place.at);
    }
#endif
    return field_key(field_slice(place.p.z), place.p.x, place.p.y);
}

bool key_finite(uint key)
{
    return TYPE != FLOAT32 || key - 0x00800000u <= 0xff7fffffu - 0x00800000u;
}

// The bits of a float key's value.
uint key_bits(uint key)
{
    return key ^ (uint(int(~key) >> 31) | 0x80000000u);
}

// The float that a key stands for. It is not scaled by a power of two.
float key_float(uint key)
{
    return uintBitsToFloat(key_bits(key));
}

// Differences of floats, and even more their squares, may exceed the range of a float. If the volume
// has such values (EXTREMES), they are scaled near 1 by a power of two, which follows from the
// exponents of the values in one computation. Where a value may be denormal, integer operations are
// used, because devices may flush denormals to 0. Scaling by powers of two is exact, so it does not
// change the result, with one exception: without scaling an isovalue too small for a float is 0.
const bool SCALED = TYPE == FLOAT32 && EXTREMES != 0;

// The exponent field; 1 for a denormal, which has the exponent of the least normal number.
int key_exponent(uint key)
{
    return max(int(key_bits(key) >> 23 & 0xff), 1);
}

// 2^exponent, or 0 if that is less than the least normal float.
float power_of_two(int exponent)
{
    return uintBitsToFloat(uint(clamp(exponent, -127, 127) + 127) << 23);
}

// A float key's value times 2^(126 - exponent). Below 1 if `exponent` is at least the key's.
float key_scaled(uint key, int exponent)
{
    const uint bits = key_bits(key);
    const int own = int(bits >> 23 & 0xff);
    const float mantissa = float(bits & 0x7fffffu | (own == 0 ? 0 : 0x800000u));
    const float value = mantissa * power_of_two(max(own, 1) - exponent - 24);
    return uintBitsToFloat(floatBitsToUint(value) | (bits & 0x80000000u));
}

// value(b) - value(a), scaled as by key_scaled if floats are. Exact for integers of 8 and 16 bits.
float key_difference(uint b, uint a, int exponent)
{
    if (SCALED) {
        return key_scaled(b, exponent) - key_scaled(a, exponent);
    }
    if (TYPE == FLOAT32) {
        return key_float(b) - key_float(a);
    }
    if (BYTES < 4) {
        return float(int(b) - int(a));
    }
    return float(max(a, b) - min(a, b)) * (b < a ? -1.0 : 1.0);
}

#endif
