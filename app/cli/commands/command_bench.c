// Replaces this process by cubist-bench, the program that has the benches.
#include "app/base/progress.h"
#include "app/cli/options.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

bool command_bench(const struct options *options, struct problem *problem)
{
    static const char name[] = "cubist-bench";
    char path[PATH_MAX + sizeof name] = "";
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (!slash) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "bench needs the program %s, but /proc/self/exe does not say "
            "where; start %s itself",
            name, name);
    }
    strcpy(slash + 1, name);
    // Pass on all arguments except the word `bench`.
    char **word = options->argv;
    while (*word != options->word) {
        word++;
    }
    for (; *word; word++) {
        word[0] = word[1];
    }
    if (!progress_go_on(problem)) {
        return false; // a signal has come, and cubist-bench would not know of it
    }
    execv(path, options->argv);
    return problem_set(
        problem, PROBLEM_INPUT, "bench needs the program '%s': %s", path, strerror(errno));
}
