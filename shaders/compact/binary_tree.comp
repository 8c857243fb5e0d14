#version 460
// Binary tree (Moreira et al. 2009, "New Algorithms for GPU Stream Compaction", 3.4). There is no
// prefix sum. Every node counts the valid elements below it, and each output searches for its leaf
// from the root down. If it is not below the first child, it is below the second one.
//
// The lowest five levels need no nodes: the search counts bits in a word. Roots need no nodes
// either: every output is below its root.

#include "block_open.glsl"

const uint WORDS = BLOCK_SPAN / 32; // words (stored leaves) of all trees of the workgroup
const uint TABLE_WORDS = 2 * WORDS;
shared uint table[TABLE_WORDS]; // nodes: level 0 has WORDS nodes, each level above half as many

uint node(uint level, uint i)
{
    return 2 * WORDS - (2 * WORDS >> level) + i;
}

// The level of the roots of the blocks' trees.
uint root_level()
{
    return BLOCK < 32 ? 0 : findMSB(BLOCK / 32);
}

void make_table()
{
    const uint lane = group_lane();
    if (lane < WORDS) {
        table[node(0, lane)] = bitCount(word_bits(lane));
    }
    for (uint level = 1; level < root_level(); level++) {
        barrier();
        if (lane < WORDS >> level) {
            table[node(level, lane)] =
                table[node(level - 1, 2 * lane)] + table[node(level - 1, 2 * lane + 1)];
        }
    }
}

uint find(uint base, uint c)
{
    uint key = c, at = base / 32; // `at`: the node, from the roots' level down
    at >>= root_level();
    for (uint level = root_level(); level-- > 0;) {
        at *= 2;
        const uint first = table[node(level, at)];
        if (key >= first) {
            key -= first;
            at++;
        }
    }
    // Two blocks of 16 share a word.
    uint element = at * 32 + base % 32, bits = word_bits(at) >> base % 32;
    for (uint width = min(BLOCK, 32) / 2; width > 0; width /= 2) {
        const uint first = bitCount(bits & low_bits(width));
        if (key >= first) {
            key -= first;
            bits >>= width;
            element += width;
        }
    }
    return element;
}

#include "block_search.glsl"
