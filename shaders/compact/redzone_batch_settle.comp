#version 460
// redzone-2:in-place, phase 3: moves the orphaned elements to the orphaned holes. Each workgroup makes the
// prefix sums over the batches' orphans for itself. With them each lane finds its orphans: the load
// balancing of Bontes & Gain 2024, algorithm 3, with another search.

#include "redzone_batch.glsl"

layout(local_size_x = GROUP) in;

#define EACH_BATCHES (REDZONE_BATCHES / GROUP)

// For both kinds of orphans, how many there are up to and with each batch.
shared uint sums[2][REDZONE_BATCHES];

void sums_make(uint kind, uint counts[EACH_BATCHES])
{
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < EACH_BATCHES; i++) {
        sum += counts[i];
    }
    uint at = group_offset(subgroup_before(sum), sum);
    [[unroll]] for (uint i = 0; i < EACH_BATCHES; i++) {
        at += counts[i];
        sums[kind][group_lane() * EACH_BATCHES + i] = at;
    }
}

// The index of orphan t in the red zone or in the removal list. Each batch stores its orphans at the start of
// its own part there. `sums` says how many orphans the batches up to each one have. A binary search in it
// finds the batch of orphan t.
uint balance(uint kind, uint t, uint size)
{
    uint index = 0;
    for (uint step = REDZONE_BATCHES / 2; step != 0; step /= 2) {
        index += t >= sums[kind][index + step - 1] ? step : 0;
    }
    return index * size + t - (index == 0 ? 0 : sums[kind][index - 1]);
}

void main()
{
    const uint edge = work[REDZONE_EDGE], orphans = work[REDZONE_TARGETS];
    const RedzoneBatch batch = redzone_batch();
    if (folded_group() >= batch.all || folded_group() * GROUP >= orphans) {
        return;
    }
    uint sources[EACH_BATCHES], targets[EACH_BATCHES];
    [[unroll]] for (uint i = 0; i < EACH_BATCHES; i++) {
        const uint at = group_lane() * EACH_BATCHES + i;
        const uvec2 counts = at < batch.all ? batches[at] : uvec2(0);
        sources[i] = counts.x;
        targets[i] = counts.y;
    }
    sums_make(0, sources);
    sums_make(1, targets);
    barrier();
    for (uint first = folded_group() * GROUP; first < orphans; first += batch.all * GROUP) {
        const uint t = min(first + group_lane(), orphans - 1);
        const uint source = balance(0, t, batch.size), target = balance(1, t, batch.size);
        if (first + group_lane() < orphans) {
            list[removals[target]] = list[edge + source];
        }
    }
}
