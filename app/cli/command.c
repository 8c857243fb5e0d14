#include "app/cli/options.h"

#include <stddef.h>
#include <string.h>

const struct command commands[COMMANDS] = {
    [COMMAND_VIEW] = {
        .name     = "view",
        .operands = "[FILE]",
        .most     = 1,
        .summary  = "open the window; with no FILE, on a volume that cubist generates",
        .details  = "Where there is no display, the same view is rendered to ./cubist.png, or\n"
                    "./cubist-2.png and so on where that is taken.\n",
        .run      = command_view,
    },
    [COMMAND_INFO] = {
        .name     = "info",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "what can be said of a volume: size, type, range, histogram, a first isovalue",
        .details  = "With --iso also of the surface there: area, volume, parts, Euler number. Only that opens\n"
                    "a device.\n",
        .run      = command_info,
    },
    [COMMAND_EXTRACT] = {
        .name     = "extract",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "extract a surface, report on it, and write it as a mesh with -o",
        .details  = "Without -o no mesh is written. With `-o -` the mesh goes to standard output and the\n"
                    "report to standard error. The extension chooses the format (see --list-formats); without\n"
                    "one it is PLY. Positions are in the volume's units and place, in every format; a GLB file has y\n"
                    "up, by a matrix of its own where the volume is in a patient's frame.\n"
                    "\n"
                    "With --memory-budget the volume is read from its file slab by slab and the mesh written as it\n"
                    "comes, the same bytes and the same facts as without; so is what does not fit into memory.\n",
        .output   = word_mesh_extension,
        .run      = command_extract,
    },
    [COMMAND_RENDER] = {
        .name     = "render",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "draw the viewer's picture to a PNG; needs no display",
        .output   = word_png_extension,
        .run      = command_render,
    },
    [COMMAND_VERIFY] = {
        .name     = "verify",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "prove the device's surface equal to a plain CPU extraction",
        .details  = "Checks every method that this device can run, or the one of --method. Exit 6 when a\n"
                    "check fails.\n",
        .run      = command_verify,
    },
    [COMMAND_CONVERT] = {
        .name     = "convert",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "write a volume, or a part of it, as NRRD or raw",
        .details  = "The part of --crop is taken first, then every N-th sample of --stride. NRRD keeps spacing,\n"
                    "origin and direction; a raw file is the samples alone, and opens by itself when it is\n"
                    "named NAME_WxHxD_TYPE.raw (.raw.gz is compressed). A new --type takes the nearest value\n"
                    "that it has, and a warning says how many samples that moved.\n",
        .output   = word_volume_extension,
        .run      = command_convert,
    },
    [COMMAND_GENERATE] = {
        .name     = "generate",
        .operands = "NAME",
        .least    = 1,
        .most     = 1,
        .summary  = "write a volume that cubist makes itself, the same bytes on every machine",
        .operand  = word_generator,
        .output   = word_raw_extension,
        .run      = command_generate,
    },
    [COMMAND_DEVICES] = {
        .name     = "devices",
        .operands = "",
        .summary  = "list the Vulkan devices, and why one cannot be used",
        .run      = command_devices,
    },
    [COMMAND_METHODS] = {
        .name     = "methods",
        .operands = "",
        .summary  = "list the compaction methods, and why one cannot run on the device",
        .run      = command_methods,
    },
    [COMMAND_BENCH] = {
        .name     = "bench",
        .operands = "extract|compaction|calibrate [FILE...]",
        .least    = 1,
        .most     = OPTIONS_OPERANDS,
        .summary  = "time the extraction of a volume, or the methods alone on streams",
        .details  =
            "bench extract FILE times the way from isovalue to finished mesh on the device. Every timed\n"
            "run follows a run with a different isovalue and builds the whole mesh afresh; a first round\n"
            "over all isovalues is not counted. A step that only moves vertices is timed apart.\n"
            "\n"
            "bench compaction times the methods on streams of words: every --size in every --pattern and\n"
            "--density, and every --image with its negative. Methods take turns, and with them a kernel\n"
            "that copies as many bytes as the least compaction moves: a time is also given as its share.\n"
            "The first round is not counted; in every run what was kept is checked. --rerun measures what\n"
            "a figure of a paper shows; options beside it change its sizes, densities, methods and so on.\n"
            "Of the reruns ink-table-1 alone takes FILEs, volumes whose extraction it times.\n"
            "\n"
            "bench calibrate measures the times that the method auto goes by, and keeps them in the\n"
            "user's cache for all later runs. With --check it uses what is kept, and measures only where\n"
            "nothing is; exit 6 when auto comes within 10 % of the best method in fewer than 9 of 10\n"
            "draws.\n",
        .run      = command_bench,
    },
};

const struct exit_code exit_codes[] = {
    { 0, "ok" },
    { 1, "a fault of cubist itself, or a validation message under --validate" },
    { 2, "wrong command line" },
    { 3, "input missing, unreadable or malformed" },
    { 4, "no usable device, out of memory, or over a limit" },
    { 5, "the output cannot be written" },
    { 6, "a check failed" },
    { 130, "interrupted" },
    { 0 },
};

const struct command *command_find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}
