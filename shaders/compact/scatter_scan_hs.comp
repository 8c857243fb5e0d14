#version 460
// Scan and scatter, pass 2: offsets within blocks of GROUP entries, by recursive doubling (Hillis
// and Steele 1986, as in Harris, Sengupta and Owens 2007, listing 39-1; but here the exclusive
// scan follows from the inclusive one). It takes log2 GROUP steps and GROUP log2 GROUP additions.

#include "scan_levels.glsl"

layout(local_size_x = GROUP) in;

shared uint sums[2][GROUP]; // a step reads one array and writes the other one

void main()
{
    scan_levels_find();
    const uint block = folded_group(), i = group_lane(), at = block * GROUP + i;
    if (block >= scan_above.entries && own.top == 0) {
        return;
    }
    const uint n = scan_read(at);
    sums[0][i] = n;
    barrier();
    [[unroll]] for (uint step = 0; step < STEPS; step++) {
        const uint now = step % 2, distance = 1 << step;
        sums[1 - now][i] = sums[now][i] + (i >= distance ? sums[now][i - distance] : 0);
        barrier();
    }
    const uint sum = sums[STEPS % 2][i], offset = sum - n;
    scan_check(offset, n);
    scan_write(at, offset);
    if (i == GROUP - 1) {
        scan_sum(block, sum);
    }
}
