#include "app/base/notes.h"

#include "compute/gpu/memory.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <stdio.h>

void notes_warn(const struct volume *volume)
{
    if (volume->type_inferred) {
        log_note(
            "samples are read as %s, which the file's size suggests; --type sets another type",
            volume_type_name(volume->file_type));
    }
    if (volume->file_type == VOLUME_FLOAT64) {
        log_note("float64 samples were rounded to float32");
    }
}

void notes_volume(const char *path, const struct volume *volume, double ms)
{
    struct problem shown; // of the path, what a terminal may be told
    problem_set(&shown, PROBLEM_NONE, "%s", path ? path : "the default volume");
    fprintf(
        stderr, "cubist: %s %s: %u x %u x %u samples of %s in %.0f ms\n",
        path ? "read" : "generated", shown.text, volume->dim[0], volume->dim[1], volume->dim[2],
        volume_type_name(volume->file_type), ms);
}

void notes_device(const struct gpu *gpu, double ms)
{
    fprintf(
        stderr, "cubist: device %s, %s, %" PRIu64 " MiB free, opened in %.0f ms\n",
        gpu->properties.deviceName, gpu->driver, gpu_memory_free(gpu) >> 20, ms);
}

void notes_atlas(const struct atlas *atlas)
{
    fprintf(
        stderr,
        "cubist: atlas of %u x %u tiles in %u layers as %s, %" PRIu64
        " KiB on the device, in %.0f ms, its bricks' ranges in %.1f ms\n",
        atlas->cols, atlas->rows, atlas->layers,
        atlas->storage == ATLAS_STORAGE_IMAGE ? "image" : "buffer", atlas->device_bytes >> 10,
        atlas->upload_ms, atlas->ranges_ms);
}

void notes_part_size(const struct parts_plan *plan, char out[40])
{
    const uint32_t count = plan->rows ? plan->rows : plan->layers;
    snprintf(
        out, 40, "%u %s%s%s", count, plan->rows ? "row" : "layer", count == 1 ? "" : "s",
        plan->rows ? " of a layer" : "");
}

void notes_parts(const struct parts_plan *plan)
{
    char size[40];
    notes_part_size(plan, size);
    fprintf(
        stderr, "cubist: %u parts of up to %s of cells, in %.1f MiB of device memory\n",
        plan->count, size, (double)plan->budget / 0x1p20);
}
