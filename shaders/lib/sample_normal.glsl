// The normal of a sample at edges as it is stored: its length, which is 1 to 2, is multiplied by 16^contour.
#ifndef LIB_SAMPLE_NORMAL
#define LIB_SAMPLE_NORMAL

float contour_scale(uint contour)
{
    return float(1u << 4 * contour);
}

// 0 for a sample without a hit, whose normal is 0.
uint contour_of_normal(vec3 normal)
{
    return uint(findMSB(max(uint(length(normal) * 4.0), 1u))) >> 2;
}

#endif
