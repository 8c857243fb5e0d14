#include "app/base/recent.h"

#include "app/base/user_folder.h"
#include "volumes/base/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Malloc'ed; NULL where the user has no folder for it.
static char *recent_file(void)
{
    return user_folder_path("XDG_STATE_HOME", ".local/state", "recent");
}

void recent_free(struct recent *recent)
{
    for (uint32_t i = 0; i < recent->count; i++) {
        free(recent->paths[i]);
    }
    *recent = (struct recent){ 0 };
}

void recent_append(struct recent *recent, const char *path)
{
    char *copy = recent->count < RECENT_MOST ? strdup(path) : NULL;
    if (copy) {
        recent->paths[recent->count++] = copy;
    }
}

// All lines of the file. A line that is no absolute path was not written by cubist.
static void recent_read(const char *name, struct recent *out)
{
    char line[PATH_MAX + 2];
    struct stat there;
    *out = (struct recent){ 0 };
    FILE *file =
        name && stat(name, &there) == 0 && S_ISREG(there.st_mode) ? fopen(name, "re") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        const size_t length = strcspn(line, "\n");
        if (line[0] == '/' && line[length] == '\n') {
            line[length] = 0;
            recent_append(out, line);
        }
    }
    if (file) {
        fclose(file);
    }
}

void recent_load(struct recent *out)
{
    struct stat there;
    char *name = recent_file();
    recent_read(name, out);
    free(name);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        if (stat(out->paths[i], &there) == 0) {
            out->paths[kept++] = out->paths[i];
        } else {
            free(out->paths[i]);
        }
    }
    out->count = kept;
}

static bool recent_write(char *name, const struct recent *recent, struct problem *problem)
{
    struct output output;
    if (!user_folder_make(name, problem) || !output_open_again(name, true, &output, problem)) {
        return false;
    }
    for (uint32_t i = 0; i < recent->count; i++) {
        if (!output_write(&output, recent->paths[i], strlen(recent->paths[i]), problem) ||
            !output_write(&output, "\n", 1, problem)) {
            output_abort(&output);
            return false;
        }
    }
    return output_commit(&output, problem);
}

bool recent_add(const char *path, struct problem *problem)
{
    struct recent old, new = { 0 };
    char *name = recent_file(), *whole = realpath(path, NULL);
    bool fine = true;
    if (!name) {
        fine =
            problem_set(problem, PROBLEM_OUTPUT, "neither XDG_STATE_HOME nor HOME names a folder");
    } else if (whole && !strchr(whole, '\n')) {
        recent_read(name, &old);
        recent_append(&new, whole);
        for (uint32_t i = 0; i < old.count; i++) {
            if (strcmp(old.paths[i], whole) != 0) {
                recent_append(&new, old.paths[i]);
            }
        }
        fine = recent_write(name, &new, problem);
        recent_free(&old);
        recent_free(&new);
    }
    free(whole);
    free(name);
    return fine;
}
