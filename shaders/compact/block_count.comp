#version 460
// Block methods, pass 1 of 3: evaluates the predicate to a bit per element. Counts, for each
// block, the kept elements before it in its tile. A workgroup has a tile, a lane 32 elements.

#include "blocks.glsl"

layout(local_size_x = GROUP) in;

// The mask of the 32 elements of the lane's word. The lanes of a subgroup have consecutive words.
// They evaluate consecutive elements together, and each lane takes the ballots of its own word.
uint kept_bits(uint word)
{
    if (LANE_ELEMENTS == 32) {
        return word < stream_lanes() ? keep(word) : 0;
    }
    const uint lanes = stream_lanes(), first = (word - gl_SubgroupInvocationID) * 32;
    uint bits = 0;
    for (uint at = 0; at < 32 * gl_SubgroupSize; at += gl_SubgroupSize) {
        const uint lane = first + at + gl_SubgroupInvocationID;
        const bool kept = lane < lanes && keep(lane) != 0;
        const uvec4 ballot = subgroup_ballot(kept);
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
    const uint word = tile * GROUP + group_lane();
    const uint bits = kept_bits(word), n = bitCount(bits);
    const uint before = group_offset(ballot_scan(n, 6), n);
    masks[word] = bits;
    // A word begins a block or lies within one. But with blocks of 16, two share a word.
    for (uint at = 0; at < 32; at += BLOCK) {
        const uint i = group_lane() * 32 + at;
        if (i % BLOCK == 0) {
            blocks[tiles + tile * (BLOCK_TILE / BLOCK) + i / BLOCK] =
                before + bitCount(bits & low_bits(at));
        }
    }
    if (group_lane() == 0) {
        blocks[tile] = scan_total;
    }
}
