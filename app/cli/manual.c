#include "app/cli/manual.h"

#include "app/base/promises.h"
#include "app/cli/option_table.h"
#include "app/settings/bindings.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/write.h"

#include <ctype.h>
#include <string.h>

// Escapes text for roff: hyphens can be copied, and no line starts with a macro. Line ends become
// spaces.
static void manual_put(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '-':
            fputs("\\-", out);
            break;
        case '\\':
            fputs("\\e", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '\n':
            fputc(' ', out);
            break;
        default:
            fprintf(out, "%s%c", i == 0 && text[i] == '.' ? "\\&" : "", text[i]);
        }
    }
}

// Writes the text without a line end at its end.
static void manual_put_text(FILE *out, const char *text)
{
    const size_t length = strlen(text);
    manual_put(out, text, length - (length > 0 && text[length - 1] == '\n'));
}

// Writes paragraphs; indented lines are an example, whose lines stay.
static void manual_put_details(FILE *out, const char *text)
{
    bool example = false;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, '\n');
        const bool indented = *text == ' ';
        if (end == text) {
            fputs(example ? ".fi\n.sp\n" : ".sp\n", out);
            example = false;
            continue;
        }
        if (indented != example) {
            fputs(indented ? ".nf\n" : ".fi\n", out);
            example = indented;
        }
        manual_put(out, text, (size_t)(end - text));
        fputc('\n', out);
    }
    if (example) {
        fputs(".fi\n", out);
    }
}

static void manual_put_bold(FILE *out, const char *text)
{
    fputs("\\fB", out);
    manual_put_text(out, text);
    fputs("\\fR", out);
}

// Writes literal words in bold and placeholders in italics.
static void manual_put_value(FILE *out, const char *value)
{
    for (const char *at = value; *at;) {
        size_t length = strspn(at, "[]| =");
        if (length > 0) {
            manual_put(out, at, length);
        } else {
            length = strcspn(at, "[]| =");
            fputs(islower((unsigned char)*at) ? "\\fB" : "\\fI", out);
            manual_put(out, at, length);
            fputs("\\fR", out);
        }
        at += length;
    }
}

static void manual_put_words(FILE *out, words *list)
{
    struct word word;
    for (size_t i = 0; list(i, &word); i++) {
        fputs(".TP\n", out);
        manual_put_bold(out, word.text);
        fputc('\n', out);
        manual_put_text(out, word.summary ? word.summary : "");
        fputc('\n', out);
    }
}

static void manual_put_methods(FILE *out)
{
    fputs(".SH METHODS\nCompaction methods, the values of\n.BR \\-\\-method :\n", out);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const struct promises promises = promises_of(method);
        fputs(".TP\n", out);
        manual_put_bold(out, method->name);
        fputc('\n', out);
        manual_put_text(out, method->summary);
        fputs("\n.br\n", out);
        manual_put_text(out, method->paper);
        fputs("\n.br\n", out);
        manual_put_text(out, promises.text);
        fputc('\n', out);
    }
}

static void manual_put_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; i < COMMANDS; i++) {
        const struct command *command = &commands[i];
        fputs(".TP\n.B ", out);
        manual_put_text(out, command->name);
        if (*command->operands) {
            fputs("\\fR ", out);
            manual_put_value(out, command->operands);
        }
        fputc('\n', out);
        manual_put_text(out, command->summary);
        fputs(".\n", out);
        if (command->details) {
            fputs(".sp\n", out);
            manual_put_details(out, command->details);
        }
        if (command->operand) {
            struct word word;
            manual_put_value(out, command->operands);
            fputs(" is one of:\n.RS\n", out);
            for (size_t w = 0; command->operand(w, &word); w++) {
                fputs(".IP ", out);
                manual_put_bold(out, word.text);
                fputs(" 18n\n", out);
                manual_put_text(out, word.summary);
                fputc('\n', out);
            }
            fputs(".RE\n", out);
        }
    }
}

// Writes " (view, extract, render)", or nothing where every command takes the option or none does.
static void manual_put_takers(FILE *out, uint32_t takers)
{
    if (!takers || takers == (1u << COMMANDS) - 1) {
        return;
    }
    const char *gap = " (";
    for (int i = 0; i < COMMANDS; i++) {
        if (takers & 1u << i) {
            fputs(gap, out);
            manual_put_bold(out, commands[i].name);
            gap = ", ";
        }
    }
    fputc(')', out);
}

static void manual_put_option(FILE *out, const struct option_row *row)
{
    fputs(".TP\n", out);
    if (row->letter) {
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    }
    fputs("\\fB\\-\\-", out);
    manual_put_text(out, row->name);
    fputs("\\fR", out);
    if (row->value && row->value[0] == '[') {
        fputs("[=", out);
        manual_put_value(out, row->value + 1);
    } else if (row->value) {
        fputc(' ', out);
        manual_put_value(out, row->value);
    }
    fputc('\n', out);
    manual_put_text(out, row->help);
    manual_put_takers(out, row->commands);
    fputc('\n', out);
}

static void manual_put_options(FILE *out, bool for_tests)
{
    for (const struct option_row *row = option_rows(); row->name; row++) {
        if (row->for_tests == for_tests) {
            manual_put_option(out, row);
        }
    }
}

static void manual_put_keys(FILE *out)
{
    fputs(".SH THE WINDOW\n", out);
    const char *group = "";
    for (const struct key_row *row = key_table; row->text; row++) {
        if (!row->keys) {
            continue;
        }
        if (strcmp(row->group, group) != 0) {
            group = row->group;
            fputs(".SS ", out);
            manual_put_text(out, group);
            fputc('\n', out);
        }
        fputs(".TP 18n\n", out);
        manual_put_bold(out, row->keys);
        fputc('\n', out);
        manual_put_text(out, row->text);
        fputc('\n', out);
    }
    fputs(
        ".PP\n"
        "Screenshots and meshes are written to the current folder. Their names come from the "
        "volume\n"
        "and are numbered, so no file is replaced. A screenshot does not show the panel. If a "
        "file\n"
        "cannot be opened, the window stays open and shows the reason. Its exit code is returned "
        "when\n"
        "the window is closed.\n"
        ".PP\n"
        "Ctrl+S writes a session,\n"
        ".IR NAME.cubist.json :\n"
        "the volume, the options of its view, and the window. Then it replaces this file at every\n"
        "further Ctrl+S.\n"
        ".B cubist NAME.cubist.json\n"
        "goes on with a session, and\n"
        ".B cubist render NAME.cubist.json \\-o a.png\n"
        "draws its picture. The volume is looked for where it is from the session\\(aqs folder, "
        "where "
        "it was,\n"
        "and beside the session. If it is not there, the window asks for it and goes on with the\n"
        "file that is chosen. Ctrl+O opens sessions, too, and so does dropping one on the window.\n"
        "Members that cubist does not know are kept.\n"
        ".PP\n"
        ".B \\-\\-trace\n"
        "writes one line of JSON for each frame:\n"
        ".IR frame ,\nits number from 1;\n"
        ".IR time ,\nseconds of the system\\(aqs monotonic clock when the frame was complete;\n"
        ".IR iso ,\nthe isovalue of the surface that it shows;\n"
        ".IR iso_asked ,\nthe isovalue that was asked for at that time;\n"
        ".IR draft ,\ntrue if the picture is a draft, or not complete;\n"
        ".IR draw ,\ntriangles or rays; with rays\n.IR caster ,\n"
        ".IR scale ,\nthe side in pixels of the square that a ray is for;\n"
        ".IR shadow ,\ntrue if they have one;\n"
        ".IR casts ,\ntrue if the frame has cast, and false if it draws what was hit before;\n"
        ".IR hits ,\nrays that met the surface;\n"
        ".IR cast_ms ,\nthe times of the cast\\(aqs stages; and\n"
        ".IR mesh_iso ,\nthe isovalue of the mesh that the counts below are of;\n"
        ".IR extracted ,\ntrue if the frame has made a mesh;\n"
        ".IR method ;\n"
        ".IR bricks ,\n.IR active_bricks ,\n.IR active_cells ,\n.IR vertices\nand\n"
        ".IR triangles ,\ncounts;\n"
        ".IR whole ,\nfalse if the surface was too large and the frame shows the one before;\n"
        ".I width\nand\n.IR height ,\npixels;\n"
        ".IR method_ms ,\n.I cpu_ms\nand\n.IR gpu_ms ,\n"
        "the times of the compaction and of the frame;\n"
        ".IR device_bytes ,\nthe most device memory so far;\n"
        ".IR slabs ,\nthe parts, where the volume is divided; and\n"
        ".IR events ,\nhow many\n.IR keys ,\n.IR buttons ,\n.IR moves ,\n.I scrolls\nand\n"
        ".I drops\nthe window has handled so far, and how many\n"
        ".I errors\nof the X server it has passed over, because another program had caused them.\n",
        out);
}

// True for all formats.
static const char reading[] =
    ".PP\n"
    "The view and the meshes use the spacing, the origin and the direction of the file.\n"
    ".B \\-\\-spacing\noverrides its spacing. A patient\\(aqs frame is converted to LPS and shown "
    "head up.\n"
    "The sample types are uint8, int8, uint16, int16, uint32, int32, float32 and float64, which "
    "is\n"
    "rounded to float32. A cell with a corner that is not finite has no surface.\n"
    ".PP\n"
    "DICOM, HDF5, Zarr and colour images are not read. The error message says how to convert "
    "them.\n"
    "A folder of slices with a missing number, or with two series, gives a warning. A TIFF strip "
    "or\n"
    "tile whose data do not have its size is refused. The units of OME and ImageJ are converted "
    "to\n"
    "that of the x axis. Of several channels and time steps the first is read. The FILE\n.B "
    "\\-\nis standard input.\n"
    ".PP\n"
    "The data files that a header names lie beside it or below. Where the header is a symbolic "
    "link,\n"
    "they may lie beside the file that the link names. A link that leads out of the header\\(aqs "
    "folder\n"
    "is followed only where both are objects of one store of git-annex or DVC.\n"
    ".PP\n"
    "Any input gives either its volume, or one line and an exit code. The size of the file limits\n"
    "how much memory is allocated, whatever the header claims. A signal ends every read within a\n"
    "second and leaves no file behind. An output never replaces a file that belongs to the "
    "input.\n";

static void manual_put_formats(FILE *out)
{
    fputs(
        ".SH VOLUMES\n"
        "The first bytes of a file show its format, or else its name does.\n"
        ".TP\n.B raw\n"
        "Only samples, x fastest. Size and type are in the name, as in\n"
        ".IR bonsai_256x256x256_uint8.raw ,\n"
        "or in the options\n.BR \\-\\-dims \" and \" \\-\\-type .\n"
        "A\n.B .raw.gz\nis read, too.\n"
        ".TP\n.B slices\n"
        "A folder of PNG images, or else of TIFF images, of one size, in natural order. Pictures\n"
        "that cubist drew say so in a text chunk, and are passed over.\n"
        ".TP\n.B atlas\n"
        "One PNG image that holds the slices as tiles, with\n.BR \\-\\-atlas .\n",
        out);
    for (size_t i = 0; i < reader_count; i++) {
        fputs(".TP\n", out);
        manual_put_bold(out, readers[i].name);
        fputs(" (", out);
        manual_put_text(out, readers[i].extensions);
        fputs(")\n", out);
        manual_put_text(out, readers[i].summary);
        fputc('\n', out);
    }
    fputs(reading, out);
    fputs(".PP\nVolumes are written as:\n", out);
    manual_put_words(out, word_volume_format);
    fputs(
        ".PP\n.B convert\n"
        "writes NRRD with spacing, origin, direction and frame. A crop moves the origin, and a\n"
        "stride multiplies the spacing.\n",
        out);
    fputs(
        ".SH MESHES\n"
        "A mesh is welded, has normals, and uses the units of the volume. It is written in one\n"
        "canonical order: the same surface gives the same bytes, whichever method made it. The "
        "file\n"
        "is written under a temporary name beside its target and then renamed, so that a kill "
        "leaves\n"
        "either the old file or the new one. A file that is replaced keeps its mode, its owner "
        "and\n"
        "its extended attributes (among them its access control list), as far as the file system "
        "and\n"
        "your rights allow. A killed run may leave a file, or a folder of pieces, named\n"
        ".IR .cubist-HOST-HASH-PID-N.part .\n"
        "The next run on the same host that writes into the same folder removes it.\n"
        ".PP\n"
        "Where the volume is in a patient\\(aqs frame, PLY, STL, OBJ and OFF have a comment\n"
        ".BR SPACE=LPS .\n"
        "In GLB y is up, so the matrix of its node turns z up. The numbers stay in the unit of "
        "the\n"
        "volume.\n"
        ".PP\n"
        ".B extract\nand\n.B info \\-\\-iso\n"
        "report the area of the surface, the volume that it encloses, its connected parts and its\n"
        "Euler number: vertices minus edges plus triangles, which is 2 for a ball and 0 for a "
        "torus.\n",
        out);
    manual_put_words(out, word_mesh_format);
}

static const char larger_than_memory[] =
    ".SH LARGER THAN MEMORY\n"
    "A volume that does not fit into memory is processed in parts: ranges of its layers. So is "
    "any\n"
    "volume with\n.BR \\-\\-memory\\-budget ,\nwhich limits the memory on the device. The parts "
    "join without a seam. The mesh has the\n"
    "same bytes and the report the same digits, whatever the budget.\n"
    ".PP\n"
    ".B extract\n"
    "reads the file part by part and writes the mesh along the way. With an isovalue in percent, "
    "a\n"
    "percentile, or\n"
    ".BR auto ,\n"
    "it first reads the file once for its range. Then it skips parts that the isovalue misses. "
    "Until\n"
    "the end, the mesh is kept in nameless files beside the target: 24 bytes a vertex and 15 a\n"
    "triangle. PLY can have at most 2^31 vertices, STL 2^32 triangles, GLB 4 GiB. If the surface "
    "may\n"
    "be larger, it is counted first, and refused before any of it is written; a compressed file "
    "is\n"
    "refused only along the way. Compressed files are decoded forward. A file that can only be "
    "read\n"
    "whole is read whole, and then processed in parts.\n"
    ".PP\n"
    ".B render\n"
    "draws the parts one after the other into one picture. It equals the picture of the whole "
    "surface,\n"
    "except in pixels where two triangles are equally far.\n"
    ".B verify\n"
    "compares the mesh of the parts with the mesh of the reference.\n"
    ".PP\n"
    ".B view\n"
    "keeps as many parts on the device as fit the budget beside the surface and the picture. It "
    "reads\n"
    "the others from the file at every isovalue, and shows the last surface until the new one is\n"
    "complete. The panel and\n.B \\-\\-trace\ncount the parts that stayed, were read and were "
    "missed. If a fine picture does\n"
    "not fit, the picture has coarse edges. If a coarse one does not fit either, a message is "
    "shown\n"
    "instead. A smaller window needs less memory.\n"
    ".PP\n"
    "The JSON of\n.BR \"info \\-\\-iso\" ,\n.B extract\nand\n.B bench extract\n"
    "lists what the memory of the device is used for.\n";

static const char configuration[] =
    ".SH CONFIGURATION\n"
    "The window reads\n.IR $XDG_CONFIG_HOME/cubist/config.json ,\nif it is there:\n"
    ".PP\n.nf\n.RS\n"
    "{\n"
    "  \"keys\": { \"wireframe\": \"Ctrl+W\", \"iso\\-up\": [\"]\", \"PageUp\"], \"quit\": [] },\n"
    "  \"options\": { \"look\": \"clay\", \"method\": \"auto\", \"memory\\-budget\": 2048 },\n"
    "  \"last\\-view\": false\n"
    "}\n"
    ".RE\n.fi\n.PP\n"
    ".B keys\ngives actions other keys, in place of their own.\n.B cubist \\-\\-list\\-bindings\n"
    "lists the names of the actions and the keys in use.\n"
    ".B options\nholds options of\n.B view\nthat suit every volume: the look, the light, the "
    "background, the size of the window, the method,\n"
    "the device and so on. The command line goes before them, and so does a session.\n"
    "With\n.B last\\-view\nfalse, the window does not keep how the view of a file was left.\n"
    "What is wrong in the file is named with its line; the rest is used.\n"
    ".B \\-\\-no\\-config\nignores the file, and how volumes were left.\n";

static void manual_put_exit_codes(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    for (const struct exit_code *row = exit_codes; row->text; row++) {
        fprintf(out, ".TP\n.B %d\n", row->code);
        manual_put_text(out, row->text);
        fputc('\n', out);
    }
}

static const char introduction[] =
    ".SH NAME\n"
    "cubist \\- extract and view isosurfaces of volumes on the GPU\n"
    ".SH SYNOPSIS\n"
    ".B cubist\n"
    "[\\fBview\\fR] [\\fIFILE\\fR] [\\fIoptions\\fR]\n"
    ".br\n"
    ".B cubist\n"
    "\\fICOMMAND\\fR [\\fIoperands\\fR] [\\fIoptions\\fR]\n"
    ".SH DESCRIPTION\n"
    ".B cubist\n"
    "opens a volume, a scalar value at each point of a regular grid, and shows the surface where\n"
    "the values cross the isovalue. The whole extraction, from the isovalue to the triangles, "
    "runs\n"
    "on the GPU in Vulkan compute shaders. Without a GPU it runs on the CPU, with Mesa\\(aqs\n"
    "llvmpipe.\n"
    ".PP\n"
    "Without a command the window opens. Without a\n"
    ".I FILE\n"
    "it shows a volume that cubist makes itself. The other commands need no display.\n"
    ".PP\n"
    "Data goes to standard output, all else to standard error. No colours are used. Progress is\n"
    "shown only if standard error is a terminal that can erase a line.\n"
    "A file that has the name of a command can be given as\n"
    ".IR ./info ,\n"
    "or after\n"
    ".BR \\-\\- .\n"
    "Nothing after that is an option or a command.\n"
    ".PP\n"
    "In names of files and in texts from files, characters that would control a terminal or be\n"
    "invisible are escaped. A control character or a byte that is not UTF\\-8 is printed as\n"
    ".BR \\ex1b ,\n"
    "a character that has no width or turns the direction of text as\n.BR \\eu202e .\n"
    ".B \\-\\-json\nprints names without loss. In a name that is not UTF\\-8, U+FFFD replaces "
    "each\n"
    "invalid byte, and a further member has all bytes as hexadecimal digits:\n.B "
    "file_bytes\nbeside\n"
    ".BR file .\n"
    "An option may be shortened if only one option begins in this way.\n";

static const char environment[] =
    ".SH ENVIRONMENT\n"
    ".TP\n.B DISPLAY\n"
    "the display for the window; where neither this nor\n.B WAYLAND_DISPLAY\nis set, the view is "
    "rendered to\n.IR ./cubist.png ,\n.I ./cubist\\-2.png\nand so on, and no file is replaced\n"
    ".TP\n.B WAYLAND_DISPLAY\n"
    "the Wayland display for the window, used before\n.B DISPLAY\nby GLFW 3.4 or newer: a path, or "
    "a name in the folder\n.B XDG_RUNTIME_DIR\n"
    ".TP\n.B CUBIST_VALIDATE\n"
    "1 has the effect of\n.B \\-\\-validate\n"
    ".TP\n.B XDG_CACHE_HOME\n"
    "the folder of\n.IR cubist/ ,\nwhere\n.B bench calibrate\nsaves its times, and every run what "
    "the driver of its device has compiled\n"
    ".TP\n.B XDG_CONFIG_HOME\n"
    "the folder of\n.IR cubist/config.json ,\nthe configuration of the window\n"
    ".TP\n.B XDG_STATE_HOME\n"
    "the folder of\n.IR cubist/recent ,\nwhich names the 20 volumes that were opened last, and of\n"
    ".IR cubist/views/ ,\nwhere the window keeps how each file was left\n"
    ".TP\n.B HOME\n"
    "the folder of\n.IR .cache/cubist/ ,\n.I .config/cubist/\nand\n.IR .local/state/cubist/ ,\n"
    "which are used where these variables are not set\n"
    ".TP\n.B VK_DRIVER_FILES\n"
    "the drivers that the Vulkan loader uses, as for every Vulkan program\n"
    ".TP\n.B TERM\n"
    "if it is\n.BR dumb ,\nno progress is shown\n"
    ".TP\n.B TMPDIR\n"
    "the folder for a volume from standard input\n.RB ( \\- )\nwhile it is read; default "
    "/tmp\n";

static const char examples[] =
    ".SH EXAMPLES\n"
    "Look at a volume, and at a raw file without size and type in its name:\n"
    ".PP\n.nf\n.RS\n"
    "cubist bonsai_256x256x256_uint8.raw\n"
    "cubist scan.bin \\-\\-dims 512x512x300 \\-\\-type int16 \\-\\-spacing 0.7,0.7,1.2\n"
    ".RE\n.fi\n.PP\n"
    "Show what is in a file, for people and for programs:\n"
    ".PP\n.nf\n.RS\n"
    "cubist info head.raw.gz\n"
    "cubist info head.raw.gz \\-\\-json | jq .dims\n"
    "ssh scanner cat head.nii.gz | cubist extract \\- \\-\\-iso auto \\-o head.stl\n"
    ".RE\n.fi\n.PP\n"
    "Write the surface at 40 % of the range as a mesh for another program:\n"
    ".PP\n.nf\n.RS\n"
    "cubist extract head_128x128x93_uint16.raw \\-\\-iso 40% \\-o head.stl\n"
    ".RE\n.fi\n.PP\n"
    "Make a picture without a display, and prove that the device computes correctly:\n"
    ".PP\n.nf\n.RS\n"
    "cubist render engine_256x256x128_uint8.raw \\-\\-size 1920x1080 \\-o engine.png\n"
    "cubist verify engine_256x256x128_uint8.raw \\-\\-iso 80.5\n"
    ".RE\n.fi\n.PP\n"
    "Use completions and the man page where they are not installed:\n"
    ".PP\n.nf\n.RS\n"
    "source <(cubist \\-\\-print bash)\n"
    "cubist \\-\\-print man | man \\-l \\-\n"
    ".RE\n.fi\n"
    ".SH SEE ALSO\n"
    ".BR vulkaninfo (1)\n";

void print_manual(FILE *out)
{
    fputs(
        ".\\\" Made by cubist --print man from the tables of the program.\n"
        ".TH CUBIST 1 \"\" \"cubist " CUBIST_VERSION "\" \"User Commands\"\n"
        // Words are broken only at spaces, so that options and names can be copied.
        ".nh\n.ad l\n",
        out);
    fputs(introduction, out);
    manual_put_commands(out);
    fputs(".SH OPTIONS\n", out);
    manual_put_options(out, false);
    fputs(".SS For tests\n", out);
    manual_put_options(out, true);
    manual_put_keys(out);
    manual_put_methods(out);
    manual_put_formats(out);
    fputs(larger_than_memory, out);
    fputs(manual_several_runs, out);
    fputs(configuration, out);
    manual_put_exit_codes(out);
    fputs(environment, out);
    fputs(examples, out);
}

void print_bindings(FILE *out)
{
    const char *group = NULL;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        if (!row->keys) {
            continue;
        }
        if (!group || strcmp(row->group, group) != 0) {
            fprintf(out, "%s%s:\n", group ? "\n" : "", row->group);
            group = row->group;
        }
        fprintf(out, "  %-18s%s\n", row->keys, row->text);
    }
    fputs("\nactions, by the names that the configuration has for them:\n", out);
    for (size_t i = 0; bindings_name_at(i); i++) {
        char keys[BINDINGS_LINE];
        fprintf(out, "  %-24s%s\n", bindings_name_at(i), bindings_keys(bindings_name_at(i), keys));
    }
}

static void manual_print_words(words *list, FILE *out)
{
    struct word word;
    for (size_t i = 0; list(i, &word); i++) {
        fprintf(out, "  %-24s%s\n", word.text, word.summary);
    }
}

void print_formats(FILE *out)
{
    fputs(
        "volumes read:\n"
        "  .raw .raw.gz            only samples; size and type from the name or --dims and --type\n"
        "  a folder                of PNG or TIFF slices\n"
        "  .png                    slices as tiles of one image, with --atlas\n",
        out);
    for (size_t i = 0; i < reader_count; i++) {
        fprintf(
            out, "  %-24s%s (%s)\n", readers[i].name, readers[i].summary, readers[i].extensions);
    }
    fputs("\nvolumes written:\n", out);
    manual_print_words(word_volume_extension, out);
    fputs("\nmeshes written:\n", out);
    manual_print_words(word_mesh_extension, out);
    fputs("\npictures written:\n  .png\n", out);
}
