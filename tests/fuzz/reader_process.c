// The line of JSON in which a reader process describes a volume, and the one about its formats. A
// run of ctest also changes each seed in hundreds of ways.
#include "tests/fuzz/target.h"
#include "volumes/base/input.h"
#include "volumes/formats/reader_answer.h"

#include <math.h>
#include <string.h>

#define ASKED FILES_FOLDER "/a.x"
#define MANY  1000 // changes of a seed

static bool parse(const char *line, size_t size)
{
    const struct volume_params params = { .max_bytes = 1 << 20 };
    struct volume_file file = { .spool = -1 };
    struct reader_answer answer;
    struct problem problem;
    struct input input;
    struct source_files noted = { 0 };
    const struct volume *volume = &file.volume;
    input_begin(&input, NULL, 0, &noted);
    const bool fine = reader_answer_parse(
        line, size, ASKED, ASKED, "the reader", &params, &file, &answer, &problem);
    input_end(&input, false); // drops the remarks
    if (fine) {
        HOLDS(answer.files.count > 0 && answer.granule > 0, "files and a granule");
        HOLDS(noted.count <= answer.files.count, "%zu files", noted.count);
        HOLDS(file.contents.chosen <= file.contents.count, "array %zu", file.contents.chosen);
        HOLDS(sample_size(&answer.format) <= 8, "a sample");
        for (int i = 0; i < 3; i++) {
            HOLDS(volume->dim[i] >= 2 && volume->dim[i] == answer.dim[i], "%u", volume->dim[i]);
            HOLDS(volume->spacing[i] > 0 && isfinite(volume->spacing[i]), "spacing");
            HOLDS(isfinite(volume->origin[i]), "origin");
        }
    } else {
        check_refusal(&problem, true);
    }
    source_files_free(&answer.files);
    source_files_free(&noted);
    contents_free(&file.contents);
    return fine;
}

static bool formats(const char *line, size_t size)
{
    static const unsigned char bytes[] = "example 4 3 2";
    const struct file_head head = { .path = ASKED, .bytes = bytes, .size = sizeof bytes };
    struct reader_formats out;
    const bool fine = reader_formats_parse(line, size, &head, &out);
    HOLDS(!fine || (out.name[0] && memchr(out.name, 0, sizeof out.name)), "a name");
    return fine;
}

// Changes, removes or repeats some bytes.
static size_t change(char *line, size_t size, size_t room)
{
    static const char words[] = "{}[]:,\"-0123456789eE.\\ntfu\x80\xff";
    for (uint32_t n = 1 + draw() % 3; n > 0 && size > 1; n--) {
        const size_t at = draw() % size, most = size - at, length = 1 + draw() % 9;
        if (draw() % 3 == 0 && length < most) {
            memmove(line + at, line + at + length, most - length);
            size -= length;
        } else if (draw() % 3 == 0 && length < most && size + length < room) {
            memmove(line + at + length, line + at, most);
            size += length;
        } else {
            line[at] = words[draw() % (sizeof words - 1)];
        }
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char line[1 << 16];
    draw_begin(data, size);
    files_clear();
    files_add("a.x", "0123456789", 10);
    files_add("below/b", "0123", 4);
    for (int pass = 0; pass < 2; pass++) {
        poison(pass ? 0xff : 0);
        fuzz_accepted = parse((const char *)data, size);
    }
    fuzz_accepted |= formats((const char *)data, size);
    for (int n = 0; fuzz_thorough && size < sizeof line / 2 && n < MANY; n++) {
        memcpy(line, data, size);
        const size_t changed = change(line, size, sizeof line);
        parse(line, changed);
        formats(line, changed);
    }
    for (uint32_t n = 1; fuzz_thorough && n < 40; n++) {
        allocation_fails(n);
        parse((const char *)data, size);
        allocation_fails(0);
    }
    files_clear();
    return 0;
}
