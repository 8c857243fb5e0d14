// The traversal of a pyramid. Include after defining
//
//   Found look_up(uint key)       where output `key` lies
//   uint texel_at(Found found)    where the masks have that texel
#ifndef LIB_LOOK_UP_ALL
#define LIB_LOOK_UP_ALL

void main()
{
    const uint length = list_length(LIST_KEPT);
    if (LANE_ELEMENTS == 1) {
        const uint key = folded_lane();
        if (key < length) {
            const Found found = look_up(key);
            write_list(key, element_at(found.x, found.y));
        }
        return;
    }
    uint key = folded_lane() * LOOKUPS;
    const uint end = min(key + LOOKUPS, length);
    if (key >= end) {
        return;
    }
    while (true) {
        const Found found = look_up(key);
        uint mask = mask_at(texel_at(found));
        const uint first = element_at(found.x, found.y);
        mask &= 0xffffffffu << select_bit(mask, found.rank);
        while (true) {
            write_list(key, first + findLSB(mask));
            mask &= mask - 1;
            key++;
            if (mask == 0 || key == end) {
                break;
            }
        }
        if (key == end) {
            break;
        }
    }
}

#endif
