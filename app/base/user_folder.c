#include "app/base/user_folder.h"

#include "volumes/base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *user_folder_path(const char *variable, const char *in_home, const char *name)
{
    // A relative path is ignored, as the XDG standard requires.
    const char *own = getenv(variable), *home = getenv("HOME");
    char *path = NULL;
    int length = -1;
    if (own && *own == '/') {
        length = asprintf(&path, "%s/cubist/%s", own, name);
    } else if (home && *home == '/') {
        length = asprintf(&path, "%s/%s/cubist/%s", home, in_home, name);
    }
    return length < 0 ? NULL : path;
}

bool user_folder_make(char *path, struct problem *problem)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const bool fine =
            mkdir(path, 0700) == 0 || errno == EEXIST ||
            problem_set(problem, PROBLEM_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
        *slash = '/';
        if (!fine) {
            return false;
        }
    }
    return true;
}

bool user_folder_write(char *path, const void *bytes, size_t size, struct problem *problem)
{
    struct output output;
    if (!user_folder_make(path, problem) || !output_open_again(path, true, &output, problem)) {
        return false;
    }
    if (!output_write(&output, bytes, size, problem)) {
        output_abort(&output);
        return false;
    }
    return output_commit(&output, problem);
}

void user_folder_prune(const char *path, size_t digits, const char *ending, uint32_t most)
{
    char folder[PATH_MAX], oldest[sizeof((struct dirent *)0)->d_name] = "";
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *list = opendir(folder);
    struct timespec least = { 0 };
    uint32_t count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct stat there;
        if (strlen(entry->d_name) != digits + strlen(ending) ||
            strcmp(entry->d_name + digits, ending) != 0 ||
            fstatat(dirfd(list), entry->d_name, &there, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        const struct timespec time = there.st_mtim;
        if (count++ == 0 || time.tv_sec < least.tv_sec ||
            (time.tv_sec == least.tv_sec && time.tv_nsec < least.tv_nsec)) {
            least = time;
            snprintf(oldest, sizeof oldest, "%s", entry->d_name);
        }
    }
    if (count > most) {
        unlinkat(dirfd(list), oldest, 0);
    }
    if (list) {
        closedir(list);
    }
}

// ---- volumes that were opened last ----

// The path of the list, malloc'ed; NULL where the user has no folder for it.
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

// Reads all lines of the file, except those that are no absolute path: cubist did not write them.
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
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    for (uint32_t i = 0; memory && i < recent->count; i++) {
        fprintf(memory, "%s\n", recent->paths[i]);
    }
    const bool fine = memory && fclose(memory) == 0 && text
                          ? user_folder_write(name, text, size, problem)
                          : problem_set(problem, PROBLEM_OUTPUT, "out of memory");
    free(text);
    return fine;
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
