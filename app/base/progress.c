#include "app/base/progress.h"

#include "app/ranks/ranks.h"
#include "compute/gpu/gpu.h"
#include "volumes/base/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whether stderr may show the line: on rank 0, without --quiet, on a terminal that can erase it.
static bool progress_can_show(void)
{
    const char *term = getenv("TERM");
    return !log_quiet && ranks()->rank == 0 && isatty(STDERR_FILENO) && term && *term &&
           strcmp(term, "dumb") != 0;
}

// Writes the text after the percentage, ", 120 MiB/s, 12 s left", without what is not known.
static void progress_text(double spent_ms, double share, uint64_t bytes, char *text, size_t size)
{
    const double done = (double)bytes * share / 0x1p20; // MiB
    const double left = share > 0 ? spent_ms * (1 - share) / share / 1e3 : 0;
    char rate[40] = "", time[40] = "";
    if (bytes > 0) {
        snprintf(
            rate, sizeof rate, ", %.*f MiB/s", done * 1e3 < 10 * spent_ms, done * 1e3 / spent_ms);
    }
    if (left >= 90) {
        snprintf(time, sizeof time, ", %.0f min left", ceil(left / 60));
    } else if (left >= 1) {
        snprintf(time, sizeof time, ", %.0f s left", ceil(left));
    }
    snprintf(text, size, "%s%s", rate, time);
}

static bool progress_show(void *user, double share)
{
    struct progress_meter *meter = user;
    const int percent = (int)(share * 100);
    const double now = clock_ms(), spent = now - meter->started;
    if (meter->shows && spent > 500 &&
        (percent > meter->shown || (percent > 0 && now - meter->shown_at > 1000))) {
        char text[80] = "";
        progress_text(spent, share, meter->bytes, text, sizeof text);
        fprintf(stderr, "\r%s %3d%%%s\033[K", meter->label, percent, text);
        fflush(stderr);
        meter->shown = percent;
        meter->shown_at = now;
    }
    return ranks_go_on(NULL);
}

struct progress progress_to_terminal(struct progress_meter *meter, const char *label)
{
    *meter = (struct progress_meter){ .label = label,
                                      .started = clock_ms(),
                                      .shows = progress_can_show() };
    return (struct progress){ progress_show, meter };
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
    return ranks_go_on(problem);
}
