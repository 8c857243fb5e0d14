// Names of raw files: a name made from the meaning of a name has the same meaning; and the sizes
// that are proposed for a file of a wrong size match that file.
#include "volumes/formats/raw_name.h"
#include "tests/fuzz/target.h"
#include "volumes/formats/raw_guess.h"

#include <inttypes.h>
#include <string.h>

static void check_name(const struct raw_name *name)
{
    struct raw_name again;
    char text[200];
    snprintf(
        text, sizeof text, "/a.b/c-%" PRIu64 "x%" PRIu64 "X%" PRIu64 "%s%s%s.RAW%s", name->dim[0],
        name->dim[1], name->dim[2], name->has_type || name->foreign_type[0] ? "_" : "",
        name->has_type ? volume_type_name(name->type) : name->foreign_type,
        name->order == BYTE_ORDER_BIG      ? ".be"
        : name->order == BYTE_ORDER_LITTLE ? "-LE"
                                           : "",
        name->gzip ? ".gz" : "");
    raw_name_parse(text, &again);
    HOLDS(
        again.raw && again.has_dim && memcmp(again.dim, name->dim, sizeof again.dim) == 0 &&
            again.has_type == name->has_type && again.type == name->type &&
            again.order == name->order && again.gzip == name->gzip &&
            strcmp(again.foreign_type, name->foreign_type) == 0,
        "the same in %s", text);
}

static void check_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type)
{
    char text[300];
    memset(text, 'x', sizeof text);
    raw_fit(bytes, dim, type, text, sizeof text);
    HOLDS(memchr(text, 0, sizeof text), "an end");
    for (char *at = text; *at;) {
        uint64_t w, h, d;
        char word[16];
        enum volume_type found;
        int used = 0;
        HOLDS(
            sscanf(
                at, "%" SCNu64 "x%" SCNu64 "x%" SCNu64 " %15[a-z0-9]%n", &w, &h, &d, word, &used) ==
                    4 &&
                volume_type_parse(word, &found),
            "advice: %s", at);
        HOLDS(
            w >= 2 && h >= 2 && d >= 2 && bytes % volume_type_size(found) == 0 &&
                bytes / volume_type_size(found) / w / h == d &&
                w * h * d * volume_type_size(found) == bytes,
            "%" PRIu64 " bytes: %s", bytes, text);
        at += used;
        at += strspn(at, ", ");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[512];
    struct raw_name name;
    const size_t length = size < sizeof path - 1 ? size : sizeof path - 1;
    memcpy(path, data, length);
    path[length] = 0;
    draw_begin(data, size);
    poison(0xaa);
    memset(&name, 0xee, sizeof name);
    raw_name_parse(path, &name);
    fuzz_accepted = name.has_dim;
    if (name.has_dim) {
        HOLDS(name.raw && (!name.has_type || !name.foreign_type[0]), "a raw file");
        check_name(&name);
    }
    // Sizes near those that the dims ask for, and any.
    const uint64_t near = name.dim[0] * name.dim[1] * name.dim[2] * volume_type_size(name.type);
    const uint64_t bytes = draw() % 4 ? near + draw() % 5 * draw() % 64 : draw() % 100000;
    const bool sound = name.dim[0] > 1 && name.dim[1] > 1 && name.dim[2] > 1; // others are refused
    check_fit(bytes, sound ? name.dim : (uint64_t[]){ draw(), draw(), draw() }, name.type);
    return 0;
}
