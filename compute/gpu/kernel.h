// A compute kernel: a shader, and the buffers that it reads and writes.
#pragma once

#include "compute/gpu/descriptors.h"

// How a pass accesses a buffer. Kernels may only use the first three.
enum access {
    ACCESS_READ,        // shader reads (storage, texel)
    ACCESS_WRITE,       // shader writes
    ACCESS_READ_WRITE,  // shader reads and writes, atomics too
    ACCESS_INDIRECT,    // dispatch or draw arguments
    ACCESS_OWN,         // dispatch arguments, and the shader writes other words of that buffer
    ACCESS_COPY_FROM,   // transfer source
    ACCESS_COPY_TO,     // transfer target, fills
    ACCESS_COPY_WITHIN, // transfer source and target
    ACCESS_DRAW,        // vertex shader and index reads
    ACCESS_SHOW,        // vertex and fragment shaders read it (storage, texel); draw arguments
    ACCESS_HOST,        // the host reads after the fence
    ACCESSES,
};

#define KERNEL_BINDINGS DESCRIPTORS_MOST

// An access of a pass to a buffer.
struct kernel_use {
    uint64_t place; // see buffer_place; 0: no access
    const char *name;
    enum access access;
};

// A descriptor set of a kernel, and what is bound to it.
struct kernel_bound {
    struct descriptors descriptors;
    struct kernel_use uses[KERNEL_BINDINGS]; // in the order of the shader's bindings
    uint64_t run;                            // number of the last run that dispatched with it
};

#define KERNEL_BOUND 3

// A workgroup has GROUP lanes (shaders/shared/glue.h), a multiple of every subgroup size. Two
// kernels of a pyramid may have fewer lanes, but whole subgroups. All subgroups are full.
struct kernel {
    const char *name;
    const struct shader *shader;
    struct kernel_bound bound[KERNEL_BOUND]; // more than one only if it alternates
    uint32_t bound_count;
    VkPipeline pipeline;
    struct made_pipeline *made; // that has the pipeline
};

struct kernel_params {
    const char *name; // constant data
    const struct shader *shader;
    const uint32_t *constants; // values of the specialization constants, all CONSTANTS; NULL: none
    uint32_t subgroup_size;    // a size that the device offers; 0: the traits or the device decide
    bool alternates;           // a run may dispatch it with up to KERNEL_BOUND different tables
};

// A kernel like one that exists, or that was destroyed lately, shares its pipeline: llvmpipe takes
// several ms even for one that it has compiled before. The shader stays until the gpu is destroyed.
bool kernel_create(
    struct gpu *gpu, const struct kernel_params *params, struct kernel *out,
    struct problem *problem);
void kernel_destroy(struct gpu *gpu, struct kernel *kernel);

// For kernels_create: `count` kernels with the same constants. On false some may exist.
struct kernel_row {
    const char *name; // constant data
    const struct shader *shader;
    bool alternates;
};
bool kernels_create(
    struct gpu *gpu, const struct kernel_row *rows, uint32_t count, const uint32_t *constants,
    struct kernel *out, struct problem *problem);
void kernels_destroy(struct gpu *gpu, struct kernel *kernels, uint32_t count);

// Binds the entries that the kernel uses and that are not bound yet. run_dispatch calls it with the
// run's number. The kernel may not access an entry that the table lacks. If a binding changes,
// nothing that uses the kernel may be in flight. Returns the bound set. NULL: the run has already
// dispatched the kernel with as many other bindings as it may.
struct kernel_bound *kernel_bind(
    struct gpu *gpu, struct kernel *kernel, const struct binding table[BINDINGS], uint64_t run);
