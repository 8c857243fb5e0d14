// Vertices and triangles as bytes in the files that cubist makes for itself: the temporary files of
// mesh_writer, and shares. Little-endian on every host.
#pragma once

#include "compute/mesh/mesh_sink.h"

#define RECORD_VERTEX 24 // a position and a normal, six floats
#define RECORD_NUMBER 5  // 2^40 vertices are 24 TiB
#define RECORD_FACE   (3 * RECORD_NUMBER)

static inline unsigned char *
put_vertex(unsigned char *at, const float position[3], const float normal[3])
{
    return put_floats(put_floats(at, position), normal);
}

// `number` is below 2^40.
static inline unsigned char *put_number(unsigned char *at, uint64_t number)
{
    assert(number >> (8 * RECORD_NUMBER) == 0);
    for (int b = 0; b < RECORD_NUMBER; b++) {
        *at++ = (unsigned char)(number >> (8 * b));
    }
    return at;
}

static inline uint64_t get_bytes(const unsigned char *at, int count)
{
    uint64_t value = 0;
    for (int b = 0; b < count; b++) {
        value |= (uint64_t)at[b] << (8 * b);
    }
    return value;
}

static inline void get_floats(const unsigned char *at, float out[3])
{
    for (int i = 0; i < 3; i++) {
        const uint32_t word = (uint32_t)get_bytes(at + 4 * i, 4);
        memcpy(&out[i], &word, sizeof word);
    }
}

static inline void get_vertex(const unsigned char *at, float position[3], float normal[3])
{
    get_floats(at, position);
    get_floats(at + RECORD_VERTEX / 2, normal);
}

static inline void get_face(const unsigned char *at, uint64_t corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = get_bytes(at + k * RECORD_NUMBER, RECORD_NUMBER);
    }
}
