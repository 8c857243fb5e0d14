#version 460
// Finds the colour of each pixel at an edge: the mean over those of its samples that have hit the surface.
// The number of these samples and their least depth are stored with it. Samples without a ray of their own
// get what the pixel's centre has hit. This kernel runs after edge_cast.comp and shade.comp. With THROUGH_LAYERS a sample
// counts by its alpha, and the mean of all alphas is that of the pixel.

#include "buffers.glsl"
#include "lanes.glsl"
#include "light.glsl"
#include "shaders/shared/casting.h"

layout(local_size_x = GROUP) in;
#ifdef THROUGH_LAYERS
layout(push_constant, scalar) uniform Push
{
    uint samples_each;
};
#endif
READS(hits, BINDING_HITS, uvec2)
READS(edges, BINDING_EDGES_LIST, uvec2)
COUNTER(edge_counts, BINDING_EDGES_COUNTER)
READS(edge_colours, BINDING_EDGE_COLOURS, uvec2)
BUFFER(restrict, colours, BINDING_COLOURS, uvec2) // the colour of a pixel is accessed by one lane

float weight_of(uvec2 own)
{
#ifdef THROUGH_LAYERS
    return colour_alpha(own, 0);
#else
    return 1.0;
#endif
}

void main()
{
#ifdef THROUGH_LAYERS
    const uint samples = samples_each;
#else
    const uint samples = picture.samples; // read before any branch, see shaders/README.md
#endif
    const uint i = folded_lane();
    if (i >= list_length(edge_counts)) {
        return;
    }
    const uvec2 edge = edges[i];
    if ((edge.y >> EDGE_SAMPLE & 7) != findLSB(edge.y & EDGE_SAMPLES)) {
        return; // only the lane of the pixel's first sample writes the pixel
    }
    const uint at = edge.x, centre_hit = hits[at].y & CAST_EDGE_HIT;
    const uint rays = bitCount(edge.y & EDGE_SAMPLES);
    float weights = 0.0;
    float depth = 1.0;
    vec3 sum = vec3(0.0);
    if (centre_hit != 0) {
        const uvec2 centre = colours[at];
        weights = float(samples - rays) * weight_of(centre);
        sum = weights * colour_unpacked(centre.x);
        depth = weights > 0.0 ? colour_depth(centre) : 1.0;
    }
    uint k = 0;
    do {
        const uvec2 own = edge_colours[i + k];
        if (own.x != COLOUR_NONE) {
            sum += weight_of(own) * colour_unpacked(own.x);
            depth = min(depth, colour_depth(own));
            weights += weight_of(own);
        }
        k++;
    } while (k < rays);
#ifdef THROUGH_LAYERS
    const uvec2 mean = colour_of_layers(sum / weights, weights / float(samples), depth);
#else
    const uvec2 mean = colour_of_some(sum / weights, depth, uint(weights), samples);
#endif
    colours[at] = weights == 0.0 ? uvec2(COLOUR_NONE) : mean;
}
