// The second of three passes of a method: one workgroup replaces the counts in `blocks` by offsets, and
// sets `counter` to their sum. Declare both before you include it.
void scan_counts(uint count)
{
    uint sum = 0;
    bool wrapped = false;
    for (uint first = 0; first < count; first += GROUP) {
        const uint i = first + group_lane();
        const uint n = i < count ? blocks[i] : 0;
        const uint offset = group_offset(subgroup_before(n), n);
        if (i < count) {
            blocks[i] = sum + offset;
        }
        wrapped = wrapped || sum + scan_total < sum;
        sum += scan_total;
        barrier();
    }
    if (group_lane() == 0) {
        counter.count = sum;
        counter.wrapped = uint(wrapped);
    }
}
