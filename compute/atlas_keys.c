#include "compute/atlas_keys.h"

#include "shaders/shared/extraction.h"

#include <math.h>
#include <string.h>

uint32_t atlas_key_of_float(float value)
{
    uint32_t bits;
    value = value == 0 ? 0 : value; // minus zero equals zero
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits ^ 0x80000000u;
}

void atlas_keys_pack(
    enum volume_type type, const void *samples, uint32_t count, void *to,
    struct atlas_packing *packing)
{
    switch (type) {
    case VOLUME_UINT8:
    case VOLUME_UINT16:
    case VOLUME_UINT32: {
        memcpy(to, samples, count * volume_type_size(type));
        break;
    }
    case VOLUME_INT8: {
        const uint8_t *from = samples;
        for (uint32_t i = 0; i < count; i++) {
            ((uint8_t *)to)[i] = from[i] ^ 0x80;
        }
        break;
    }
    case VOLUME_INT16: {
        const uint16_t *from = samples;
        for (uint32_t i = 0; i < count; i++) {
            ((uint16_t *)to)[i] = from[i] ^ 0x8000;
        }
        break;
    }
    case VOLUME_INT32: {
        const uint32_t *from = samples;
        for (uint32_t i = 0; i < count; i++) {
            ((uint32_t *)to)[i] = from[i] ^ 0x80000000u;
        }
        break;
    }
    default: {
        const float *from = samples;
        for (uint32_t i = 0; i < count; i++) {
            ((uint32_t *)to)[i] = atlas_key_of_float(from[i]);
            const float magnitude = fabsf(from[i]);
            packing->gaps |= !isfinite(magnitude);
            packing->extremes |= magnitude != 0 && isfinite(magnitude) &&
                                 !(magnitude >= MAGNITUDE_LEAST && magnitude <= MAGNITUDE_MOST);
        }
    }
    }
}

double atlas_key_least(enum volume_type type)
{
    return type == VOLUME_INT8    ? -128.0
           : type == VOLUME_INT16 ? -32768.0
           : type == VOLUME_INT32 ? -2147483648.0
                                  : 0.0;
}

struct atlas_iso atlas_iso(enum volume_type type, double iso)
{
    struct atlas_iso out = { 0 };
    if (type == VOLUME_FLOAT32) {
        // The least float that is not below the isovalue. A float sample is >= this float exactly
        // if it is >= the isovalue.
        float up = (float)iso;
        up = (double)up < iso ? nextafterf(up, INFINITY) : up;
        out.key = isfinite(up) ? atlas_key_of_float(up) : 0;
        const double mantissa = frexp(iso, &out.exponent);
        out.high = (float)mantissa;
        out.low = (float)(mantissa - (double)out.high);
        return out;
    }
    const double least = atlas_key_least(type);
    const double values = ldexp(1, 8 * (int)volume_type_size(type));
    const double up = ceil(iso) - least, down = floor(iso) - least;
    if (up > 0 && up < values) {
        out.key = (uint32_t)up;
        out.iso_key = down < 0 ? 0 : (uint32_t)down;
        out.high = (float)(iso - floor(iso));
    }
    return out;
}
