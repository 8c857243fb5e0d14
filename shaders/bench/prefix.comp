#version 460
// Prefix sums of the kept words within blocks of BLOCK, for figure 9 of the Jumping Jack paper. By
// recursive doubling (Hillis and Steele 1986): log2 BLOCK steps over all elements. Or, with
// BALANCED, by a tree (Blelloch 1990): twice as many steps, over fewer and fewer nodes. Both work
// in shared memory. A workgroup has one block, or as many small blocks as fill its lanes.

#include "stream.glsl"

#include "shaders/shared/blocks.h"

layout(constant_id = CONSTANT_BLOCK) const uint BLOCK = 256;

const uint TILE = BLOCK < GROUP ? GROUP : BLOCK;
const uint MOST = 2048;

layout(local_size_x = GROUP) in;

#ifdef BALANCED

shared uint tree[MOST];

uint sum_at(uint i)
{
    return tree[i];
}

void sum_up()
{
    for (uint stride = 1; stride < BLOCK; stride *= 2) {
        barrier();
        for (uint n = group_lane(); n < TILE / (2 * stride); n += GROUP) {
            const uint right = 2 * stride * (n + 1) - 1;
            tree[right] += tree[right - stride];
        }
    }
    barrier();
    for (uint n = group_lane(); n < TILE / BLOCK; n += GROUP) {
        tree[BLOCK * (n + 1) - 1] = 0;
    }
    for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
        barrier();
        for (uint n = group_lane(); n < TILE / (2 * stride); n += GROUP) {
            const uint right = 2 * stride * (n + 1) - 1, left = tree[right - stride];
            tree[right - stride] = tree[right];
            tree[right] += left;
        }
    }
    barrier();
}

void put(uint i, uint n)
{
    tree[i] = n;
}

#else

shared uint sums[2][MOST];
uint side = 0;

// The sum of the elements before element i of the block, as in the version with a tree.
uint sum_at(uint i)
{
    return i % BLOCK == 0 ? 0 : sums[side][i - 1];
}

void sum_up()
{
    for (uint stride = 1; stride < BLOCK; stride *= 2) {
        barrier();
        for (uint i = group_lane(); i < TILE; i += GROUP) {
            const uint before = i % BLOCK >= stride ? sums[side][i - stride] : 0;
            sums[1 - side][i] = sums[side][i] + before;
        }
        side = 1 - side;
    }
    barrier();
}

void put(uint i, uint n)
{
    sums[0][i] = n;
}

#endif

void main()
{
    const uint first = folded_group() * TILE;
    for (uint i = group_lane(); i < TILE; i += GROUP) {
        put(i, first + i < push.lanes ? keep(first + i) : 0);
    }
    sum_up();
    for (uint i = group_lane(); i < TILE; i += GROUP) {
        if (first + i < push.lanes) {
            list[first + i] = sum_at(i);
        }
    }
}
