#include "compute/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

// Numbers of the SPIR-V specification.
enum { OP_EXTENSION = 10, OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16, OP_CAPABILITY = 17 };
enum { HEADER = 5 }; // words of a module's header

static const struct {
    const char *extension;
    uint32_t mode;
} rows[] = {
    [RECONVERGENCE_UNIFORM] = { "SPV_KHR_subgroup_uniform_control_flow", 4421 },
    [RECONVERGENCE_MAXIMAL] = { "SPV_KHR_maximal_reconvergence", 6023 },
};

uint32_t *reconvergence_ask(const struct shader *shader, enum reconvergence how, uint32_t *size)
{
    const uint32_t *code = shader->code, count = shader->code_size / 4;
    const uint32_t text = (uint32_t)strlen(rows[how].extension) / 4 + 1; // words with the final 0
    uint32_t *out = calloc(count + 1 + text + 3, sizeof *out);
    if (!out) {
        return NULL;
    }
    // The extension goes after all capabilities and extensions, the mode after the entry point.
    uint32_t at = HEADER, to = HEADER;
    bool asked = false;
    memcpy(out, code, HEADER * sizeof *out);
    while (at < count) {
        const uint32_t op = code[at] & 0xffff, length = code[at] >> 16;
        if (!asked && op != OP_CAPABILITY && op != OP_EXTENSION) {
            out[to] = (1 + text) << 16 | OP_EXTENSION;
            memcpy(out + to + 1, rows[how].extension, strlen(rows[how].extension));
            to += 1 + text;
            asked = true;
        }
        memcpy(out + to, code + at, length * sizeof *out);
        to += length;
        if (op == OP_ENTRY_POINT) {
            out[to++] = 3 << 16 | OP_EXECUTION_MODE;
            out[to++] = code[at + 2];
            out[to++] = rows[how].mode;
        }
        at += length;
    }
    *size = to * 4;
    return out;
}
