// The colour at a place of the ramp, 0 to 1, in linear light.
#include "srgb.glsl"

const uint RAMP_COLOURS[RAMP_STOPS] = uint[](RAMP);

vec3 ramp_stop(uint i)
{
    const uint rgb = RAMP_COLOURS[i];
    return vec3(rgb >> 16, rgb >> 8 & 255u, rgb & 255u) / 255.0;
}

vec3 ramp(float place)
{
    const float at = clamp(place, 0.0, 1.0) * float(RAMP_STOPS - 1);
    const uint i = min(uint(at), RAMP_STOPS - 2u);
    return linear(mix(ramp_stop(i), ramp_stop(i + 1u), at - float(i)));
}
