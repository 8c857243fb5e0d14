// The linear light of a colour as displayed (sRGB).
vec3 linear(vec3 shown)
{
    return mix(pow((shown + 0.055) / 1.055, vec3(2.4)), shown / 12.92,
               lessThanEqual(shown, vec3(0.04045)));
}
