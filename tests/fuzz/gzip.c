// Inflating, compared with zlib alone: the same bytes, whatever the sizes of the reads.
#include "tests/fuzz/target.h"
#include "volumes/formats/source.h"

#include <string.h>

#define MOST 20000 // inflated bytes

// What a file of gzip members, with padding behind them, holds; false where it is not sound. A
// zlib stream is alone.
static bool expect(const uint8_t *data, size_t size, unsigned char *out, size_t *got)
{
    z_stream stream = { .next_in = (unsigned char *)data, .avail_in = (uInt)size };
    HOLDS(inflateInit2(&stream, 15 + 32) == Z_OK, "memory");
    stream.next_out = out;
    stream.avail_out = MOST;
    int result = Z_OK;
    while (result == Z_OK && stream.avail_out > 0) {
        result = inflate(&stream, Z_FINISH);
        if (result == Z_STREAM_END && stream.avail_in > 0 && stream.next_in[0] == 0x1f) {
            result = inflateReset(&stream);
        }
    }
    *got = MOST - stream.avail_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END || stream.avail_out == 0;
}

static bool
read_pieces(struct source *source, unsigned char *out, size_t *got, struct problem *problem)
{
    for (*got = 0; *got < MOST;) {
        const size_t most = draw() % 2 ? MOST : 1 + draw() % 100;
        const size_t wanted = most < MOST - *got ? most : MOST - *got;
        size_t part = wanted + 1;
        if (!source_read(source, out + *got, wanted, &part, problem)) {
            return false;
        }
        HOLDS(part <= wanted, "%zu bytes", part);
        *got += part;
        if (part < wanted) {
            return true;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char expected[MOST], out[MOST];
    struct source source;
    struct problem problem;
    size_t all, got;
    draw_begin(data, size);
    const bool sound = expect(data, size, expected, &all);
    fuzz_accepted = sound;
    files_clear();
    files_add("x.gz", data, size);
    HOLDS(source_open(FILES_FOLDER "/x.gz", &source, &problem), "%s", problem.text);
    poison(0xaa);
    HOLDS(source_inflate(&source, &problem), "%s", problem.text);
    for (int i = 0; i < 2; i++) {
        files_interrupt(i * draw());
        const bool ok = read_pieces(&source, out, &got, &problem);
        HOLDS(ok == sound, "sound: %s", ok ? "" : problem.text);
        if (ok) {
            HOLDS(got == all && memcmp(out, expected, all) == 0, "%zu, %zu bytes", got, all);
        } else {
            check_refusal(&problem, false);
        }
        source_seek(&source, 0);
    }
    source_close(&source);
    files_clear();
    return 0;
}
