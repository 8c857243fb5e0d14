// A shader as C sees it. The build makes shaders.h, which declares one for each module:
// shader_classify_buffer is extract/classify.comp for an atlas in a buffer.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum shader_binding_kind {
    SHADER_STORAGE,        // storage buffer
    SHADER_UNIFORM,        // uniform buffer
    SHADER_TEXELS,         // uniform texel buffer
    SHADER_STORAGE_TEXELS, // storage texel buffer
    SHADER_IMAGE,          // sampled image
    SHADER_SAMPLED,        // sampled image with its sampler
};

// A binding of descriptor set 0 that some instruction of the module uses.
struct shader_binding {
    uint32_t number; // see shaders/shared/bindings.h
    enum shader_binding_kind kind;
    bool reads, writes;
};

struct shader {
    const uint32_t *code; // SPIR-V
    uint32_t code_size;   // bytes
    uint32_t push_size;   // bytes of the shader's push constants
    const struct shader_binding *bindings;
    uint32_t binding_count;
};
