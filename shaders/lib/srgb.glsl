// Converts a colour as displayed (sRGB) to linear light. x^2.4 is computed as x^2 times a polynomial in the root
// of x, because pow() is slow on a CPU: the error is at most 0.01 of 255 steps.
vec3 linear(vec3 shown)
{
    const vec3 x = max((shown + 0.055) / 1.055, 0.0), s = sqrt(x);
    const vec3 power = x * x * (0.05713748 + s * (1.16913057 - s * (0.31340145 - s * 0.08721182)));
    return mix(power, shown / 12.92, lessThanEqual(shown, vec3(0.04045)));
}
