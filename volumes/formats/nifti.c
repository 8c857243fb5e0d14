// NIfTI-1 and NIfTI-2, and Analyze 7.5, from which they come: one file (.nii, .nii.gz) or a pair
// (.hdr, .img), both byte orders. The header is a fixed block of bytes. The two versions have the
// same fields at different offsets.
//
// The position of the samples comes from sform, otherwise from qform, otherwise from pixdim alone.
// A form that is not usable is skipped. sform and qform are in RAS and are converted to LPS. pixdim
// has no patient's frame. Analyze has only pixdim.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nifti_layout {
    size_t size, magic;
    size_t dim, dim_size; // dim: eight values of dim_size bytes each
    size_t datatype, bitpix;
    size_t real_size; // bytes of each real below
    size_t pixdim, vox_offset, slope, intercept;
    size_t qform, sform, intent, code_size;
    size_t quatern, qoffset, srow;
};

static const struct nifti_layout layouts[] = {
    { .size = 348,
      .magic = 344,
      .dim = 40,
      .dim_size = 2,
      .datatype = 70,
      .bitpix = 72,
      .real_size = 4,
      .pixdim = 76,
      .vox_offset = 108,
      .slope = 112,
      .intercept = 116,
      .qform = 252,
      .sform = 254,
      .intent = 68,
      .code_size = 2,
      .quatern = 256,
      .qoffset = 268,
      .srow = 280 },
    { .size = 540,
      .magic = 4,
      .dim = 16,
      .dim_size = 8,
      .datatype = 12,
      .bitpix = 14,
      .real_size = 8,
      .pixdim = 104,
      .vox_offset = 168,
      .slope = 176,
      .intercept = 184,
      .qform = 344,
      .sform = 348,
      .intent = 504,
      .code_size = 4,
      .quatern = 352,
      .qoffset = 376,
      .srow = 400 },
};

#define MOST_HEADER 540

enum { INTENT_LABELS = 1002 };

struct nifti {
    const char *path; // path of the header, for messages
    const struct nifti_layout *layout;
    int version;
    bool analyze; // version 1 without its magic: a pair, and no forms
    bool pair;    // the samples are in a second file
    bool big;
    unsigned char bytes[MOST_HEADER];
    uint64_t vox_offset;
    bool unsaid; // vox_offset was 0: the samples follow the header
};

// One row per datatype. Rows without `read` are named in the error message and refused.
static const struct {
    int code, bits;
    bool read, wide;
    enum volume_type type;
    const char *name;
} datatypes[] = {
    { 2, 8, true, false, VOLUME_UINT8, "uint8" },
    { 4, 16, true, false, VOLUME_INT16, "int16" },
    { 8, 32, true, false, VOLUME_INT32, "int32" },
    { 16, 32, true, false, VOLUME_FLOAT32, "float32" },
    { 64, 64, true, false, VOLUME_FLOAT64, "float64" },
    { 256, 8, true, false, VOLUME_INT8, "int8" },
    { 512, 16, true, false, VOLUME_UINT16, "uint16" },
    { 768, 32, true, false, VOLUME_UINT32, "uint32" },
    { 1024, 64, true, true, VOLUME_INT32, "int64" },
    { 1280, 64, true, true, VOLUME_UINT32, "uint64" },
    { .code = 1, .name = "one bit per sample" },
    { .code = 32, .name = "complex64" },
    { .code = 128, .name = "RGB" },
    { .code = 1536, .name = "float128" },
    { .code = 1792, .name = "complex128" },
    { .code = 2048, .name = "complex256" },
    { .code = 2304, .name = "RGBA" },
};

static uint64_t nifti_bits_at(const struct nifti *nifti, size_t at, size_t size)
{
    return sample_bits(nifti->bytes + at, size, nifti->big);
}

static int64_t nifti_whole_at(const struct nifti *nifti, size_t at, size_t size)
{
    const uint64_t bits = nifti_bits_at(nifti, at, size);
    return size == 2 ? (int16_t)bits : size == 4 ? (int32_t)bits : (int64_t)bits;
}

// Number `i` of the reals that begin at `at`.
static double nifti_real_at(const struct nifti *nifti, size_t at, int i)
{
    const size_t size = nifti->layout->real_size;
    return sample_real(nifti->bytes + at + (size_t)i * size, size, nifti->big);
}

// The version whose header size the first four bytes hold, in either byte order; 0: none.
static int nifti_version_of(const unsigned char *bytes, bool *big)
{
    for (int version = 1; version <= 2; version++) {
        const size_t size = layouts[version - 1].size;
        *big = sample_bits(bytes, 4, true) == size;
        if (*big || sample_bits(bytes, 4, false) == size) {
            return version;
        }
    }
    return 0;
}

// 'n+1', 'ni1' and the like. In version 2 a signature follows that reveals a transfer as text.
// Returns 0: none, '+': one file, 'i': a pair.
static char nifti_magic_of(const unsigned char *magic, int version)
{
    if (magic[0] != 'n' || (magic[1] != '+' && magic[1] != 'i') || magic[2] != '0' + version ||
        magic[3] != 0 || (version == 2 && memcmp(magic + 4, "\r\n\x1a\n", 4) != 0)) {
        return 0;
    }
    return (char)magic[1];
}

bool nifti_matches(const struct file_head *head)
{
    bool big;
    const int version = head->size >= 4 ? nifti_version_of(head->bytes, &big) : 0;
    const size_t magic = version ? layouts[version - 1].magic : 0;
    return version && head->size >= magic + (version == 2 ? 8 : 4) &&
           nifti_magic_of(head->bytes + magic, version);
}

static bool nifti_ends_in(
    const struct nifti *nifti, const char *what, uint64_t got, uint64_t size,
    struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT, "'%s' ends in %s: %" PRIu64 " of its %" PRIu64 " bytes are there",
        nifti->path, what, got, size);
}

static bool nifti_read_exactly(
    struct nifti *nifti, struct source *source, void *bytes, size_t size, const char *what,
    struct problem *problem)
{
    size_t got;
    return source_read(source, bytes, size, &got, problem) &&
           (got == size || nifti_ends_in(nifti, what, got, size, problem));
}

static bool nifti_read_header(struct nifti *nifti, struct source *source, struct problem *problem)
{
    if (!nifti_read_exactly(nifti, source, nifti->bytes, 4, "its NIfTI header", problem)) {
        return false;
    }
    nifti->version = nifti_version_of(nifti->bytes, &nifti->big);
    if (nifti->version == 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not a NIfTI file: it begins with %02x %02x %02x %02x; expected 348 (NIfTI-1) "
            "or "
            "540 (NIfTI-2) in either byte order",
            nifti->path, nifti->bytes[0], nifti->bytes[1], nifti->bytes[2], nifti->bytes[3]);
    }
    nifti->layout = &layouts[nifti->version - 1];
    if (!nifti_read_exactly(
            nifti, source, nifti->bytes + 4, nifti->layout->size - 4, "its NIfTI header",
            problem)) {
        return false;
    }
    const char magic = nifti_magic_of(nifti->bytes + nifti->layout->magic, nifti->version);
    nifti->analyze =
        !magic && nifti->version == 1 && path_has_extension(nifti->path, ".hdr .hdr.gz");
    if (!magic && !nifti->analyze) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' has no NIfTI magic at byte %zu; %s", nifti->path,
            nifti->layout->magic,
            nifti->version == 1 ? "the header of an Analyze 7.5 file is named .hdr"
                                : "it may have been sent as text");
    }
    nifti->pair = magic == 'i' || nifti->analyze;
    return true;
}

static bool nifti_check_offset(
    struct nifti *nifti, const struct source *source, bool gzip, struct problem *problem)
{
    const struct nifti_layout *layout = nifti->layout;
    const uint64_t least = nifti->pair ? 0 : layout->size + 4; // the extension flag has 4 bytes
    const bool whole = nifti->version == 2;
    const double real = whole ? 0 : nifti_real_at(nifti, layout->vox_offset, 0);
    const int64_t bytes = whole ? nifti_whole_at(nifti, layout->vox_offset, 8) : 0;
    if (whole ? bytes < 0 : !(real >= 0 && real <= 0x1p53 && real == floor(real))) {
        char text[40];
        snprintf(text, sizeof text, "%g", whole ? (double)bytes : real);
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': vox_offset is %s; expected a number of bytes",
            nifti->path, text);
    }
    nifti->vox_offset = whole ? (uint64_t)bytes : (uint64_t)real;
    nifti->unsaid = nifti->vox_offset == 0;
    if (nifti->unsaid) {
        nifti->vox_offset = least;
    }
    if (nifti->vox_offset < least) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': vox_offset is %" PRIu64 ", inside the header; expected at least %" PRIu64,
            nifti->path, nifti->vox_offset, least);
    }
    // Deflate compresses at most 1032:1.
    if (!nifti->pair && !nifti->unsaid && nifti->vox_offset / (gzip ? 1032 : 1) > source->size) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': vox_offset is %" PRIu64 ", beyond the end of the file (%" PRIu64 " bytes)",
            nifti->path, nifti->vox_offset, source->size);
    }
    return true;
}

// Checks the unused header extensions: if their sizes do not add up, vox_offset is wrong.
static bool
nifti_check_extensions(struct nifti *nifti, struct source *source, struct problem *problem)
{
    unsigned char extender[4];
    uint64_t at = nifti->layout->size + 4;
    if (nifti->vox_offset < at + 8 && !nifti->unsaid) {
        return true;
    }
    if (!nifti_read_exactly(nifti, source, extender, 4, "its NIfTI header", problem)) {
        return false;
    }
    if (nifti->unsaid && extender[0] != 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has header extensions, but its vox_offset is 0; expected it to say where they "
            "end",
            nifti->path);
    }
    while (extender[0] != 0 && nifti->vox_offset - at >= 8) {
        unsigned char head[8];
        if (!nifti_read_exactly(nifti, source, head, 8, "a header extension", problem)) {
            return false;
        }
        const uint32_t size = (uint32_t)sample_bits(head, 4, nifti->big);
        if (size < 16 || size % 16 != 0 || size > nifti->vox_offset - at) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s': the header extension at byte %" PRIu64 " has %" PRIu32
                " bytes; expected a multiple of 16 that ends by vox_offset, %" PRIu64,
                nifti->path, at, size, nifti->vox_offset);
        }
        uint64_t missing;
        if ((source->packed && !input_skips(nifti->path, size, problem)) ||
            !source_skip(source, size - 8, &missing, problem)) {
            return false;
        }
        if (missing > 0) {
            return nifti_ends_in(nifti, "a header extension", size - missing, size, problem);
        }
        at += size;
    }
    return true;
}

static bool
nifti_read_dims(const struct nifti *nifti, struct payload *payload, struct problem *problem)
{
    const struct nifti_layout *layout = nifti->layout;
    const int64_t count = nifti_whole_at(nifti, layout->dim, layout->dim_size);
    if (count < 1 || count > 7) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': dim[0] is %" PRId64 "; expected 1 to 7 dimensions",
            nifti->path, count);
    }
    payload->frames = 1;
    for (int i = 0; i < 7; i++) {
        const size_t at = layout->dim + (size_t)(i + 1) * layout->dim_size;
        const int64_t dim = i < count ? nifti_whole_at(nifti, at, layout->dim_size) : 1;
        if (dim < 1) {
            return problem_set(
                problem, PROBLEM_INPUT, "'%s': dim[%d] is %" PRId64 "; expected 1 or more",
                nifti->path, i + 1, dim);
        }
        if (i < 3) {
            payload->dim[i] = (uint64_t)dim;
        } else if (__builtin_mul_overflow(payload->frames, (uint64_t)dim, &payload->frames)) {
            return problem_set(
                problem, PROBLEM_LIMIT, "'%s': it has more volumes than 64 bits can count",
                nifti->path);
        }
        // The fifth axis holds components. The next ones have no meaning; they count as components.
        payload->channels = i > 3 ? payload->channels * (uint64_t)dim : 1;
    }
    return true;
}

static bool
nifti_read_datatype(const struct nifti *nifti, struct payload *payload, struct problem *problem)
{
    const int code = (int)nifti_whole_at(nifti, nifti->layout->datatype, 2);
    const int bits = (int)nifti_whole_at(nifti, nifti->layout->bitpix, 2);
    size_t i = 0;
    while (i < sizeof datatypes / sizeof *datatypes && datatypes[i].code != code) {
        i++;
    }
    if (i == sizeof datatypes / sizeof *datatypes) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': datatype %d is not one that NIfTI defines", nifti->path,
            code);
    }
    if (!datatypes[i].read) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' holds %s samples (datatype %d), which are not supported; convert them to real "
            "numbers (nibabel, or fslmaths)",
            nifti->path, datatypes[i].name, code);
    }
    if (bits != datatypes[i].bits) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': bitpix is %d, but datatype %d (%s) has %d bits per sample", nifti->path, bits,
            code, datatypes[i].name, datatypes[i].bits);
    }
    payload->format.type = datatypes[i].type;
    payload->format.wide = datatypes[i].wide;
    return true;
}

static void nifti_read_scaling(const struct nifti *nifti, struct payload *payload)
{
    const double slope = nifti_real_at(nifti, nifti->layout->slope, 0);
    const double intercept = nifti_real_at(nifti, nifti->layout->intercept, 0);
    if (!isfinite(slope) || (slope != 0 && !isfinite(intercept))) {
        log_warn(
            "'%s': slope %g and intercept %g are not a scaling; the samples are taken as stored",
            nifti->path, slope, intercept);
        return;
    }
    payload->format.slope = slope;
    payload->format.intercept = slope != 0 ? intercept : 0;
    if (slope != 0 && (slope != 1 || intercept != 0)) {
        log_warn(
            "'%s': samples are scaled as the file asks: %g * stored + %g, as float32", nifti->path,
            slope, intercept);
    }
}

// Reads pixdim[1..3]. A value that is not a distance is replaced by 1, with a warning.
static void nifti_read_pixdim(const struct nifti *nifti, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = fabs(nifti_real_at(nifti, nifti->layout->pixdim, i + 1));
        if (!(out[i] > 0) || !isfinite(out[i])) {
            log_warn(
                "'%s': pixdim[%d] is %g, which is not a distance; 1 is used", nifti->path, i + 1,
                nifti_real_at(nifti, nifti->layout->pixdim, i + 1));
            out[i] = 1;
        }
    }
}

static void nifti_read_sform(const struct nifti *nifti, double steps[3][3], double origin[3])
{
    for (int r = 0; r < 3; r++) {
        for (int a = 0; a < 3; a++) {
            steps[a][r] = nifti_real_at(nifti, nifti->layout->srow, 4 * r + a);
        }
        origin[r] = nifti_real_at(nifti, nifti->layout->srow, 4 * r + 3);
    }
}

// The rotation of the unit quaternion (a, b, c, d); a follows from the others. The third axis is
// reversed where pixdim[0], qfac, is negative.
static void nifti_read_qform(const struct nifti *nifti, double steps[3][3], double origin[3])
{
    double b = nifti_real_at(nifti, nifti->layout->quatern, 0);
    double c = nifti_real_at(nifti, nifti->layout->quatern, 1);
    double d = nifti_real_at(nifti, nifti->layout->quatern, 2);
    double pixdim[3];
    nifti_read_pixdim(nifti, pixdim);
    double a = 1 - (b * b + c * c + d * d);
    if (a < 1e-7) { // a rotation by 180 degrees, up to rounding
        const double size = sqrt(b * b + c * c + d * d);
        b /= size;
        c /= size;
        d /= size;
        a = 0;
    } else {
        a = sqrt(a);
    }
    const double rotation[3][3] = {
        { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
        { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b) },
        { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b },
    };
    pixdim[2] *= nifti_real_at(nifti, nifti->layout->pixdim, 0) < 0 ? -1 : 1;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 3; i++) {
            steps[i][r] = rotation[r][i] * pixdim[i];
        }
        origin[r] = nifti_real_at(nifti, nifti->layout->qoffset, r);
    }
}

static bool nifti_place(const struct nifti *nifti, struct volume *volume, struct problem *problem)
{
    static const struct {
        const char *name;
        void (*read)(const struct nifti *, double[3][3], double[3]);
    } forms[] = { { "sform", nifti_read_sform }, { "qform", nifti_read_qform } };
    const size_t codes[] = { nifti->layout->sform, nifti->layout->qform };
    for (int i = 0; i < 2; i++) {
        double steps[3][3], origin[3];
        if (nifti->analyze || nifti_whole_at(nifti, codes[i], nifti->layout->code_size) <= 0) {
            continue;
        }
        forms[i].read(nifti, steps, origin);
        affine_flip(steps, origin, (const double[2]){ -1, -1 });
        struct problem why;
        if (affine_set(volume, (const double(*)[3])steps, origin, nifti->path, &why)) {
            volume->frame = VOLUME_FRAME_LPS;
            return true;
        }
        log_warn("%s; its %s is ignored", why.text, forms[i].name);
    }
    if (nifti->analyze) {
        log_warn(
            "'%s' is an Analyze 7.5 file, which does not say how it lies in space; left and right "
            "may be exchanged",
            nifti->path);
    }
    double pixdim[3];
    nifti_read_pixdim(nifti, pixdim);
    return affine_set_spacing(volume, pixdim, nifti->path, problem);
}

// The name (without folder) of the file that belongs to `path`: a last .gz is dropped, and the
// extension before it is replaced by `extension` in the same case. Allocated; NULL: out of memory.
static char *nifti_partner_name(const char *path, const char *extension, const char *more)
{
    const char *name = basename(path);
    size_t length = strlen(name);
    if (path_has_extension(name, ".gz")) {
        length -= 3;
    }
    bool upper = false;
    if (length > 4 && name[length - 4] == '.') {
        length -= 4;
        upper = name[length + 1] >= 'A' && name[length + 1] <= 'Z';
    }
    char *partner;
    if (asprintf(&partner, "%.*s%s%s", (int)length, name, extension, more) < 0) {
        return NULL;
    }
    for (char *at = partner + length; upper && *at; at++) {
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 32 : *at);
    }
    return partner;
}

// Opens the file beside `path` with the first of two extensions that exists. Sets *name to its
// name, which the caller frees.
static bool nifti_open_partner(
    const char *path, const char *extension, struct source *out, char **name,
    struct problem *problem)
{
    struct problem why[2] = { 0 };
    for (int packed = 0; packed < 2; packed++) {
        *name = nifti_partner_name(path, extension, packed ? ".gz" : "");
        if (!*name) {
            return problem_no_memory(problem, "reading", path);
        }
        if (sidecar_open(path, *name, false, out, &why[packed])) {
            return true;
        }
        free(*name);
        *name = NULL;
        if (why[packed].kind != PROBLEM_INPUT) {
            break; // the file may exist, but be an output, or memory ran out
        }
    }
    // Report the problem of the plain name, unless memory ran out at the other name.
    const struct problem *said = &why[problem_of_device(why[1].kind)];
    return problem_set(problem, said->kind, "%s", said->text);
}

static bool nifti_open_samples(
    struct nifti *nifti, struct source *header, bool gzip, struct sidecar_list *files,
    const struct volume_params *params, struct volume_file *out, struct problem *problem)
{
    struct payload payload = {
        .format.order = nifti->big ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE,
        .encoding = gzip ? PAYLOAD_DEFLATE : PAYLOAD_RAW,
        .files = files,
        .byte_skip = nifti->vox_offset,
    };
    if (!nifti_read_dims(nifti, &payload, problem) ||
        !nifti_read_datatype(nifti, &payload, problem)) {
        return false;
    }
    nifti_read_scaling(nifti, &payload);
    if (!payload_open(header, &payload, params, out, problem)) {
        return false;
    }
    if (payload.frames > 1 && !contents_asked(&params->pick, CONTENTS_TIME) &&
        !contents_asked(&params->pick, CONTENTS_CHANNEL)) {
        log_warn(
            "'%s' holds %" PRIu64
            " volumes (in time, or components); the first is read, --time N reads another",
            nifti->path, payload.frames);
    }
    const struct nifti_layout *layout = nifti->layout;
    out->volume.labels = !nifti->analyze &&
                         nifti_whole_at(nifti, layout->intent, layout->code_size) == INTENT_LABELS;
    return nifti_place(nifti, &out->volume, problem);
}

// `header` is the open header file. `image`: path of the .img file if the user named it, or NULL.
static bool nifti_open_with_header(
    struct source *header, const char *image, const struct volume_params *params,
    struct volume_file *out, struct problem *problem)
{
    struct nifti nifti = { .path = header->path };
    struct source again; // reads the header up to the samples
    const bool gzip = source_is_gzip(header);
    bool ok = source_open(header->path, &again, problem) &&
              (!gzip || source_inflate(&again, problem)) &&
              nifti_read_header(&nifti, &again, problem) &&
              nifti_check_offset(&nifti, &again, gzip, problem) &&
              (nifti.pair || nifti_check_extensions(&nifti, &again, problem));
    source_close(&again);
    if (ok && !nifti.pair) {
        if (image) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "'%s' says that it holds its samples itself, yet '%s' is beside it; rename it to "
                ".nii",
                header->path, image);
        }
        return nifti_open_samples(&nifti, header, gzip, NULL, params, out, problem);
    }
    struct sidecar_list files = { 0 };
    struct source samples;
    char *name = NULL;
    ok = ok && nifti_open_partner(header->path, ".img", &samples, &name, problem);
    if (ok) {
        const bool packed = source_is_gzip(&samples);
        ok = source_sound(&samples, problem); // `packed` depends on a peek
        source_close(&samples);
        ok = ok && sidecar_list_add(&files, name, strlen(name), problem) &&
             nifti_open_samples(&nifti, header, packed, &files, params, out, problem);
    }
    free(name);
    sidecar_list_destroy(&files);
    return ok;
}

bool nifti_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    unsigned char bytes[READER_HEAD];
    struct file_head head;
    file_head_read(source, bytes, &head);
    if (nifti_matches(&head) || !path_has_extension(source->path, ".img .img.gz")) {
        return nifti_open_with_header(source, NULL, params, out, problem);
    }
    struct source header;
    char *name;
    if (!nifti_open_partner(source->path, ".hdr", &header, &name, problem)) {
        return false;
    }
    free(name);
    const bool ok = nifti_open_with_header(&header, source->path, params, out, problem);
    source_close(&header);
    return ok;
}
