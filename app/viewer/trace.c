#include "app/viewer/trace.h"

#include "app/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool trace_refused(const char *path, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_OUTPUT, "%s: the trace cannot be written: %s", path, strerror(errno));
}

bool trace_open(const char *path, struct trace *out, struct problem *problem)
{
    *out = (struct trace){ .path = path };
    if (path) {
        // The file is emptied only by the first line, because it may turn out to be part of the
        // volume.
        const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    }
    return !path || out->file || trace_refused(path, problem);
}

// Empties the file, once. A pipe cannot be emptied.
static bool trace_begin(struct trace *trace, struct problem *problem)
{
    struct stat st;
    const int fd = fileno(trace->file);
    const bool whole = trace->begun || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode);
    trace->begun = true;
    return whole || ftruncate(fd, 0) == 0 || trace_refused(trace->path, problem);
}

static double trace_rounded(double ms)
{
    return round(ms * 1000) / 1000;
}

bool trace_write(struct trace *trace, const struct trace_line *line, struct problem *problem)
{
    if (!trace->file) {
        return true;
    }
    if (!trace_begin(trace, problem)) {
        return false;
    }
    json_t *json = json_begin();
    json_add_count(json, "frame", line->frame);
    json_add_number(json, "time", trace_rounded(line->time) / 1000);
    json_add_number(json, "iso", line->iso);
    json_add_number(json, "iso_asked", line->asked);
    json_add_bool(json, "draft", line->draft);
    json_add_text(json, "draw", line->draw);
    if (line->cast) {
        json_add_text(json, "caster", line->cast->caster);
        json_add_count(json, "scale", line->cast->scale);
        json_add_bool(json, "shadow", line->cast->shadow);
        json_add_bool(json, "casts", line->casts);
        json_add_count(json, "hits", line->cast->hits);
        json_t *ms = json_add_object(json, "cast_ms");
        for (int i = 0; i < CAST_STAGES; i++) {
            json_add_number(ms, cast_stage_names[i], trace_rounded(line->cast->ms[i]));
        }
        json_add_number(json, "mesh_iso", line->mesh_iso);
    }
    json_add_bool(json, "extracted", line->extracted);
    json_add_text(json, "method", line->method);
    json_add_count(json, "bricks", line->bricks);
    json_add_count(json, "active_bricks", line->active_bricks);
    json_add_count(json, "active_cells", line->active_cells);
    json_add_count(json, "vertices", line->vertices);
    json_add_count(json, "triangles", line->triangles);
    json_add_bool(json, "whole", line->whole);
    json_add_count(json, "width", line->width);
    json_add_count(json, "height", line->height);
    json_add_number(json, "method_ms", trace_rounded(line->method_ms));
    json_add_number(json, "cpu_ms", trace_rounded(line->cpu_ms));
    json_add_number(json, "gpu_ms", trace_rounded(line->gpu_ms));
    json_add_count(json, "device_bytes", line->device_bytes);
    if (line->parts) {
        json_t *parts = json_add_object(json, "slabs");
        json_add_count(parts, "count", line->parts->parts);
        json_add_count(parts, "held", line->parts->held);
        json_add_count(parts, "resident", line->parts->resident);
        json_add_count(parts, "loaded", line->parts->loaded);
        json_add_count(parts, "missed", line->parts->missed);
        json_add_count(parts, "bytes_read", line->parts->bytes_read);
    }
    json_t *events = json_add_object(json, "events");
    json_add_count(events, "keys", line->events.keys);
    json_add_count(events, "buttons", line->events.buttons);
    json_add_count(events, "moves", line->events.moves);
    json_add_count(events, "scrolls", line->events.scrolls);
    json_add_count(events, "drops", line->events.drops);
    json_add_count(events, "errors", line->events.errors);
    if (!json_finish_line(json, trace->file, problem)) {
        return false;
    }
    return fflush(trace->file) == 0 || trace_refused(trace->path, problem);
}

bool trace_close(struct trace *trace, struct problem *problem)
{
    const bool fine = !trace->file || !problem || trace_begin(trace, problem);
    const struct trace closing = *trace;
    *trace = (struct trace){ 0 };
    return (!closing.file || fclose(closing.file) == 0 || trace_refused(closing.path, problem)) &&
           fine;
}
