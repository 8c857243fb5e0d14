#include "volumes/base/input.h"

#include "volumes/base/interrupt.h"
#include "volumes/base/size.h"

#include <stdlib.h>

atomic_int interrupted;

static _Thread_local struct input *current;

void input_begin(
    struct input *input, const struct progress *progress, uint64_t max_input,
    struct source_files *files)
{
    *input =
        (struct input){ .outer = current, .progress = progress, .files = files, .most = max_input };
    if (current) {
        input->files = files ? files : current->files;
        input->progress = progress ? progress : current->progress;
        input->share = current->share;
        input->skipped = current->skipped;
    }
    current = input;
}

struct source_files *input_files(void)
{
    return current ? current->files : NULL;
}

bool input_end(struct input *input, bool fine)
{
    current = input->outer;
    if (current) {
        current->skipped = input->skipped;
    }
    if (input->held) {
        fclose(input->held);
        if (fine && !input_holds(input->text)) {
            fputs(input->text, stderr);
        }
        if (fine && input->notes) {
            *input->notes = input->text;
        } else {
            free(input->text);
        }
    }
    return fine;
}

bool input_holds(const char *line)
{
    if (current && !current->held) {
        current->held = open_memstream(&current->text, &current->size);
    }
    return current && current->held && fputs(line, current->held) >= 0;
}

static bool
input_ask(const struct progress *progress, double share, const char *path, struct problem *problem)
{
    return (!interrupted && (!progress || progress->report(progress->user, share))) ||
           problem_set(problem, PROBLEM_INTERRUPTED, "loading '%s' was cancelled", path);
}

bool input_go_on(const char *path, struct problem *problem)
{
    return input_ask(
        current ? current->progress : NULL, current ? current->share : 0, path, problem);
}

bool progress_report(
    const struct progress *progress, const char *path, uint64_t done, uint64_t total,
    struct problem *problem)
{
    const double share = (double)done / (double)total;
    if (current && progress) {
        current->share = share;
    }
    return input_ask(progress, share, path, problem);
}

bool input_skips(const char *path, uint64_t bytes, struct problem *problem)
{
    if (!current) {
        return true;
    }
    if (current->most == 0) {
        current->most = size_memory_free() / 2;
    }
    if (bytes <= current->most && current->skipped <= current->most - bytes) {
        current->skipped += bytes;
        return true;
    }
    return problem_set(
        problem, PROBLEM_LIMIT,
        "'%s' needs more than %.3g GiB to be skipped before its samples; if that is "
        "right, allow more by --max-input GiB",
        path, (double)current->most / 0x1p30);
}
