#include "app/viewer_trace.h"

#include "app/number.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool refused(const char *path, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_OUTPUT, "%s: the trace cannot be written: %s", path, strerror(errno));
}

bool trace_open(const char *path, struct trace *out, struct problem *problem)
{
    *out = (struct trace){ .path = path };
    if (path) {
        out->file = fopen(path, "w");
    }
    return !path || out->file || refused(path, problem);
}

bool trace_write(struct trace *trace, const struct trace_line *line, struct problem *problem)
{
    if (!trace->file) {
        return true;
    }
    char iso[32];
    fprintf(
        trace->file,
        "{\"frame\": %" PRIu64 ", \"iso\": %s, \"method\": \"%s\", \"active_cells\": %" PRIu64
        ", \"vertices\": %" PRIu64 ", \"triangles\": %" PRIu64
        ", \"whole\": %s, \"width\": %u, \"height\": %u, \"cpu_ms\": %.3f, \"gpu_ms\": %.3f}\n",
        line->frame, number_text(line->iso, iso), line->method, line->active_cells, line->vertices,
        line->triangles, line->whole ? "true" : "false", line->width, line->height, line->cpu_ms,
        line->gpu_ms);
    return fflush(trace->file) == 0 || refused(trace->path, problem);
}

void trace_close(struct trace *trace)
{
    if (trace->file) {
        fclose(trace->file);
    }
    *trace = (struct trace){ 0 };
}
