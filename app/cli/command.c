#include "app/cli/command.h"

#include <stddef.h>
#include <string.h>

const struct command commands[COMMANDS] = {
    [COMMAND_VIEW] = {
        .name     = "view",
        .operands = "[FILE]",
        .most     = 1,
        .summary  = "open the window; without FILE on a volume that cubist generates",
        .details  = "Where there is no display, the same view is rendered to ./cubist.png, or\n"
                    "./cubist-2.png and so on where that file exists.\n",
    },
    [COMMAND_INFO] = {
        .name     = "info",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "describe a volume: size, type, range, histogram, suggested isovalue",
        .details  = "With --iso it also describes the surface: area, volume, parts, Euler number. A device is\n"
                    "opened only for this.\n",
    },
    [COMMAND_EXTRACT] = {
        .name     = "extract",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "extract a surface, report on it, and write it as a mesh with -o",
        .details  = "Without -o no mesh is written. With `-o -` the mesh goes to standard output and the\n"
                    "report to standard error. The extension selects the format (see --list-formats); without\n"
                    "an extension it is PLY. In every format, positions have the volume's units and origin. In a\n"
                    "GLB file y is up; where the volume is in a patient's frame, a matrix turns it. Positions are\n"
                    "floats. Where these are too coarse, because the origin is far away, they are doubles. GLB has\n"
                    "small floats and a node that moves them there. STL has floats only: a warning says so.\n"
                    "\n"
                    "Of several isovalues a GLB file has an object each. Other formats take a file each: the name\n"
                    "has {iso} or {n}, as in -o mesh_{iso}.ply.\n"
                    "\n"
                    "With --memory-budget the volume is read from its file part by part, and the mesh is written\n"
                    "along the way. Its bytes and facts are the same as without. A volume that does not fit into\n"
                    "memory is read in this way, too.\n"
                    "\n"
                    "--share K/N extracts only the K-th of N parts of the volume, and reads only this part of FILE.\n"
                    "So N runs, in any order and on any machines, share the work; merge joins what they write.\n"
                    "\n"
                    "With --resume the work is kept in FOLDER, as shares of a few layers of cells each, and only what\n"
                    "FOLDER lacks is done. So a run that was stopped continues, also with another N. -o writes the\n"
                    "mesh of all shares; so does cubist merge FOLDER/*.share.\n"
                    "\n"
                    "cubist-mpi, started by mpirun or srun, does the work in several processes, which write one file\n"
                    "together. It has the same bytes. cubist merge of a folder also reports area and volume.\n"
                    "\n"
                    "--plan ranks=N,... says what N processes would read, hold and write, and how long it would\n"
                    "take. FILE's samples need not be there yet. Assumed, if not given: node=4 processes on a\n"
                    "node; read=5e9 and write=5e9 bytes a second of a node; system=40e9 of the file system, for\n"
                    "all; voxels=2e9 a second of a process; vertices=0.01 for each voxel; shares=N of the\n"
                    "volume: 8 for each process, or more where they would be large.\n",
        .output   = word_mesh_extension,
    },
    [COMMAND_MERGE] = {
        .name     = "merge",
        .operands = "FILE...",
        .least    = 1,
        .most     = MOST_SHARES,
        .summary  = "join the shares of extract --share to one mesh, and report on it",
        .details  = "Each FILE is a share; their order does not matter. The mesh has the same bytes, and the report\n"
                    "the same digits, as those of one extract of the whole volume, however many shares there are.\n"
                    "Without -o no mesh is written. No device is used.\n"
                    "\n"
                    "Every byte of the shares is checked first. Exit 3 where layers are missing or in two shares,\n"
                    "where shares are not of the same volume and isovalue, and where one is damaged.\n"
                    "\n"
                    "    for k in 1 2 3 4; do\n"
                    "        cubist extract big.nrrd --iso 120 --share $k/4 -o big.$k.share\n"
                    "    done\n"
                    "    cubist merge big.*.share -o big.ply\n",
        .input    = word_share_extension,
        .output   = word_mesh_extension,
    },
    [COMMAND_RENDER] = {
        .name     = "render",
        .operands = "[FILE]",
        .most     = 1,
        .summary  = "draw the viewer's picture into a PNG file; needs no display",
        .output   = word_png_extension,
    },
    [COMMAND_ANIMATE] = {
        .name     = "animate",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "draw a turning or changing surface: numbered PNG files, or a film",
        .details  = "Draws as render does, frame by frame. -o turn_{n}.png writes turn_0000.png and so on.\n"
                    "-o turn.y4m writes a film without compression, and `-o -` writes it to standard output, for\n"
                    "an encoder such as ffmpeg -i - turn.mp4.\n"
                    "\n"
                    "--turntable, --iso A:B and --to may be combined. Without any of them the camera goes once\n"
                    "around the volume. Unless --camera places it, it keeps everything in the picture. Where a film\n"
                    "of whole turns is played in a loop, no frame is seen twice.\n"
                    "\n"
                    "A frame is the same in every run of the command. After Ctrl-C the finished PNG files stay,\n"
                    "and --from makes the others.\n",
        .output   = word_film_extension,
    },
    [COMMAND_VERIFY] = {
        .name     = "verify",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "prove that the device's surface equals a plain CPU extraction",
        .details  = "Checks every method that this device can run, or the one of --method. Exit 6 when a\n"
                    "check fails.\n"
                    "\n"
                    "With --draw rays it checks rays: those of the picture that render --draw rays makes with\n"
                    "the same --size and view. Each must meet the surface where a ray of the CPU meets it: within\n"
                    "0.002 voxels, in the same cell and from the same side. Of every 100,000 rays that hit, one\n"
                    "may hit another place or miss, and one may be farther off than that. Rays that only touch\n"
                    "the surface, or go where it touches itself, are counted: they may meet any place where\n"
                    "rounding decides.\n"
                    "\n"
                    "With --clip or --opacity it checks one picture of all isovalues: the first hits behind\n"
                    "the planes and, where contours are transparent, what each ray meets layer by layer, up\n"
                    "to 128 times. Caps are not checked. Rounding also decides for rays that meet a contour\n"
                    "beside a plane, or twice within 0.007 voxels.\n",
    },
    [COMMAND_CONVERT] = {
        .name     = "convert",
        .operands = "FILE",
        .least    = 1,
        .most     = 1,
        .summary  = "write a volume, or a part of it, as NRRD or raw",
        .details  = "The extension of -o selects the format (see --list-formats); without one it is NRRD.\n"
                    "--crop is applied first, then --stride. NRRD keeps spacing, origin and direction. A raw file\n"
                    "holds only the samples; if it is named NAME_WxHxD_TYPE.raw, it can be opened without options\n"
                    "(.raw.gz is compressed). With a new --type each sample becomes the nearest value of the type,\n"
                    "and a warning says how many samples changed.\n",
        .output   = word_volume_extension,
    },
    [COMMAND_GENERATE] = {
        .name     = "generate",
        .operands = "NAME",
        .least    = 1,
        .most     = 1,
        .summary  = "write a volume made from a formula, with the same bytes on every machine",
        .details  = "The extension of -o selects the format (see --list-formats); without one it is raw.\n",
        .operand  = word_generator,
        .output   = word_volume_extension,
    },
    [COMMAND_DEVICES] = {
        .name     = "devices",
        .operands = "",
        .summary  = "list the Vulkan devices, and why one cannot be used",
    },
    [COMMAND_METHODS] = {
        .name     = "methods",
        .operands = "",
        .summary  = "list the compaction methods, and why one cannot run on the device",
    },
    [COMMAND_BENCH] = {
        .name     = "bench",
        .operands = "extract|view|cast|compaction|calibrate [FILE...]",
        .least    = 1,
        .most     = 1 + MOST_VOLUMES,
        .summary  = "time the extraction of a volume, its pictures, rays, or the methods alone",
        .details  =
            "bench extract FILE times the step from an isovalue to the finished mesh on the device. Every\n"
            "timed run follows a run with a different isovalue and makes the whole mesh again. A first\n"
            "round over all isovalues is not counted. A step that only moves vertices is timed separately.\n"
            "\n"
            "bench view FILE times the window's pictures, from the camera (orbit) or the isovalue (drag) to\n"
            "the picture in memory: in full, without occlusion, and as the drafts that are shown while\n"
            "something moves. It prints the time of all processor cores, and that of the clock.\n"
            "\n"
            "bench cast FILE... times frames of rays, without drawing them: from the isovalue to the\n"
            "position and normal of each hit. The casters, and the methods of those in rounds, take\n"
            "turns. It exits with 6 if they differ in a hit. --rerun repeats a table or figure.\n"
            "\n"
            "bench compaction times the methods on streams of words: every --size with every --pattern\n"
            "and --density, and every --image with its negative, of every --element and --work. The\n"
            "methods take turns with a kernel that copies as many bytes as the smallest possible\n"
            "compaction moves. Each time is also given as a share of the copy's. The first round is not\n"
            "counted. Every run checks the kept words.\n"
            "--rerun measures what a figure of a paper shows; other options change its sizes, densities,\n"
            "methods and so on. Only --rerun ink-extraction takes FILEs, volumes whose extraction it times.\n"
            "\n"
            "bench calibrate measures the times that the method auto uses, and saves them in the user's\n"
            "cache for later runs. With --check it uses the saved times, and measures only if there are\n"
            "none. Then it exits with 6 if auto comes within 10 % of the best method in fewer than 9 of\n"
            "10 random streams.\n",
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
    { 141, "whoever read standard output has ended; no message" },
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
