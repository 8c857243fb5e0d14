#include "compute/mesh/mesh_formats.h"

#include <locale.h>
#include <stdio.h>
#include <strings.h>

const struct mesh_format mesh_formats[] = {
    {
        .name = "ply",
        .extension = ".ply",
        .summary = "Polygon File Format, binary, with normals",
        .check = mesh_check_ply,
        .put = mesh_put_ply,
    },
    {
        .name = "stl",
        .extension = ".stl",
        .summary = "STL, binary: loose triangles, those without area left out",
        .check = mesh_check_stl,
        .put = mesh_put_stl,
    },
    {
        .name = "obj",
        .extension = ".obj",
        .summary = "Wavefront OBJ, text, with normals",
        .put = mesh_put_obj,
    },
    {
        .name = "glb",
        .extension = ".glb",
        .summary = "glTF 2.0, binary, with normals; y is up",
        .has_objects = true,
        .check = mesh_check_glb,
        .put = mesh_put_glb,
    },
    {
        .name = "vtp",
        .extension = ".vtp",
        .summary = "VTK PolyData XML, raw appended data, with normals",
        .put = mesh_put_vtp,
    },
    {
        .name = "off",
        .extension = ".off",
        .summary = "Object File Format, text, without normals",
        .put = mesh_put_off,
    },
    { 0 },
};

const struct mesh_format *mesh_format_at(size_t index)
{
    const size_t files = sizeof mesh_formats / sizeof *mesh_formats - 1;
    return index < files ? &mesh_formats[index] : index == files ? &mesh_format_pvtp : NULL;
}

const struct mesh_format *mesh_format_find(const char *name)
{
    const struct mesh_format *format;
    for (size_t i = 0; (format = mesh_format_at(i)) && strcasecmp(name, format->name) != 0; i++) {
    }
    return format;
}

const struct mesh_format *mesh_format_of(const char *path, struct problem *problem)
{
    const char *name = basename(path);
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1]) {
        return &mesh_formats[0];
    }
    char known[200] = "";
    const struct mesh_format *format;
    for (size_t i = 0; (format = mesh_format_at(i)); i++) {
        if (strcasecmp(dot, format->extension) == 0) {
            return format;
        }
        const size_t length = strlen(known);
        snprintf(
            known + length, sizeof known - length, "%s%s", i == 0 ? "" : " ", format->extension);
    }
    problem_set(
        problem, PROBLEM_USAGE,
        "%.400s: unknown kind of file '%.40s', expected one of %s, or --format", path, dot, known);
    return NULL;
}

bool mesh_format_put(
    const struct mesh_format *format, const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        return problem_set(sink->problem, PROBLEM_HOST_MEMORY, "out of memory writing numbers");
    }
    const locale_t before = uselocale(plain);
    const bool fine = format->put(mesh, sink);
    uselocale(before);
    freelocale(plain);
    return fine;
}
