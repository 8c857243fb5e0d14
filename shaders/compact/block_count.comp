#version 460
// Block methods, pass 1 of 3: the predicate's answers, a bit per element, and for each block how
// many elements are kept in its tile before it. A workgroup has a tile, a lane 32 elements of it.

#include "blocks.glsl"

layout(local_size_x = GROUP) in;

// Which of the 32 elements of word number `word` are kept: this lane's, where the lanes of a
// subgroup have consecutive words. They ask for consecutive elements together, and each lane takes
// the ballots that fall into its word.
uint kept_bits(uint word)
{
    if (LANE_ELEMENTS == 32) {
        return word < stream_lanes() ? keep(word) : 0;
    }
    const uint lanes = stream_lanes(), first = (word - gl_SubgroupInvocationID) * 32;
    uint bits = 0;
    for (uint at = 0; at < 32 * gl_SubgroupSize; at += gl_SubgroupSize) {
        const uint lane = first + at + gl_SubgroupInvocationID;
        const uvec4 ballot = subgroupBallot(lane < lanes && keep(lane) != 0);
        const uint part = gl_SubgroupInvocationID - at / 32;
        if (part * 32 < gl_SubgroupSize) {
            bits |= ballot[part] << at % 32;
        }
    }
    return bits;
}

void main()
{
    const uint tile = folded_group(), tiles = tile_count();
    if (tile >= tiles) {
        return;
    }
    const uint word = tile * GROUP + gl_LocalInvocationIndex;
    const uint bits = kept_bits(word), n = bitCount(bits);
    const uint before = group_offset(ballot_scan(n, 6), n);
    write_masks(own.masks, word, bits);
    // Most words begin a block or lie within one; two blocks of 16 share a word.
    for (uint at = 0; at < 32; at += BLOCK) {
        const uint i = gl_LocalInvocationIndex * 32 + at;
        if (i % BLOCK == 0) {
            own.blocks.at[tiles + tile * (BLOCK_TILE / BLOCK) + i / BLOCK] =
                before + bitCount(bits & low_bits(at));
        }
    }
    if (gl_LocalInvocationIndex == 0) {
        own.blocks.at[tile] = scan_total;
    }
}
