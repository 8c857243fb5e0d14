// Differences of samples along an axis.
#ifndef LIB_SLOPE
#define LIB_SLOPE

#include "field.glsl"

// The difference of a sample's two neighbours along an axis, divided by their distance of at most
// 2. The sample itself replaces a neighbour that is not finite.
struct Slope {
    uvec2 keys;
    float scale;
};

Slope slope_of(uint key, uint below, uint above, uint distance)
{
    Slope slope = Slope(uvec2(below, above), distance == 2 ? 0.5 : 1.0);
    if (HAS_INVALID != 0) {
        const bvec2 gap = bvec2(!key_finite(below), !key_finite(above));
        slope.keys = uvec2(gap.x ? key : below, gap.y ? key : above);
        slope.scale = gap.x || gap.y ? 1.0 : slope.scale;
    }
    return slope;
}

#endif
