// NumPy arrays (.npy, versions 1.0 to 3.0): a header that is the text of a Python dict, then the
// samples.
//
// The last axis of the array is x, the first z, in either order of the samples. The axes of the
// volume are those of the file, fastest first. So an array in Fortran order has its axes exchanged,
// and its directions say so: the same array lies at the same place.
#include "volumes/formats/npy.h"

#include "volumes/affine.h"
#include "volumes/formats/readers.h"

#include <stdio.h>
#include <string.h>

#define NPY_MAGIC "\x93NUMPY"

struct npy {
    const char *path;
    struct problem *problem;
    char text[READER_HEAD + 1]; // the dict, or its start where the header is longer
    struct payload payload;
    bool fortran;
};

bool npy_matches(const struct file_head *head)
{
    return file_head_has(head, 0, NPY_MAGIC, 6);
}

// What follows the key in the dict; NULL: there is no such key.
static const char *npy_value(const struct npy *npy, const char *key)
{
    const char *at = strstr(npy->text, key);
    if (!at) {
        problem_set(
            npy->problem, PROBLEM_INPUT,
            "'%s': the header of the array has no %s within its first %d bytes", npy->path, key,
            READER_HEAD);
        return NULL;
    }
    at += strlen(key);
    return at + strspn(at, " :");
}

static bool npy_read_type(struct npy *npy)
{
    const char *at = npy_value(npy, "'descr'");
    if (!at) {
        return false;
    }
    const char order = at[0] ? at[1] : 0;
    const bool known = at[0] == '\'' && order && strchr("<>=|", order);
    if (known && strlen(at) > 4 && at[4] == '\'') {
        const char name[] = { at[2], at[3], 0 };
        npy->payload.format.order = order == '>' ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
        if (sample_format_named(WORDS_NUMPY, name, &npy->payload.format)) {
            return true;
        }
    }
    return problem_set(
        npy->problem, PROBLEM_INPUT,
        "'%s': the array holds %.*s; expected b1, u1 ... u8, i1 ... i8, f2, f4 or f8, one value "
        "per "
        "sample",
        npy->path, (int)(at[0] == '\'' ? strcspn(at + 1, "'") + 2 : strcspn(at, ",")), at);
}

static bool npy_read_order(struct npy *npy)
{
    const char *at = npy_value(npy, "'fortran_order'");
    if (!at) {
        return false;
    }
    npy->fortran = strncmp(at, "True", 4) == 0;
    return npy->fortran || strncmp(at, "False", 5) == 0 ||
           problem_set(
               npy->problem, PROBLEM_INPUT, "'%s': fortran_order is neither True nor False",
               npy->path);
}

// Reads the axes that have more than one sample.
static bool npy_read_shape(struct npy *npy)
{
    const char *at = npy_value(npy, "'shape'");
    if (!at) {
        return false;
    }
    const size_t length = strcspn(at, ")");
    uint64_t axes[3];
    int count = 0;
    bool fine = *at == '(' && at[length] == ')';
    for (const char *word = at + 1; fine && *word != ')';) {
        char digits[24];
        uint64_t size;
        const size_t end = strspn(word, "0123456789");
        snprintf(digits, sizeof digits, "%.*s", (int)end, word);
        fine = end > 0 && end < sizeof digits && text_count(digits, &size) && size > 0;
        if (fine && size > 1) {
            axes[count < 3 ? count : 0] = size;
            count++;
        }
        word += end + strspn(word + end, "L, ");
    }
    if (!fine || count != 3) {
        return problem_set(
            npy->problem, PROBLEM_INPUT,
            "'%s': the array has the shape %.*s; expected three axes of more than one sample",
            npy->path, (int)(length < 80 ? length + (at[length] == ')') : 80), at);
    }
    for (int a = 0; a < 3; a++) {
        npy->payload.dim[a] = axes[npy->fortran ? a : 2 - a];
    }
    return true;
}

bool npy_describe(
    const void *head, size_t size, const char *path, struct npy_array *out, struct problem *problem)
{
    struct npy npy = { .path = path, .problem = problem };
    const unsigned char *magic = head;
    if (size < 12 || memcmp(magic, NPY_MAGIC, 6) != 0 || magic[6] < 1 || magic[6] > 3) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is not a NumPy array of version 1, 2 or 3", path);
    }
    const size_t begin = magic[6] == 1 ? 10 : 12;
    const uint64_t length = sample_bits(magic + 8, begin - 8, false);
    const size_t most = size - begin < sizeof npy.text - 1 ? size - begin : sizeof npy.text - 1;
    memcpy(npy.text, magic + begin, length < most ? (size_t)length : most);
    npy.payload.offset = begin + length;
    const bool fine = npy_read_type(&npy) && npy_read_order(&npy) && npy_read_shape(&npy);
    *out = (struct npy_array){ npy.payload, npy.fortran };
    return fine;
}

bool npy_place(
    const struct npy_array *array, const char *path, struct volume *volume, struct problem *problem)
{
    static const double straight[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const double exchanged[3][3] = { { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 } };
    return affine_set(
        volume, array->fortran ? exchanged : straight, (double[3]){ 0 }, path, problem);
}

bool npy_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    unsigned char head[NPY_HEAD];
    struct npy_array array;
    const size_t size = source_peek(source, head, sizeof head);
    return npy_describe(head, size, source->path, &array, problem) &&
           payload_open(source, &array.payload, params, out, problem) &&
           npy_place(&array, source->path, &out->volume, problem);
}
