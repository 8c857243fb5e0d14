// A compute kernel: a shader, and the buffers that it reads and writes.
#pragma once

#include "compute/gpu/descriptors.h"

// How a pass touches a buffer. Kernels may only use the first three.
enum access {
    ACCESS_READ,        // shader reads (storage, texel)
    ACCESS_WRITE,       // shader writes
    ACCESS_READ_WRITE,  // both, atomics too
    ACCESS_INDIRECT,    // dispatch or draw arguments
    ACCESS_COPY_FROM,   // transfer source
    ACCESS_COPY_TO,     // transfer target, fills
    ACCESS_COPY_WITHIN, // both
    ACCESS_DRAW,        // vertex shader and index reads
    ACCESS_SHOW,        // vertex and fragment shaders read it (storage, texel), or draw arguments
    ACCESS_HOST,        // the host reads after the fence
    ACCESSES,
};

#define KERNEL_BINDINGS DESCRIPTORS_MOST

// An access of a pass to a buffer.
struct kernel_use {
    uint64_t place; // buffer_place; 0: none
    const char *name;
    enum access access;
};

// A descriptor set of a kernel, and what is bound to it.
struct kernel_bound {
    struct descriptors descriptors;
    struct kernel_use uses[KERNEL_BINDINGS]; // in the order of the shader's bindings
    uint64_t run;                            // number of the run that dispatched with it last
};

#define KERNEL_BOUND 2

// Kernels have GROUP lanes (shaders/shared/glue.h), which is a multiple of every subgroup size. Two
// of a pyramid may have fewer, which are whole subgroups, too. All subgroups are full.
struct kernel {
    const char *name;
    const struct shader *shader;
    struct kernel_bound bound[KERNEL_BOUND]; // the second one only if the kernel alternates
    uint32_t bound_count;
    VkPipeline pipeline;
};

struct kernel_params {
    const char *name; // constant data
    const struct shader *shader;
    const uint32_t *constants; // values of the specialization constants, all CONSTANTS; NULL: none
    uint32_t subgroup_size;    // a size that the device offers; 0: the traits or the device decide
    bool alternates;           // a run may dispatch it with two tables, by turns
};

bool kernel_create(
    struct gpu *gpu, const struct kernel_params *params, struct kernel *out,
    struct problem *problem);
void kernel_destroy(struct gpu *gpu, struct kernel *kernel);

// The same for `count` kernels with these CONSTANTS. On false some may be made.
struct kernel_row {
    const char *name; // constant data
    const struct shader *shader;
};
bool kernels_create(
    struct gpu *gpu, const struct kernel_row *rows, uint32_t count, const uint32_t *constants,
    struct kernel *out, struct problem *problem);
void kernels_destroy(struct gpu *gpu, struct kernel *kernels, uint32_t count);

// Binds what the kernel uses, if something else is bound; run_dispatch calls it with the run's
// number. The kernel may not access a number that the table leaves out. Nothing that uses the
// kernel may be in flight if something changes. Returns what is bound; NULL if the run has already
// dispatched the kernel with other buffers, and with as many as it may.
struct kernel_bound *kernel_bind(
    struct gpu *gpu, struct kernel *kernel, const struct binding table[BINDINGS], uint64_t run);
