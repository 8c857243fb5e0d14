// A step of a search from the top of a HistoPyramid.
#ifndef LIB_SHARE
#define LIB_SHARE

// Keys are numbered through four consecutive ranges. `which` is the range that a key is in, `key` its
// number within that range. `before`: how many keys come before the second, third and fourth range.
struct Share {
    uint which, key;
};

Share share_of(uvec3 before, uint key)
{
    const bool second = key >= before.x, third = key >= before.y, fourth = key >= before.z;
    return Share(uint(second) + uint(third) + uint(fourth),
                 key - (fourth ? before.z : third ? before.y : second ? before.x : 0));
}

#endif
