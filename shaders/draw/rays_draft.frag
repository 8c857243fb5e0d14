// Draws the hits of a draft, which has a ray per square of pixels. Colours are mixed between the centres
// of four squares. If not all four have hit, the mean of those that have is blended over the background.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lib/light.glsl"
#include "shaders/shared/casting.h"

layout(std430, set = 0, binding = BINDING_HITS) readonly buffer Hits { uvec2 hits[]; };
layout(std430, set = 0, binding = BINDING_COLOURS) readonly buffer Colours { uvec2 colours[]; };
layout(location = 0) noperspective in vec2 ray;
layout(location = 1) flat in uvec3 size;
layout(location = 0) out vec4 colour;

void main()
{
    const uvec2 last = size.xy - 1u;
    const vec2 place = clamp(ray - 0.5, vec2(0.0), vec2(last));
    const uvec2 low = uvec2(place), high = min(low + 1u, last);
    const vec2 share = fract(place);
    float depth = 1.0, sum = 0.0;
    vec3 light = vec3(0.0);
    for (uint i = 0u; i < 4u; i++) {
        const bvec2 far = bvec2(i & 1u, i >> 1);
        const uvec2 at = mix(low, high, far);
        const vec2 weights = mix(1.0 - share, share, far);
        const uint number = at.y * size.x + at.x;
        const uvec2 own = colours[number];
        if (hits[number].y != CAST_NOTHING && own.x != COLOUR_NONE) {
            const float weight = weights.x * weights.y * (size.z == 0u ? colour_alpha(own, 0u) : 1.0);
            light += weight * colour_unpacked(own.x);
            sum += weight;
            depth = min(depth, colour_depth(own));
        }
    }
    if (sum == 0.0)
        discard;
    gl_FragDepth = depth;
    // Squared: otherwise a bright surface would look too large.
    colour = vec4(light / sum, size.z == 0u ? sum : sum * sum);
}
