// The grey of a cap that shows samples, stored as the normal of a hit: its direction tells the grey.
#ifndef LIB_GREY
#define LIB_GREY

vec3 normal_of_grey(float grey)
{
    return normalize(vec3(grey, 1.0 - grey, 0.0));
}

float grey_of_normal(vec3 normal)
{
    return normal.x / (normal.x + normal.y);
}

#endif
