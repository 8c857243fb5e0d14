// glTF 2.0 in its binary form: a header, a chunk of JSON, a chunk of numbers.
//
// glTF requires y to be up. A volume without a known frame is also displayed with y up here, so it
// is written as it is. In a patient's frame z is up, and the matrix of the node rotates it. In both
// cases the positions in the file are the same as in every other format. glTF also requires metres;
// a volume's unit is seldom known, so positions keep the volume's unit.
//
// glTF has positions in floats only. Where these are too coarse, the file's positions are counted
// from the centre of the volume's box, and the node moves them there. JSON has doubles.
//
// Each object of the mesh is a node with a mesh, and has its own ranges of the numbers.

#include "compute/mesh/mesh_formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define HEADER_BYTES 12
#define CHUNK_BYTES  8
#define MOST_JSON    16384
#define JSON_CHUNK   0x4e4f534au
#define BIN_CHUNK    0x004e4942u

// Bytes of the numbers: positions, normals, indices. All are multiples of four.
static uint64_t glb_number_bytes(uint64_t vertices, uint64_t triangles)
{
    return 24 * vertices + 12 * triangles;
}

bool mesh_check_glb(const struct mesh *mesh, const char *path, struct problem *problem)
{
    const uint64_t most = UINT32_MAX - HEADER_BYTES - 2 * CHUNK_BYTES - MOST_JSON;
    // Each count is checked alone first, so that the sum cannot wrap.
    if (mesh->vertex_count <= most / 24 && mesh->triangle_count <= most / 12 &&
        glb_number_bytes(mesh->vertex_count, mesh->triangle_count) <= most) {
        return true;
    }
    return problem_set(
        problem, PROBLEM_LIMIT,
        "%s: the mesh has at least %" PRIu64 " vertices and %" PRIu64
        " triangles, a GLB file ends at 4 GiB; write a .vtp file, or choose an isovalue with "
        "less surface",
        path, mesh->vertex_count, mesh->triangle_count);
}

// The lowest and the highest stored floats.
struct glb_bounds {
    float low[3], high[3];
    bool any, infinite; // infinite: a value is not finite, which JSON cannot represent
};

// Widens the bounds. Of equal values, such as 0 and -0, the first one stays.
static void glb_add_bounds(struct glb_bounds *bounds, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        bounds->infinite = bounds->infinite || !isfinite(low[k]) || !isfinite(high[k]);
        bounds->low[k] = !bounds->any || low[k] < bounds->low[k] ? low[k] : bounds->low[k];
        bounds->high[k] = !bounds->any || high[k] > bounds->high[k] ? high[k] : bounds->high[k];
    }
    bounds->any = true;
}

// Finds the bounds of each object in the window.
static bool glb_read_bounds(
    const struct mesh_source *mesh, struct mesh_sink *sink, struct glb_bounds bounds[MESH_OBJECTS])
{
    const struct mesh_range range = mesh_window_range(sink->window, mesh->vertex_count);
    double positions[MESH_BLOCK][3];
    float normals[MESH_BLOCK][3];
    size_t at = 0; // the object of the vertex
    for (uint64_t first = range.first; first < range.end; first += MESH_BLOCK) {
        const size_t count = mesh_block(range.end, first);
        if (!mesh_sink_vertices(sink, mesh, first, count, positions, normals) ||
            !mesh_sink_go_on(sink)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            const double *p = positions[i];
            const float stored[3] = { (float)p[0], (float)p[1], (float)p[2] };
            while (at + 1 < mesh->object_count && first + i >= mesh->objects[at + 1].first_vertex) {
                at++;
            }
            glb_add_bounds(&bounds[at], stored, stored);
        }
    }
    return true;
}

// Finds the bounds of all windows, in every process.
static bool glb_find_bounds(
    const struct mesh_source *mesh, struct mesh_sink *sink, struct glb_bounds bounds[MESH_OBJECTS])
{
    struct glb_bounds own[MESH_OBJECTS];
    memset(own, 0, sizeof own); // all of its bytes go to other processes
    struct glb_bounds *all = glb_read_bounds(mesh, sink, own)
                                 ? mesh_window_gather(sink->window, own, sizeof own, sink->problem)
                                 : NULL;
    bool infinite = false;
    for (size_t i = 0; all && i < MESH_OBJECTS * (size_t)mesh_window_count(sink->window); i++) {
        if (all[i].any) {
            glb_add_bounds(&bounds[i % MESH_OBJECTS], all[i].low, all[i].high);
        }
        infinite = infinite || all[i].infinite;
    }
    free(all);
    return all &&
           (!infinite ||
            problem_set(
                sink->problem, PROBLEM_INPUT,
                "%s: the surface reaches beyond what a float can hold; choose a smaller --spacing",
                sink->output->path));
}

// If floats are too coarse, changes `place` to that of the stored positions. `node`: JSON of the
// node's transform of these: it makes y up, moves them, both, or neither (empty).
static void glb_set_node(struct mesh_place *place, char *node, size_t room)
{
    double move[3] = { 0 };
    for (int k = 0; k < 3 && place->doubles; k++) {
        move[k] = place->origin[k] + place->half[k];
        place->origin[k] = -place->half[k];
    }
    node[0] = 0;
    if (place->frame != VOLUME_FRAME_UNSAID) {
        snprintf(
            node, room, ",\"matrix\":[1,0,0,0,0,0,-1,0,0,1,0,0,%.17g,%.17g,%.17g,1]", move[0],
            move[2], 0 - move[1]);
    } else if (place->doubles) {
        snprintf(node, room, ",\"translation\":[%.17g,%.17g,%.17g]", move[0], move[1], move[2]);
    }
    place->doubles = false;
}

struct glb_text {
    char text[MOST_JSON];
    size_t size;
};

static void __attribute__((format(printf, 2, 3)))
glb_add(struct glb_text *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(to->text + to->size, MOST_JSON - to->size, format, list);
    va_end(list);
    assert(size > 0 && (size_t)size + 4 < MOST_JSON - to->size);
    to->size += (size_t)size;
}

static void
glb_add_material(const struct mesh_material *material, const char *comma, struct glb_text *to)
{
    const float none[4] = { 0.8f, 0.8f, 0.8f, 1 },
                *colour = material->set ? material->colour : none;
    glb_add(
        to,
        "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6g,%.6g,%.6g,%.6g],"
        "\"metallicFactor\":0,\"roughnessFactor\":0.7},%s\"doubleSided\":true}",
        comma, (double)colour[0], (double)colour[1], (double)colour[2], (double)colour[3],
        colour[3] < 1 ? "\"alphaMode\":\"BLEND\"," : "");
}

// Adds an object to each list of the JSON. `i`: its number. Objects without a material share one.
static void glb_add_object(
    const struct mesh_source *mesh, const struct mesh_object *object, size_t i, const char *node,
    const struct glb_bounds *bounds, struct glb_text lists[6])
{
    const float *low = bounds->low, *high = bounds->high;
    const uint64_t vertices = object->vertex_count, triangles = object->triangle_count;
    const uint64_t first = 12 * object->first_vertex, all = 12 * mesh->vertex_count;
    const char *comma = i > 0 ? "," : "";
    char name[48] = "";
    if (*object->name) {
        snprintf(name, sizeof name, ",\"name\":\"%s\"", object->name);
    }
    glb_add(&lists[0], "%s%zu", comma, i);
    glb_add(&lists[1], "%s{\"mesh\":%zu%s%s}", comma, i, node, name);
    glb_add(
        &lists[2],
        "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%zu,\"NORMAL\":%zu},"
        "\"indices\":%zu,\"material\":%zu}]%s}",
        comma, 3 * i, 3 * i + 1, 3 * i + 2, object->material.set ? i : 0, name);
    if (object->material.set || i == 0) {
        glb_add_material(&object->material, comma, &lists[5]);
    }
    glb_add(
        &lists[3],
        "%s{\"bufferView\":%zu,\"componentType\":5126,\"count\":%" PRIu64 ",\"type\":\"VEC3\","
        "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]},"
        "{\"bufferView\":%zu,\"componentType\":5126,\"count\":%" PRIu64 ",\"type\":\"VEC3\"},"
        "{\"bufferView\":%zu,\"componentType\":5125,\"count\":%" PRIu64 ",\"type\":\"SCALAR\"}",
        comma, 3 * i, vertices, (double)low[0], (double)low[1], (double)low[2], (double)high[0],
        (double)high[1], (double)high[2], 3 * i + 1, vertices, 3 * i + 2, 3 * triangles);
    glb_add(
        &lists[4],
        "%s{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64 ",\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64 ",\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64 ",\"target\":34963}",
        comma, first, 12 * vertices, all + first, 12 * vertices,
        2 * all + 12 * object->first_triangle, 12 * triangles);
}

// Without triangles the scene is empty, because an accessor needs at least one element.
static void glb_write_json(
    const struct mesh_source *mesh, const char *node, const struct glb_bounds bounds[MESH_OBJECTS],
    struct glb_text *json)
{
    const struct mesh_object whole = {
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .material = mesh->objects[0].material,
    };
    struct glb_text lists[6] = { 0 };
    glb_add(
        json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"cubist\"},"
              "\"scene\":0,\"scenes\":[{");
    if (mesh->triangle_count == 0) {
        glb_add(json, "}]}");
    } else {
        for (size_t i = 0; i < mesh->object_count || i == 0; i++) {
            const struct mesh_object *object = mesh->object_count ? &mesh->objects[i] : &whole;
            glb_add_object(mesh, object, i, node, &bounds[i], lists);
        }
        glb_add(
            json,
            "\"nodes\":[%s]}],\"nodes\":[%s],\"meshes\":[%s],\"materials\":[%s],"
            "\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%" PRIu64 "}]}",
            lists[0].text, lists[1].text, lists[2].text, lists[5].text, lists[3].text,
            lists[4].text, glb_number_bytes(mesh->vertex_count, mesh->triangle_count));
    }
    while (json->size % 4) {
        json->text[json->size++] = ' ';
    }
}

static bool glb_put_triangle(struct mesh_sink *sink, const uint64_t corners[3])
{
    unsigned char record[12], *at = record;
    for (int k = 0; k < 3; k++) {
        at = put_u32(at, (uint32_t)corners[k]);
    }
    return mesh_sink_record(sink, record, sizeof record);
}

bool mesh_put_glb(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    struct glb_bounds bounds[MESH_OBJECTS] = { 0 };
    struct glb_text json = { 0 };
    char node[200];
    glb_set_node(&sink->place, node, sizeof node);
    if (!glb_find_bounds(mesh, sink, bounds)) {
        return false;
    }
    glb_write_json(mesh, node, bounds, &json);
    const bool any = mesh->triangle_count > 0;
    const uint64_t numbers = glb_number_bytes(mesh->vertex_count, mesh->triangle_count);
    const uint64_t bytes = any ? CHUNK_BYTES + numbers : 0;
    unsigned char header[HEADER_BYTES + CHUNK_BYTES], *at = header;
    at = put_u32(at, 0x46546c67u); // "glTF"
    at = put_u32(at, 2);
    at = put_u32(at, (uint32_t)(HEADER_BYTES + CHUNK_BYTES + json.size + bytes));
    at = put_u32(at, (uint32_t)json.size);
    put_u32(at, JSON_CHUNK);
    if (!mesh_sink_put(sink, header, sizeof header) || !mesh_sink_put(sink, json.text, json.size)) {
        return false;
    }
    if (!any) {
        return true;
    }
    sink->records = 2 * mesh->vertex_count + mesh->triangle_count;
    put_u32(put_u32(header, (uint32_t)numbers), BIN_CHUNK);
    return mesh_sink_put(sink, header, CHUNK_BYTES) && mesh_sink_vectors(sink, mesh, false) &&
           mesh_sink_vectors(sink, mesh, true) &&
           mesh_sink_each_triangle(sink, mesh, 12, glb_put_triangle);
}
