// Gaussian's cubes (.cube, .cub): two lines of comment, the grid, the atoms, and the samples as
// text. z is fastest, so the axes of the volume are z, y, x of the file; directions say so. Lengths
// are in bohr, or in angstrom where the numbers of points are negative; they are used as they are.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads a whole number and three reals from a line, which is split into words. Returns how many
// words it has; 0: they are not these.
static size_t cube_numbers(char *line, char *words[5], int64_t *count, double vector[3])
{
    const size_t found = text_words(line, words, 5);
    bool fine = found >= 4 && text_whole(words[0], count);
    for (int i = 0; fine && i < 3; i++) {
        fine = text_real(words[1 + i], &vector[i]);
    }
    return fine ? found : 0;
}

bool cube_matches(const struct file_head *head)
{
    char text[READER_HEAD + 1];
    memcpy(text, head->bytes, head->size);
    text[head->size] = 0;
    char *line = text;
    for (int i = 0; i < 6; i++) {
        char *end = strchr(line, '\n');
        char *words[5];
        int64_t count;
        double vector[3];
        if (!end) {
            return false;
        }
        *end = 0;
        const size_t found = cube_numbers(line, words, &count, vector);
        if (i >= 2 && found != 4 && !(i == 2 && found == 5)) {
            return false;
        }
        line = end + 1;
    }
    return true;
}

struct cube {
    struct text text;
    struct problem *problem;
    struct payload payload;
    double steps[3][3], origin[3];
};

static bool cube_next(struct cube *cube, const char *what)
{
    bool more;
    return text_next(&cube->text, &more, cube->problem) &&
           (more || text_refuse(&cube->text, cube->problem, "the file ends before %s", what));
}

static bool cube_read_grid(struct cube *cube, int64_t *atoms)
{
    struct text *text = &cube->text;
    if (!cube_next(cube, "its grid") || !cube_next(cube, "its grid") ||
        !cube_next(cube, "its grid")) {
        return false;
    }
    char *words[5];
    int64_t values = 1;
    const size_t found = cube_numbers(text->line, words, atoms, cube->origin);
    if (found == 0 || found > 5 || (found == 5 && !text_whole(words[4], &values))) {
        return text_refuse(
            text, cube->problem, "expected the number of atoms and the origin, as in a cube");
    }
    if (values != 1) {
        return text_refuse(
            text, cube->problem, "there are %" PRId64 " values at each point; expected one",
            values);
    }
    for (int a = 2; a >= 0; a--) {
        int64_t points;
        if (!cube_next(cube, "its grid")) {
            return false;
        }
        if (cube_numbers(text->line, words, &points, cube->steps[a]) != 4 || points == INT64_MIN) {
            return text_refuse(
                text, cube->problem, "expected the number of points along %c and their step",
                "zyx"[a]);
        }
        cube->payload.dim[a] = (uint64_t)llabs(points);
    }
    return true;
}

// Passes the lines of the atoms, and the line of an orbital. Some programs leave the atoms away.
static bool cube_pass_atoms(struct cube *cube, int64_t atoms)
{
    struct text *text = &cube->text;
    const uint64_t count = (uint64_t)(atoms < 0 ? -(atoms + 1) : atoms) + (atoms < 0);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = text->next;
        char *words[5];
        int64_t number;
        double place[3];
        if (!cube_next(cube, "the last of its atoms")) {
            return false;
        }
        if (cube_numbers(text->line, words, &number, place) != 5) {
            if (i > 0) {
                return text_refuse(text, cube->problem, "expected an atom: five numbers");
            }
            log_warn(
                "'%s' says that it has %" PRIu64 " atoms, but it has none", text->source->path,
                count);
            text->next = begin;
            return true;
        }
    }
    if (atoms >= 0) {
        return true;
    }
    char *words[2];
    int64_t orbitals = 0;
    if (!cube_next(cube, "its orbital")) {
        return false;
    }
    if (text_words(text->line, words, 2) < 2 || !text_whole(words[0], &orbitals) || orbitals != 1) {
        return text_refuse(
            text, cube->problem, "there are %" PRId64 " orbitals at each point; expected one",
            orbitals);
    }
    return true;
}

bool cube_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct cube cube = {
        .text.source = source,
        .problem = problem,
        .payload = { .format.type = VOLUME_FLOAT32, .encoding = PAYLOAD_TEXT, .tail = true },
    };
    int64_t atoms;
    if (!cube_read_grid(&cube, &atoms) || !cube_pass_atoms(&cube, atoms)) {
        return false;
    }
    cube.payload.offset = cube.text.next;
    const bool fine =
        payload_open(source, &cube.payload, params, out, problem) &&
        affine_set(
            &out->volume, (const double(*)[3])cube.steps, cube.origin, source->path, problem);
    out->volume.orbital = true;
    return fine;
}
