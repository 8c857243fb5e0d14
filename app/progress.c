#include "app/progress.h"

#include "compute/gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// A terminal that knows how to erase a line.
static bool can_show(void)
{
    const char *term = getenv("TERM");
    return !volume_quiet && isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static bool report(void *user, double share)
{
    struct progress_meter *meter = user;
    const int percent = (int)(share * 100);
    if (percent > meter->shown && clock_ms() - meter->started > 500 && can_show()) {
        fprintf(stderr, "\r%s %3d%%", meter->label, percent);
        fflush(stderr);
        meter->shown = percent;
    }
    return !gpu_interrupted;
}

struct progress progress_to_terminal(struct progress_meter *meter, const char *label)
{
    *meter = (struct progress_meter){ .label = label, .started = clock_ms() };
    return (struct progress){ report, meter };
}

void progress_end(struct progress_meter *meter)
{
    if (meter->shown) {
        fputs("\r\033[K", stderr);
        meter->shown = 0;
    }
}

bool progress_go_on(struct problem *problem)
{
    return !gpu_interrupted || problem_set(problem, PROBLEM_CANCELLED, "interrupted");
}
