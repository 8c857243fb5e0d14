// The linear light of a colour as displayed (sRGB). The curve's power 2.4 is that of its square and of a
// polynomial in its root, because pow() is slow where a processor draws: it is off by 0.01 of 255 steps at most.
vec3 linear(vec3 shown)
{
    const vec3 x = max((shown + 0.055) / 1.055, 0.0), s = sqrt(x);
    const vec3 power = x * x * (0.05713748 + s * (1.16913057 - s * (0.31340145 - s * 0.08721182)));
    return mix(power, shown / 12.92, lessThanEqual(shown, vec3(0.04045)));
}
