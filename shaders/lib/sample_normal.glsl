// The normal of a sample at edges as it is stored: its length, which is 1 to 2, is multiplied by 16^code. The code is
// the contour, and SAMPLE_CAP if the sample has hit a cap.
#ifndef LIB_SAMPLE_NORMAL
#define LIB_SAMPLE_NORMAL

const uint SAMPLE_CAP = 8;

float code_scale(uint code)
{
    return uintBitsToFloat(127 + 4 * code << 23);
}

// 0 for a sample without a hit, whose normal is 0. The length is multiplied by 2: it may be a bit less than 1.
uint code_of_normal(vec3 normal)
{
    return (max(floatBitsToUint(2.0 * length(normal)) >> 23, 128u) - 128) / 4;
}

#endif
