#version 460
// Scan and scatter, pass 2: offsets within blocks of GROUP entries, by a balanced tree (Blelloch
// 1990, as in Harris, Sengupta and Owens 2007, listing 39-2). Sums go up the tree, offsets go down.
// A lane has two entries. It takes 2 log2 GROUP steps and 2 GROUP additions.
//
// With FORM_HYBRID it is the scan of Sengupta, Lefohn and Owens 2006, "A Work-Efficient Step-Efficient
// Prefix-Sum Algorithm": near its top a tree has fewer nodes than the device has lanes. So the tree
// ends at TOP nodes, and recursive doubling scans these in log2 TOP steps.

#include "scan_levels.glsl"

const uint HALF = GROUP / 2, BANKS = 32;
const uint TOP_STEPS = FORM == FORM_HYBRID ? 5 : 0, TOP = 1 << TOP_STEPS;

layout(local_size_x = HALF) in;

shared uint tree[GROUP + GROUP / BANKS];

// Padded index of a node. Strides are powers of two: without padding the lanes of a step would
// access the same few banks.
uint node(uint i)
{
    return i + i / BANKS;
}

// Replaces the sums of the TOP nodes by the sums before them. Returns to the last lane of them the
// sum of all.
uint scan_top(uint i)
{
    const uint stride = GROUP / TOP, at = node(stride * (i % TOP + 1) - 1);
    barrier();
    const uint n = i < TOP ? tree[at] : 0; // lane 0 may write already where no step follows
    uint sum = n;
    [[unroll]] for (uint step = 0; step < TOP_STEPS; step++) {
        const uint distance = 1 << step;
        const uint from = max(i % TOP, distance) - distance; // a device may read what it does not use
        const uint before = i >= distance ? tree[node(stride * (from + 1) - 1)] : 0;
        barrier();
        sum += before;
        if (i < TOP) {
            tree[at] = sum;
        }
        barrier();
    }
    if (i < TOP) {
        tree[at] = sum - n;
    }
    return sum;
}

void main()
{
    scan_levels_find();
    const uint block = folded_group(), i = group_lane(), at = block * GROUP + i;
    if (block >= scan_above.entries && own.top == 0) {
        return;
    }
    const uint a = scan_read(at), b = scan_read(at + HALF);
    tree[node(i)] = a;
    tree[node(i + HALF)] = b;
    [[unroll]] for (uint step = 0; step < STEPS - TOP_STEPS; step++) {
        const uint stride = 1 << step;
        barrier();
        if (i < HALF / stride) {
            const uint left = node(stride * (2 * i + 1) - 1);
            const uint right = node(stride * (2 * i + 2) - 1);
            tree[right] += tree[left];
        }
    }
    const uint sum = scan_top(i);
    if (i == TOP - 1) {
        scan_sum(block, sum);
    }
    [[unroll]] for (uint step = TOP_STEPS; step < STEPS; step++) {
        const uint stride = HALF >> step;
        barrier();
        if (i < HALF / stride) {
            const uint left = node(stride * (2 * i + 1) - 1);
            const uint right = node(stride * (2 * i + 2) - 1);
            const uint sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    barrier();
    scan_check(tree[node(i)], a);
    scan_check(tree[node(i + HALF)], b);
    scan_write(at, tree[node(i)]);
    scan_write(at + HALF, tree[node(i + HALF)]);
}
