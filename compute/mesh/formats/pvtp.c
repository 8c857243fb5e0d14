// VTK PolyData in pieces: an XML file that names the pieces, and a folder of .vtp files, so that
// each process of a reader can take some. A piece has consecutive triangles, and the vertices from
// their lowest corner to their highest. Neighbouring pieces share some vertices. Global ids, which
// are the vertices' numbers in the whole mesh, tell which vertices are the same.
//
// The folder is always a new one, so an old .pvtp file and its pieces stay whole until the new file
// takes its place. The folder is hidden until all pieces are whole. If a run is killed before, the
// next run removes the hidden folder (output_folder.h). Then the folder gets its name, and right
// afterwards the .pvtp file gets its name. A kill between the two leaves a folder of whole pieces.

#include "compute/mesh/mesh_formats.h"
#include "volumes/base/log.h"
#include "volumes/base/output_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIANGLES_OF_PIECE 10000000 // at most, if the number of pieces is not given
#define MOST_STEM          200      // bytes of the folder's name, without its number
#define MOST_NUMBER        99999

// Both names are within the folder of the target.
struct pvtp_folder {
    char name[MOST_STEM + 20];     // final name; the pieces' names begin with it
    char hidden[OUTPUT_TEMPORARY]; // name until all pieces are whole
};

struct pvtp {
    const struct mesh_source *mesh;
    struct mesh_sink *sink;
    struct pvtp_folder folder;
    uint32_t pieces;
    // Used in the first process only:
    struct output_folder held; // while the folder is hidden
    char stem[MOST_STEM + 8];  // folder's name without its number
    int number;                // in the folder's name; 1: none
};

// A piece as a mesh of its own.
struct pvtp_piece {
    const struct mesh_source *mesh;
    uint64_t first_triangle, first_vertex;
    const struct progress *progress; // progress of all pieces
    double before, share;            // work before this piece, and its own; of all pieces: 1
};

static bool pvtp_fetch_vertices(
    void *user, uint64_t first, size_t count, float (*positions)[3], float (*normals)[3],
    struct problem *problem)
{
    const struct pvtp_piece *piece = user;
    return piece->mesh->vertices(
        piece->mesh->user, piece->first_vertex + first, count, positions, normals, problem);
}

static bool pvtp_fetch_triangles(
    void *user, uint64_t first, size_t count, uint64_t (*corners)[3], struct problem *problem)
{
    const struct pvtp_piece *piece = user;
    if (!piece->mesh->triangles(
            piece->mesh->user, piece->first_triangle + first, count, corners, problem)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corners[i][k] -= piece->first_vertex;
        }
    }
    return true;
}

static bool pvtp_fetch_position(void *user, uint64_t vertex, float out[3], struct problem *problem)
{
    const struct pvtp_piece *piece = user;
    return piece->mesh->position(piece->mesh->user, piece->first_vertex + vertex, out, problem);
}

static bool pvtp_report(void *user, double share)
{
    const struct pvtp_piece *piece = user;
    return piece->progress->report(piece->progress->user, piece->before + share * piece->share);
}

// The piece's path within the folder of the target, with the hidden name or the final one.
static void
pvtp_piece_name(const struct pvtp_folder *folder, bool hidden, uint32_t number, char out[PATH_MAX])
{
    const char *at = hidden ? folder->hidden : folder->name;
    snprintf(out, PATH_MAX, "%s/%s_%05" PRIu32 ".vtp", at, folder->name, number);
}

// Finds the vertices of triangles `first` to `last` - 1: *low up to, but not including, *end.
static bool pvtp_find_vertices(
    const struct mesh_source *mesh, uint64_t first, uint64_t last, struct mesh_sink *sink,
    uint64_t *low, uint64_t *end)
{
    uint64_t corners[MESH_BLOCK][3];
    *low = UINT64_MAX;
    *end = 0;
    for (uint64_t at = first; at < last; at += MESH_BLOCK) {
        const size_t count = mesh_block(last, at);
        if (!mesh->triangles(mesh->user, at, count, corners, sink->problem) ||
            !mesh_sink_go_on(sink)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                *low = corners[i][k] < *low ? corners[i][k] : *low;
                *end = corners[i][k] >= *end ? corners[i][k] + 1 : *end;
            }
        }
    }
    *low = *low < *end ? *low : *end;
    return true;
}

static bool
pvtp_write_piece(const struct pvtp *pvtp, uint32_t number, const struct pvtp_piece *done)
{
    const struct mesh_sink *sink = pvtp->sink;
    const struct mesh_window part = { .rank = (int)number, .count = (int)pvtp->pieces };
    const struct mesh_range range = mesh_window_range(&part, pvtp->mesh->triangle_count);
    struct pvtp_piece piece = *done;
    const struct progress progress = { pvtp_report, &piece };
    struct output output;
    struct mesh_sink own = {
        .output = &output,
        .place = sink->place,
        .progress = sink->progress ? &progress : NULL,
        .problem = sink->problem,
        .ids = true,
    };
    uint64_t end;
    char name[PATH_MAX], path[OUTPUT_SHARED + PATH_MAX];
    if (!pvtp_find_vertices(pvtp->mesh, range.first, range.end, &own, &own.first_id, &end)) {
        return false;
    }
    piece.first_triangle = range.first;
    piece.first_vertex = own.first_id;
    const struct mesh_source source = {
        .vertex_count = end - own.first_id,
        .triangle_count = range.end - range.first,
        .vertices = pvtp_fetch_vertices,
        .triangles = pvtp_fetch_triangles,
        .position = pvtp_fetch_position,
        .user = &piece,
    };
    pvtp_piece_name(&pvtp->folder, true, number, name);
    snprintf(path, sizeof path, "%s/%s", sink->output->folder_path, name);
    if (!output_open(path, &output, sink->problem)) {
        return false;
    }
    const bool fine = mesh_put_vtp(&source, &own) && output_commit(&output, sink->problem);
    output_abort(&output);
    return fine;
}

// Writes this process's pieces. On false the caller removes those that were written.
static bool pvtp_write_pieces(const struct pvtp *pvtp)
{
    const struct mesh_window *window = pvtp->sink->window;
    const uint32_t step = (uint32_t)mesh_window_count(window);
    const uint32_t first = window ? (uint32_t)window->rank : 0;
    struct pvtp_piece piece = { .mesh = pvtp->mesh, .progress = pvtp->sink->progress };
    bool fine = true;
    for (uint32_t i = first; fine && i < pvtp->pieces; i += step) {
        piece.before = (double)i / pvtp->pieces;
        piece.share = i + step < pvtp->pieces ? (double)step / pvtp->pieces : 1 - piece.before;
        fine = pvtp_write_piece(pvtp, i, &piece);
    }
    return fine;
}

// Removes this process's pieces, or (`all`) the pieces of all processes.
static void pvtp_remove_pieces(struct pvtp *pvtp, bool all)
{
    const struct mesh_window *window = pvtp->sink->window;
    const uint32_t first = window && !all ? (uint32_t)window->rank : 0;
    const uint32_t step = all ? 1 : (uint32_t)mesh_window_count(window);
    const int folder = pvtp->sink->output->folder;
    for (uint32_t i = first; i < pvtp->pieces; i += step) {
        char name[PATH_MAX];
        pvtp_piece_name(&pvtp->folder, true, i, name);
        unlinkat(folder, name, 0);
    }
    // Succeeds only in the last process that comes here: the folder is empty then.
    unlinkat(folder, pvtp->folder.hidden, AT_REMOVEDIR);
    output_folder_remove(&pvtp->held);
}

// NAME for NAME.pvtp. Characters that XML or a path may not hold as they are become '_'.
static void pvtp_find_stem(const struct output *output, char stem[MOST_STEM + 8])
{
    const char *dot = strrchr(output->name, '.');
    size_t size = dot && dot != output->name ? (size_t)(dot - output->name) : strlen(output->name);
    size = size < MOST_STEM ? size : MOST_STEM;
    for (size_t i = 0; i < size; i++) {
        const char c = output->name[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr(" +,-.=@", c);
        stem[i] = plain ? c : '_';
    }
    stem[size] = 0;
    if (strcmp(stem, output->name) == 0) {
        strcat(stem, "-pieces");
    }
}

static bool pvtp_refuse_folder(const struct pvtp *pvtp, int why)
{
    return problem_set(
        pvtp->sink->problem, PROBLEM_OUTPUT,
        "cannot write '%s': no folder '%s' can be made for its pieces: %s",
        pvtp->sink->output->path, pvtp->folder.name, strerror(why));
}

// The next free name: STEM, STEM-2 and so on.
static bool pvtp_next_name(struct pvtp *pvtp)
{
    const int folder = pvtp->sink->output->folder;
    char *name = pvtp->folder.name;
    do {
        if (pvtp->number == MOST_NUMBER) {
            return pvtp_refuse_folder(pvtp, EEXIST);
        }
        if (++pvtp->number == 1) {
            snprintf(name, sizeof pvtp->folder.name, "%s", pvtp->stem);
        } else {
            snprintf(name, sizeof pvtp->folder.name, "%s-%d", pvtp->stem, pvtp->number);
        }
    } while (faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    return true;
}

static bool pvtp_make_folder(struct pvtp *pvtp)
{
    const struct mesh_sink *sink = pvtp->sink;
    pvtp_find_stem(sink->output, pvtp->stem);
    if (!pvtp_next_name(pvtp) ||
        !output_folder_make(sink->output, 0777, &pvtp->held, sink->problem)) {
        return false;
    }
    strcpy(pvtp->folder.hidden, basename(pvtp->held.path));
    return true;
}

// The first process makes the folder; the others learn its names.
static bool pvtp_find_folder(struct pvtp *pvtp)
{
    struct mesh_sink *sink = pvtp->sink;
    struct pvtp_folder *own = &pvtp->folder;
    if (mesh_window_first(sink->window) && !pvtp_make_folder(pvtp)) {
        return false;
    }
    struct pvtp_folder *all = mesh_window_gather(sink->window, own, sizeof *own, sink->problem);
    if (all) {
        *own = all[0];
    } else {
        output_folder_remove(&pvtp->held);
    }
    free(all);
    return all;
}

static bool pvtp_write_list(const struct pvtp *pvtp)
{
    static const char head[] =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\""
        " header_type=\"UInt64\">\n"
        "  <PPolyData GhostLevel=\"0\">\n"
        "    <PPointData Normals=\"Normals\" GlobalIds=\"GlobalPointIds\">\n"
        "      <PDataArray type=\"Float32\" Name=\"Normals\" NumberOfComponents=\"3\"/>\n"
        "      <PDataArray type=\"Int64\" IdType=\"1\" Name=\"GlobalPointIds\"/>\n"
        "    </PPointData>\n"
        "    <PPoints>\n"
        "      <PDataArray type=\"%s\" Name=\"Points\" NumberOfComponents=\"3\"/>\n"
        "    </PPoints>\n";
    static const char end[] = "  </PPolyData>\n</VTKFile>\n";
    char text[sizeof head + 8];
    const char *type = pvtp->sink->place.doubles ? "Float64" : "Float32";
    const int length = snprintf(text, sizeof text, head, type);
    bool fine = mesh_sink_put(pvtp->sink, text, (size_t)length);
    for (uint32_t i = 0; fine && i < pvtp->pieces; i++) {
        char name[PATH_MAX], line[PATH_MAX + 40];
        pvtp_piece_name(&pvtp->folder, false, i, name);
        const int size = snprintf(line, sizeof line, "    <Piece Source=\"%s\"/>\n", name);
        fine = mesh_sink_put(pvtp->sink, line, (size_t)size);
    }
    fine = fine && mesh_sink_put(pvtp->sink, end, sizeof end - 1);
    // A full disk must show here: the last step only renames, and cannot remove pieces.
    return fine && (!mesh_window_first(pvtp->sink->window) ||
                    output_sync(pvtp->sink->output, pvtp->sink->problem));
}

// Gives the pieces and their list the next name, because another program has taken the name. The
// new list is not shorter than the old one, so it overwrites all of it.
static bool pvtp_rename(struct pvtp *pvtp)
{
    struct mesh_sink *sink = pvtp->sink;
    const struct pvtp_folder before = pvtp->folder;
    if (!pvtp_next_name(pvtp)) {
        return false;
    }
    for (uint32_t i = 0; i < pvtp->pieces; i++) {
        char from[PATH_MAX], to[PATH_MAX];
        pvtp_piece_name(&before, true, i, from);
        pvtp_piece_name(&pvtp->folder, true, i, to);
        if (renameat(sink->output->folder, from, sink->output->folder, to) != 0) {
            return pvtp_refuse_folder(pvtp, errno);
        }
    }
    sink->at = 0;
    return output_seek(sink->output, 0, sink->problem) && pvtp_write_list(pvtp);
}

// For the first process, when all pieces and their list are whole: gives the folder its name.
static bool pvtp_place(struct pvtp *pvtp)
{
    while (!output_folder_place(&pvtp->held, pvtp->sink->output, pvtp->folder.name)) {
        if (errno != EEXIST && errno != ENOTEMPTY) {
            return pvtp_refuse_folder(pvtp, errno);
        }
        if (!pvtp_rename(pvtp)) {
            return false;
        }
    }
    return true;
}

static bool mesh_put_pvtp(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const uint64_t pieces = (mesh->triangle_count + TRIANGLES_OF_PIECE - 1) / TRIANGLES_OF_PIECE;
    struct pvtp pvtp = {
        .mesh = mesh,
        .sink = sink,
        .pieces = sink->pieces           ? sink->pieces
                  : pieces < MESH_PIECES ? pieces + (pieces == 0)
                                         : MESH_PIECES,
    };
    if (!sink->output->folder_path) {
        return problem_set(
            sink->problem, PROBLEM_USAGE,
            "%s: a .pvtp file has a folder of pieces beside it; write it to a file",
            sink->output->path);
    }
    if (!pvtp_find_folder(&pvtp)) {
        return false;
    }
    const bool written = pvtp_write_pieces(&pvtp) && pvtp_write_list(&pvtp);
    char *all = written ? mesh_window_gather(sink->window, "", 1, sink->problem) : NULL;
    const bool whole = all; // no other process removes its pieces any more
    free(all);
    const bool fine = whole && (!mesh_window_first(sink->window) || pvtp_place(&pvtp));
    if (!fine) {
        // Others may still write into the folder, and would report it as missing: wait for them.
        if (sink->window && sink->window->agree) {
            sink->window->agree(sink->window->user, false, sink->problem);
        }
        pvtp_remove_pieces(&pvtp, whole);
    } else if (
        mesh_window_first(sink->window) &&
        faccessat(sink->output->folder, sink->output->name, F_OK, 0) == 0) {
        log_note(
            "the pieces of the '%s' before stay where they are; the new ones are in the folder "
            "'%s'",
            sink->output->path, pvtp.folder.name);
    }
    return fine;
}

const struct mesh_format mesh_format_pvtp = {
    .name = "pvtp",
    .extension = ".pvtp",
    .summary = "VTK PolyData in pieces: a file that names them, and a folder of .vtp files",
    .put = mesh_put_pvtp,
};
