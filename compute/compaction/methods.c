// The table of methods. The rows are defined in the files of methods/. CMake makes method_rows.h,
// which names them all: METHOD(ink_collate) ...

#include "compute/compaction/method.h"

#include <assert.h>
#include <string.h>

#define METHOD(name) extern const struct method method_##name;
#include "method_rows.h"
#undef METHOD

static const struct method *const rows[] = {
#define METHOD(name) &method_##name,
#include "method_rows.h"
#undef METHOD
};

#define ROWS (sizeof rows / sizeof *rows)
static_assert(ROWS <= METHODS_MOST, "rows beyond METHODS_MOST");

uint32_t method_count(void)
{
    return (uint32_t)ROWS;
}

const struct method *method_at(uint32_t row)
{
    assert(row < ROWS);
    return rows[row];
}

uint32_t method_row(const struct method *method)
{
    uint32_t row = 0;
    while (row < ROWS && rows[row] != method) {
        row++;
    }
    assert(row < ROWS);
    return row;
}

const struct method *method_next(const struct method *method)
{
    const uint32_t next = method ? method_row(method) + 1 : 0;
    return next < ROWS ? rows[next] : NULL;
}

const struct method *method_find(const char *name)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        if (strcmp(rows[row]->name, name) == 0) {
            return rows[row];
        }
    }
    return NULL;
}

const struct method *method_default(void)
{
    return rows[0];
}

const char *method_unavailable(const struct method *method, const struct gpu *gpu)
{
    if (method->cpu) {
        return "runs on the CPU: in bench compaction and verify";
    }
    if (method->shared > gpu->properties.limits.maxComputeSharedMemorySize) {
        return "its workgroups take more shared memory than the device has";
    }
    return NULL;
}

uint64_t method_longest(const struct method *method, const struct traits *traits)
{
    const uint64_t looped = traits && method->loop.turns
                                ? traits->loop_turns / method->loop.turns * method->loop.lanes
                                : 0;
    return looped && (!method->largest || looped < method->largest) ? looped : method->largest;
}

const char *method_refuses(const struct method *method, const struct gpu *gpu, uint64_t lanes)
{
    if (method->largest && lanes > method->largest) {
        return "the stream is longer than its state can hold";
    }
    const uint64_t longest = method->loop.turns ? method_longest(method, gpu->traits) : 0;
    if (longest && lanes > longest) {
        return "one workgroup does all the work, and the device ends loops that are so long";
    }
    return method_unavailable(method, gpu);
}
