// VTK ImageData in XML (.vti). The file is parsed once for its description. Samples are read from
// their offset in the file (payload, vtk_blocks). If their text is not one run of bytes there, a
// second parse copies it. Appended data in raw bytes are not XML: the parser stops before them, and
// they begin after a "_".
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/chunks.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"
#include "volumes/formats/vtk_blocks.h"

#include <ctype.h>
#include <expat.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK        ((size_t)1 << 16)
#define LONGEST_TAG  ((uint64_t)1 << 20)
#define DEEPEST      64
#define LONGEST_NAME 200

enum vtk_encoding { VTK_ASCII, VTK_BASE64, VTK_RAW };

enum vti_section { ELSEWHERE, IN_POINT_DATA, IN_CELL_DATA };

// How well an array matches the request. The best array is read; of equal ones, the first.
enum vti_rank { UNFIT, CELLS, SCALAR, ACTIVE, NAMED_CELLS, NAMED };

struct vti_array {
    char name[LONGEST_NAME + 1];
    struct sample_format format;
    enum vtk_encoding encoding; // encoding of the text, if the array is inline
    bool appended, cells;       // cells: a sample is at the middle of each cell
    uint64_t offset;
    // Where the text of an inline array lies in the file, and how many bytes of it are text.
    uint64_t text_at, text_end, text;
    unsigned number; // position among all arrays of the file
    unsigned line;
};

struct vti {
    const char *path;
    const char *wanted; // the requested array; NULL: none
    struct problem *problem;
    XML_Parser parser;
    bool failed, stopped;
    unsigned depth;

    // Filled by the first pass.
    bool is_image, has_extent;
    enum byte_order order;
    size_t word_size;
    bool zlib;
    char compressor[80];
    int64_t whole[6];
    double origin[3], spacing[3], direction[9];
    unsigned pieces;
    enum vti_section place;
    char active[LONGEST_NAME + 1];
    unsigned numbers; // number of arrays seen
    enum vti_rank rank;
    struct vti_array selected;
    char names[300];      // names of arrays of point data, for messages
    char cell_names[300]; // names of arrays of cell data, for messages
    char unfit[300];      // why the requested array is not read
    struct contents *arrays;
    bool has_appended;
    enum vtk_encoding appended;
    uint64_t appended_at; // offset in the file after the tag

    // Used by the second pass.
    struct source source;
    bool second;         // this is a second pass, for the selected array
    unsigned collecting; // depth of the array's tag while the parser is inside it
    struct vtk_blocks blocks;
};

static void vti_stop(struct vti *vti)
{
    vti->failed = true;
    XML_StopParser(vti->parser, XML_FALSE);
}

static void vti_refuse(struct vti *vti, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void vti_refuse(struct vti *vti, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    problem_set(
        vti->problem, PROBLEM_INPUT, "'%s' line %lu: %s", vti->path,
        (unsigned long)XML_GetCurrentLineNumber(vti->parser), text);
    vti_stop(vti);
}

static const char *vti_attribute(const char *const *attributes, const char *name)
{
    for (; *attributes; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

// Splits a copy of an attribute. False if the number of words is not `count`.
static bool vti_split(const char *text, char copy[1000], char **words, size_t count)
{
    const bool fits = text && strlen(text) < 1000;
    return fits && text_words(strcpy(copy, text), words, count) == count;
}

// Reads `count` numbers into `out`; true where the attribute is absent.
static bool vti_read_reals(
    struct vti *vti, const char *const *attributes, const char *name, size_t count, double *out)
{
    const char *text = vti_attribute(attributes, name);
    if (!text) {
        return true;
    }
    char copy[1000];
    char *words[9];
    bool fine = vti_split(text, copy, words, count);
    for (size_t i = 0; fine && i < count; i++) {
        fine = text_real(words[i], &out[i]);
    }
    if (!fine) {
        vti_refuse(vti, "%s=\"%.100s\" is not a list of %zu numbers", name, text, count);
    }
    return fine;
}

// Reads six whole numbers that fit 32 bits; three pairs, each in ascending order.
static bool vti_read_extent(struct vti *vti, const char *name, const char *text, int64_t out[6])
{
    char copy[1000];
    char *words[6];
    bool fine = vti_split(text, copy, words, 6);
    for (int i = 0; fine && i < 6; i++) {
        fine = text_whole(words[i], &out[i]) && out[i] >= INT32_MIN && out[i] <= INT32_MAX &&
               (i % 2 == 0 || out[i] >= out[i - 1]);
    }
    if (!fine) {
        vti_refuse(
            vti, "%s=\"%.100s\"; expected six numbers, the first and the last sample along x, y, z",
            name, text ? text : "");
    }
    return fine;
}

static void vti_start_file(struct vti *vti, const char *const *attributes)
{
    const char *type = vti_attribute(attributes, "type");
    const char *order = vti_attribute(attributes, "byte_order");
    const char *word = vti_attribute(attributes, "header_type");
    const char *compressor = vti_attribute(attributes, "compressor");
    if (!type || strcmp(type, "ImageData") != 0) {
        vti_refuse(
            vti,
            "a VTK file of type \"%.60s\" holds no volume; expected ImageData (ParaView's "
            "filter Resample To Image makes one)",
            type ? type : "");
        return;
    }
    if (order && strcmp(order, "LittleEndian") != 0 && strcmp(order, "BigEndian") != 0) {
        vti_refuse(vti, "byte_order=\"%.60s\"; expected LittleEndian or BigEndian", order);
        return;
    }
    if (word && strcmp(word, "UInt32") != 0 && strcmp(word, "UInt64") != 0) {
        vti_refuse(vti, "header_type=\"%.60s\"; expected UInt32 or UInt64", word);
        return;
    }
    vti->order = order && order[0] == 'B' ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    vti->word_size = word && strcmp(word, "UInt64") == 0 ? 8 : 4;
    vti->zlib = compressor && *compressor;
    snprintf(vti->compressor, sizeof vti->compressor, "%s", compressor ? compressor : "");
}

static void vti_start_image(struct vti *vti, const char *const *attributes)
{
    if (vti->is_image) {
        vti_refuse(vti, "a second ImageData");
        return;
    }
    vti->is_image = true;
    vti->has_extent =
        vti_read_extent(vti, "WholeExtent", vti_attribute(attributes, "WholeExtent"), vti->whole) &&
        vti_read_reals(vti, attributes, "Origin", 3, vti->origin) &&
        vti_read_reals(vti, attributes, "Spacing", 3, vti->spacing) &&
        vti_read_reals(vti, attributes, "Direction", 9, vti->direction);
}

static void vti_start_piece(struct vti *vti, const char *const *attributes)
{
    int64_t extent[6];
    if (!vti->has_extent) {
        vti_refuse(vti, "a Piece outside of an ImageData");
        return;
    }
    if (++vti->pieces > 1) {
        vti_refuse(
            vti,
            "a second Piece; cubist reads volumes of one piece (open and save it in ParaView)");
        return;
    }
    const char *text = vti_attribute(attributes, "Extent");
    if (vti_read_extent(vti, "Extent", text, extent) &&
        memcmp(extent, vti->whole, sizeof extent) != 0) {
        vti_refuse(
            vti, "the piece \"%.80s\" is not the whole volume; open and save it in ParaView", text);
    }
}

static void vti_list_name(char *names, size_t size, const char *name)
{
    const size_t length = strlen(names);
    name = *name ? name : "(no name)";
    if (length + strlen(name) + 10 < size) {
        snprintf(names + length, size - length, "%s%.100s", length ? ", " : "", name);
    } else if (length + 5 < size && (length < 3 || strcmp(names + length - 3, "...") != 0)) {
        strcat(names, ", ...");
    }
}

static bool vti_text_is(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

// Reads where the array's contents are and their encoding, or says what is wrong.
static bool vti_read_format(struct vti *vti, const char *const *attributes, struct vti_array *array)
{
    const char *format = vti_attribute(attributes, "format");
    const char *offset = vti_attribute(attributes, "offset");
    array->appended = vti_text_is(format, "appended");
    array->encoding = vti_text_is(format, "ascii") ? VTK_ASCII : VTK_BASE64;
    if (!array->appended && !vti_text_is(format, "ascii") && !vti_text_is(format, "binary")) {
        vti_refuse(
            vti, "format=\"%.60s\"; expected ascii, binary or appended", format ? format : "");
        return false;
    }
    if (array->appended && (!offset || !text_count(offset, &array->offset))) {
        vti_refuse(vti, "offset=\"%.60s\" is not a number of bytes", offset ? offset : "");
        return false;
    }
    return true;
}

// Whether the request names this array: by its name, or, where it has several values per sample, by
// its name and one value, "v:0" or "v:length".
static bool vti_asks_for(const char *wanted, const char *name, struct sample_format *format)
{
    const size_t length = strlen(name);
    uint64_t value = SAMPLE_LENGTH;
    if (!wanted || strncmp(wanted, name, length) != 0 || !wanted[length]) {
        return wanted && strcmp(wanted, name) == 0;
    }
    if (format->values <= 1 || wanted[length] != ':' ||
        (strcmp(wanted + length + 1, "length") != 0 &&
         (!text_count(wanted + length + 1, &value) || value >= format->values))) {
        return false;
    }
    format->value = (uint32_t)value;
    return true;
}

// Says why an array of this name is not read: for its components, unless there is `one`.
static void vti_say_unfit(struct vti *vti, uint64_t components, bool one)
{
    char how[140] = "";
    if (!one && vti->wanted && components <= SAMPLE_VALUES_MOST) {
        snprintf(
            how, sizeof how, ": --array %.40s:0, or %.40s:length for all of them", vti->wanted,
            vti->wanted);
    }
    snprintf(
        vti->unfit, sizeof vti->unfit,
        one ? "is of a type that is not supported"
            : "has %" PRIu64 " components per sample; cubist reads one%s",
        components, how);
}

// Adds the array to the contents.
static void vti_note_array(struct vti *vti, const char *name, const char *type, uint64_t components)
{
    struct contents_array *array =
        contents_add(vti->arrays, name, type ? type : "", vti->path, vti->problem);
    if (!array) {
        vti_stop(vti);
        return;
    }
    for (size_t i = 0; type && array->type[i]; i++) {
        array->type[i] = (char)tolower((unsigned char)array->type[i]);
    }
    contents_add_axis(array, "component", components, 0, NULL);
    for (size_t i = 0; i < 3; i++) {
        const int64_t cells = vti->whole[2 * i + 1] - vti->whole[2 * i];
        contents_add_axis(
            array, (const char *[]){ "x", "y", "z" }[i],
            (uint64_t)(cells + (vti->place != IN_CELL_DATA)), fabs(vti->spacing[i]), NULL);
    }
}

static void vti_start_array(struct vti *vti, const char *const *attributes)
{
    const char *wanted = vti->wanted;
    const char *name = vti_attribute(attributes, "Name");
    const char *type = vti_attribute(attributes, "type");
    const char *parts = vti_attribute(attributes, "NumberOfComponents");
    struct vti_array array = {
        .number = vti->numbers++,
        .line = (unsigned)XML_GetCurrentLineNumber(vti->parser),
    };
    uint64_t components = 1;
    if (vti->second) {
        if (array.number == vti->selected.number) {
            vti->collecting = vti->depth;
        }
        return;
    }
    name = name ? name : "";
    if (vti->place == ELSEWHERE) {
        return;
    }
    array.cells = vti->place == IN_CELL_DATA;
    if (array.cells) {
        vti_list_name(vti->cell_names, sizeof vti->cell_names, name);
    } else {
        vti_list_name(vti->names, sizeof vti->names, name);
    }
    snprintf(array.name, sizeof array.name, "%.*s", LONGEST_NAME, name);
    if (parts && !text_count(parts, &components)) {
        if (!array.cells) {
            vti_refuse(vti, "NumberOfComponents=\"%.60s\" is not a number", parts);
        }
        return;
    }
    vti_note_array(vti, name, type, components);
    const bool known = type && sample_format_named(WORDS_VTI, type, &array.format);
    array.format.values = components <= SAMPLE_VALUES_MOST ? (uint32_t)components : 0;
    array.format.value = UINT32_MAX - 1; // none
    const bool asked = vti_asks_for(wanted, name, &array.format);
    const bool one =
        components == 1 || (array.format.values > 1 && array.format.value != UINT32_MAX - 1);
    if (!one || !known) {
        if (asked || (!wanted && !*vti->unfit && !array.cells)) {
            vti_say_unfit(vti, components, one);
        }
        return;
    }
    const enum vti_rank rank = asked                            ? array.cells ? NAMED_CELLS : NAMED
                               : wanted                         ? UNFIT
                               : array.cells                    ? CELLS
                               : vti_text_is(vti->active, name) ? ACTIVE
                                                                : SCALAR;
    if (rank > vti->rank && vti_read_format(vti, attributes, &array)) {
        vti->rank = rank;
        vti->selected = array;
        vti->collecting = vti->depth;
        vti->arrays->chosen = vti->arrays->count - 1;
    }
}

// Stops the parser after this tag, because the following bytes may not be XML.
static void vti_start_appended(struct vti *vti, const char *const *attributes)
{
    const char *encoding = vti_attribute(attributes, "encoding");
    if (!vti_text_is(encoding, "raw") && !vti_text_is(encoding, "base64")) {
        vti_refuse(vti, "encoding=\"%.60s\"; expected raw or base64", encoding ? encoding : "");
        return;
    }
    vti->has_appended = true;
    vti->appended = vti_text_is(encoding, "raw") ? VTK_RAW : VTK_BASE64;
    vti->appended_at = (uint64_t)XML_GetCurrentByteIndex(vti->parser) +
                       (uint64_t)XML_GetCurrentByteCount(vti->parser);
    vti->stopped = true;
    XML_StopParser(vti->parser, XML_FALSE);
}

static void XMLCALL vti_on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    struct vti *vti = user;
    const char *const *at = (const char *const *)attributes;
    if (vti->failed || vti->stopped) {
        return;
    }
    vti->depth++;
    if (vti->depth > DEEPEST) {
        vti_refuse(vti, "more than %d tags inside each other", DEEPEST);
    } else if (vti->depth == 1 && strcmp(name, "VTKFile") != 0) {
        vti_refuse(vti, "<%.60s> is not a VTK file; expected <VTKFile>", name);
    } else if (vti->depth == 1) {
        vti_start_file(vti, at);
    } else if (strcmp(name, "AppendedData") == 0) {
        vti_start_appended(vti, at);
    } else if (vti->second) {
        if (strcmp(name, "DataArray") == 0) {
            vti_start_array(vti, at);
        }
    } else if (strcmp(name, "ImageData") == 0) {
        vti_start_image(vti, at);
    } else if (strcmp(name, "Piece") == 0) {
        vti_start_piece(vti, at);
    } else if (strcmp(name, "PointData") == 0 && vti->pieces == 1) {
        const char *active = vti_attribute(at, "Scalars");
        snprintf(vti->active, sizeof vti->active, "%.*s", LONGEST_NAME, active ? active : "");
        vti->place = IN_POINT_DATA;
    } else if (strcmp(name, "CellData") == 0) {
        vti->place = IN_CELL_DATA;
    } else if (strcmp(name, "DataArray") == 0) {
        vti_start_array(vti, at);
    }
}

static void XMLCALL vti_on_end(void *user, const XML_Char *name)
{
    struct vti *vti = user;
    if (vti->failed || vti->stopped) {
        return;
    }
    if (vti->collecting == vti->depth) {
        vti->collecting = 0;
        vti->selected.text_end = (uint64_t)XML_GetCurrentByteIndex(vti->parser);
        if (vti->second) {
            vti->stopped = true;
            XML_StopParser(vti->parser, XML_FALSE);
        }
    }
    if (strcmp(name, "PointData") == 0 || strcmp(name, "CellData") == 0) {
        vti->place = ELSEWHERE;
    }
    vti->depth--;
}

static void XMLCALL vti_on_characters(void *user, const XML_Char *text, int length)
{
    struct vti *vti = user;
    // Text of a tag inside the array's tag does not count.
    if (vti->failed || vti->stopped || !vti->collecting || vti->collecting != vti->depth) {
        return;
    }
    if (vti->second) {
        if (!vtk_blocks_put(&vti->blocks, text, (size_t)length, vti->problem)) {
            vti_stop(vti);
        }
        return;
    }
    struct vti_array *array = &vti->selected;
    int blanks = 0;
    while (array->text == 0 && blanks < length && strchr(" \t\r\n", text[blanks])) {
        blanks++;
    }
    if (blanks == length) {
        return;
    }
    if (array->text == 0) {
        array->text_at = (uint64_t)XML_GetCurrentByteIndex(vti->parser) + (uint64_t)blanks;
    }
    // The parser passes CR and LF as LF. What else it replaces is counted as less than its bytes.
    const int bytes = XML_GetCurrentByteCount(vti->parser);
    const bool line = bytes == 2 && length == 1 && *text == '\n';
    array->text += (uint64_t)((line ? bytes : length) - blanks);
}

// Entities can make a small file expand without end. No VTK file has any.
static void XMLCALL vti_on_doctype(
    void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public, int more)
{
    struct vti *vti = user;
    (void)name, (void)system, (void)public, (void)more;
    if (!vti->failed && !vti->stopped) {
        vti_refuse(vti, "a document type (DOCTYPE), which VTK files do not have");
    }
}

static bool vti_parse_chunks(struct vti *vti, struct source *source)
{
    char chunk[CHUNK];
    uint64_t fed = 0;
    bool more = true;
    while (more && !vti->failed && !vti->stopped) {
        size_t got;
        if (!source_read(source, chunk, CHUNK, &got, vti->problem)) {
            return false;
        }
        fed += got;
        more = got > 0;
        const enum XML_Status status = XML_Parse(vti->parser, chunk, (int)got, !more);
        if (vti->failed || vti->stopped) {
            break;
        }
        if (status == XML_STATUS_ERROR) {
            const enum XML_Error error = XML_GetErrorCode(vti->parser);
            if (error == XML_ERROR_NO_MEMORY) {
                return problem_no_memory(vti->problem, "reading", vti->path);
            }
            vti_refuse(vti, "invalid XML: %s", XML_ErrorString(error));
            break;
        }
        // Limit tags, because the parser scans an incomplete tag again with every chunk.
        const XML_Index at = XML_GetCurrentByteIndex(vti->parser);
        if (at >= 0 && fed - (uint64_t)at > LONGEST_TAG) {
            vti_refuse(vti, "a tag of more than 1 MiB");
        }
    }
    return !vti->failed;
}

static bool vti_parse(struct vti *vti, struct source *source)
{
    vti->parser = XML_ParserCreate(NULL);
    vti->failed = vti->stopped = false;
    vti->depth = vti->numbers = vti->collecting = 0;
    if (!vti->parser) {
        return problem_no_memory(vti->problem, "reading", vti->path);
    }
    XML_SetUserData(vti->parser, vti);
    XML_SetElementHandler(vti->parser, vti_on_start, vti_on_end);
    XML_SetCharacterDataHandler(vti->parser, vti_on_characters);
    XML_SetStartDoctypeDeclHandler(vti->parser, vti_on_doctype);
    const bool ok = vti_parse_chunks(vti, source);
    XML_ParserFree(vti->parser);
    vti->parser = NULL;
    return ok;
}

// Checks, after the first pass, that there is an array to read.
static bool vti_check_selection(const struct vti *vti)
{
    const char *wanted = vti->wanted;
    struct problem *problem = vti->problem;
    if (!vti->has_extent || vti->pieces == 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' ends before its first array: it has no %s", vti->path,
            vti->has_extent ? "Piece" : "ImageData");
    }
    if (vti->rank == UNFIT && wanted && *vti->unfit) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': array '%s' %s", vti->path, wanted, vti->unfit);
    }
    if (vti->rank == UNFIT && !vti->names[0] && !vti->cell_names[0]) {
        return problem_set(problem, PROBLEM_INPUT, "'%s' has no point data", vti->path);
    }
    if (vti->rank == UNFIT && wanted) {
        return problem_set(
            problem, PROBLEM_USAGE, "'%s' has no array '%s'; its arrays are %s%s%s", vti->path,
            wanted, vti->names, vti->names[0] && vti->cell_names[0] ? ", " : "", vti->cell_names);
    }
    if (vti->rank == UNFIT && !vti->names[0]) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has no point data, and no cell data of one component (%s)", vti->path,
            vti->cell_names);
    }
    if (vti->rank == UNFIT) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has no array with one component (%s): the first %s",
            vti->path, vti->names, vti->unfit);
    }
    if (vti->rank == CELLS) {
        log_warn(
            "'%s' has no point data of one component; its cell data '%s' are read", vti->path,
            vti->selected.name);
    }
    if (!wanted && vti->rank != CELLS && strchr(vti->names, ',')) {
        log_warn(
            "'%s' has several arrays (%s); '%s' is read, --array NAME reads another", vti->path,
            vti->names, vti->selected.name);
    }
    const bool packed =
        vti->zlib && (vti->selected.appended || vti->selected.encoding != VTK_ASCII);
    if (packed && strcmp(vti->compressor, "vtkZLibDataCompressor") != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is compressed with %s, which is not supported; save it with zlib or none",
            vti->path, vti->compressor);
    }
    if (vti->selected.appended && !vti->has_appended) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': array '%s' is appended, but there is no AppendedData",
            vti->path, vti->selected.name);
    }
    return true;
}

// Whether the file is large enough for its samples. Called before memory is allocated for them.
static bool
vti_check_size(const struct vti *vti, const struct source *source, const uint64_t dim[3])
{
    const uint64_t count = dim[0] * dim[1] * dim[2]; // cannot overflow: samples_describe has run
    const enum vtk_encoding encoding =
        vti->selected.appended ? vti->appended : vti->selected.encoding;
    uint64_t least = encoding == VTK_ASCII ? count : count * sample_size(&vti->selected.format);
    if (vti->zlib && encoding != VTK_ASCII) {
        least /= 1032; // deflate compresses at most 1032:1
    }
    return least <= source->size || problem_set(
                                        vti->problem, PROBLEM_INPUT,
                                        "'%s' has %" PRIu64 " bytes, too few for the %" PRIu64
                                        "x%" PRIu64 "x%" PRIu64 " samples of its WholeExtent",
                                        vti->path, source->size, dim[0], dim[1], dim[2]);
}

// Finds where the appended data of the selected array begins in the file.
static bool vti_find_appended(const struct vti *vti, struct source *source, uint64_t *at)
{
    unsigned char window[256];
    const size_t got = source_peek_at(source, vti->appended_at, window, sizeof window);
    size_t i = 0;
    while (i < got && strchr(" \t\r\n", window[i]) && window[i]) {
        i++;
    }
    if (i == got || window[i] != '_') {
        return problem_set(
            vti->problem, PROBLEM_INPUT,
            "'%s': the appended data (byte %" PRIu64 ") does not begin with '_'", vti->path,
            vti->appended_at);
    }
    *at = vti->appended_at + i + 1;
    const uint64_t left = source->size - *at;
    if (vti->selected.offset > left) {
        return problem_set(
            vti->problem, PROBLEM_INPUT,
            "'%s': offset %" PRIu64 " of array '%s' lies beyond the appended data (%" PRIu64
            " bytes)",
            vti->path, vti->selected.offset, vti->selected.name, left);
    }
    *at += vti->selected.offset;
    return true;
}

// Parses the file again, for the text of the selected array.
static bool vti_parse_again(struct vti *vti)
{
    struct source again;
    vti->second = true;
    const bool ok = source_open(vti->path, &again, vti->problem) &&
                    source_unchanged(&again, &vti->blocks.source->stamp, vti->problem) &&
                    vti_parse(vti, &again);
    source_close(&again);
    return ok;
}

// VTK's Origin is the position of sample (0, 0, 0), which may lie outside of the extent.
static bool vti_place(const struct vti *vti, struct volume *volume)
{
    double steps[3][3], origin[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = vti->origin[i];
        for (int a = 0; a < 3; a++) {
            steps[a][i] = vti->direction[3 * i + a] * vti->spacing[a];
            origin[i] += steps[a][i] * ((double)vti->whole[2 * a] + vti->selected.cells * 0.5);
        }
    }
    return affine_set(volume, (const double(*)[3])steps, origin, vti->path, vti->problem);
}

// Opens raw appended samples: the count of their bytes, then a payload.
static bool vti_open_appended(
    struct vti *vti, struct source *source, const struct volume_params *params,
    const struct payload *described, struct volume_file *out)
{
    struct payload payload = *described;
    const uint64_t *dim = payload.dim;
    const uint64_t count = dim[0] * dim[1] * dim[2], size = sample_size(&payload.format);
    unsigned char word[8] = { 0 };
    uint64_t at;
    if (!vti_find_appended(vti, source, &at)) {
        return false;
    }
    const size_t got = source_peek_at(source, at, word, vti->word_size);
    const uint64_t bytes = sample_bits(word, vti->word_size, vti->order == BYTE_ORDER_BIG);
    if (got == vti->word_size && bytes != count * size) {
        return problem_set(
            vti->problem, PROBLEM_INPUT,
            "'%s': the array says that it has %" PRIu64 " bytes, but its samples have %" PRIu64,
            vti->path, bytes, count * size);
    }
    payload.offset = at + got;
    payload.length = count * size;
    if (source->size - payload.offset < payload.length) {
        return problem_set(
            vti->problem, PROBLEM_INPUT,
            "'%s': the array ends too early: %" PRIu64 " of its %" PRIu64 " samples are there",
            vti->path, (source->size - payload.offset) / size, count);
    }
    return payload_open(source, &payload, params, out, vti->problem);
}

static bool vti_feed(void *user, struct problem *problem)
{
    struct vti *vti = user;
    vti->problem = problem;
    return vti_parse_again(vti);
}

static bool vti_read_block(void *user, const uint64_t at[3], void *out, struct problem *problem)
{
    return vtk_blocks_read(&((struct vti *)user)->blocks, at[2], out, problem);
}

static bool vti_unchanged(const void *user, struct problem *problem)
{
    const struct vti *vti = user;
    return source_unchanged(&vti->source, &vti->source.stamp, problem);
}

static void vti_close(void *state)
{
    struct vti *vti = state;
    vtk_blocks_free(&vti->blocks);
    source_close(&vti->source);
    free(vti);
}

// Whether the text of the selected array is one run of bytes of the file.
static bool vti_text_is_whole(const struct vti *vti)
{
    const struct vti_array *array = &vti->selected;
    return array->text > 0 && array->text == array->text_end - array->text_at;
}

// Opens numbers in text.
static bool vti_open_text(
    struct vti *vti, struct source *source, const struct volume_params *params,
    const struct payload *described, struct volume_file *out)
{
    struct vtk_blocks *blocks = &vti->blocks;
    struct payload payload = *described;
    payload.encoding = PAYLOAD_TEXT;
    *blocks = (struct vtk_blocks){ .source = source, .feed = vti_feed, .user = vti };
    if (vti_text_is_whole(vti)) {
        payload.offset = vti->selected.text_at;
        payload.length = vti->selected.text;
    } else if (!vtk_blocks_copy(blocks, vti->problem)) {
        vtk_blocks_free(blocks);
        return false;
    }
    const bool fine = payload_open(blocks->source, &payload, params, out, vti->problem);
    vtk_blocks_free(blocks);
    return fine;
}

// Opens contents in base64, or compressed, by blocks.
static bool vti_open_blocks(
    const struct vti *vti, struct source *source, const struct volume_params *params,
    const struct payload *described, struct volume_file *out)
{
    const uint64_t *dim = described->dim;
    const struct vti_array *array = &vti->selected;
    struct vti *state = malloc(sizeof *state);
    if (!state) {
        return problem_no_memory(vti->problem, "reading", vti->path);
    }
    *state = *vti;
    state->wanted = NULL; // the array has been selected
    state->source = source_take(source);
    struct vtk_blocks *blocks = &state->blocks;
    *blocks = (struct vtk_blocks){
        .source = &state->source,
        .base64 = !array->appended || vti->appended == VTK_BASE64,
        .zlib = vti->zlib,
        .word_size = vti->word_size,
        .order = vti->order,
        .sample = sample_size(&array->format),
        .bytes = dim[0] * dim[1] * dim[2] * sample_size(&array->format),
        .feed = array->appended ? NULL : vti_feed,
        .user = state,
        .end = state->source.size,
    };
    bool ok = true;
    if (array->appended) {
        ok = vti_find_appended(vti, &state->source, &blocks->at);
    } else if (vti_text_is_whole(vti)) {
        blocks->at = array->text_at;
        blocks->end = array->text_end;
    } else {
        blocks->at = blocks->end;
    }
    if (!ok || !vtk_blocks_begin(blocks, vti->problem) ||
        !source_sound(&state->source, vti->problem)) {
        vti_close(state);
        return false;
    }
    const struct chunks chunks = {
        .path = vti->path,
        .format = array->format,
        .dim = { dim[0], dim[1], dim[2] },
        .run = blocks->size,
        .read = vti_read_block,
        .unchanged = vti_unchanged,
        .close = vti_close,
        .user = state,
    };
    return chunks_open(&chunks, params, out, vti->problem);
}

bool vti_matches(const struct file_head *head)
{
    char text[READER_HEAD + 1];
    memcpy(text, head->bytes, head->size);
    text[head->size] = 0;
    return !head->gzip && strstr(text, "<VTKFile");
}

bool vti_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct vti vti = {
        .path = source->path,
        .wanted = params->pick.array,
        .problem = problem,
        .arrays = &out->contents,
        .spacing = { 1, 1, 1 },
        .direction = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    };
    struct source again;
    const bool parsed = source_open(source->path, &again, problem) && vti_parse(&vti, &again);
    source_close(&again);
    if (!parsed || !vti_check_selection(&vti)) {
        return false;
    }
    struct payload payload = { 0 };
    for (int i = 0; i < 3; i++) {
        payload.dim[i] = (uint64_t)(vti.whole[2 * i + 1] - vti.whole[2 * i] + !vti.selected.cells);
    }
    struct sample_format *format = &vti.selected.format;
    const bool text = !vti.selected.appended && vti.selected.encoding == VTK_ASCII;
    format->order = text ? BYTE_ORDER_HOST : vti.order;
    payload.format = *format;
    const bool plain = vti.selected.appended && vti.appended == VTK_RAW && !vti.zlib;
    return samples_describe(
               source->path, payload.dim, format, params->max_bytes, &out->volume, problem) &&
           vti_check_size(&vti, source, payload.dim) &&
           (plain  ? vti_open_appended(&vti, source, params, &payload, out)
            : text ? vti_open_text(&vti, source, params, &payload, out)
                   : vti_open_blocks(&vti, source, params, &payload, out)) &&
           vti_place(&vti, &out->volume);
}
