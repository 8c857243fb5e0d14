// Runs a fuzz target on files and on the files of folders, without libFuzzer. A file whose name
// begins with "read_" must be accepted, one that begins with "refuse_" must be refused.
#include "tests/fuzz/target.h"

#include <dirent.h>
#include <string.h>

static unsigned accepted, refused;

static bool starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    HOLDS(file, "a file: %s", path);
    size_t size = 0, room = 1 << 16;
    uint8_t *bytes = malloc(room);
    for (size_t got; bytes && (got = fread(bytes + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room) {
            room *= 2;
            bytes = realloc(bytes, room);
        }
    }
    HOLDS(bytes, "room for %s", path);
    fclose(file);
    // As large as it is: a byte too many is found.
    uint8_t *data = malloc(size ? size : 1);
    HOLDS(data, "room for %s", path);
    memcpy(data, bytes, size);
    free(bytes);
    fprintf(stderr, "%s\r", path); // stands there after an abort
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    HOLDS(!starts(name, "read_") || fuzz_accepted, "accepted: %s", path);
    HOLDS(!starts(name, "refuse_") || !fuzz_accepted, "refused: %s", path);
    *(fuzz_accepted ? &accepted : &refused) += 1;
}

int main(int argc, char **argv)
{
    fuzz_thorough = true;
    for (int i = 1; i < argc; i++) {
        struct dirent **names;
        const int count = scandir(argv[i], &names, NULL, alphasort);
        for (int k = 0; k < count; k++) {
            if (names[k]->d_name[0] != '.') {
                char path[4096];
                snprintf(path, sizeof path, "%s/%s", argv[i], names[k]->d_name);
                run_file(path);
            }
            free(names[k]);
        }
        if (count >= 0) {
            free(names);
        } else {
            run_file(argv[i]);
        }
    }
    printf("%u accepted, %u refused\n", accepted, refused);
    return accepted + refused > 0 ? 0 : 77;
}
