#include "app/base/promises.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *text;
} orders[] = {
    [ORDER_NONE] = { "differs", "order differs from run to run" },
    [ORDER_WITHIN_BLOCKS] = { "blocks",
                              "order kept within blocks; the order of the blocks differs" },
    [ORDER_FIXED] = { "fixed", "the same order every time, not the stream's" },
    [ORDER_STREAM] = { "stable", "stable" },
};

const char promises_columns[] =
    "order     stable: the stream's own; fixed: another, the same every time; blocks: the\n"
    "          stream's within a block, blocks as they finish; differs: from run to run\n"
    "waits     a workgroup may wait for another, then does the other's work itself\n"
    "removals  it removes elements from a list, and needs to be told which\n"
    "block     it works in blocks, whose size can be set (bench compaction --block)\n"
    "longest   the longest stream that it takes\n";

const char *promises_order(const struct method *method)
{
    return orders[method->order].word;
}

const char *promises_place(const struct method *method)
{
    return method->cpu ? "CPU" : "device";
}

__attribute__((format(printf, 2, 3))) static void
add(struct promises *promises, const char *format, ...)
{
    const size_t length = strlen(promises->text);
    char part[64];
    va_list list;
    va_start(list, format);
    vsnprintf(part, sizeof part, format, list);
    va_end(list);
    snprintf(
        promises->text + length, sizeof promises->text - length, "%s%s", length ? "; " : "", part);
}

struct promises promises_of(const struct method *method)
{
    struct promises out = { "" };
    add(&out, "%s", orders[method->order].text);
    if (method->in_place) {
        add(&out, "in place");
    }
    if (method->waits) {
        add(&out, "waits for other workgroups, a few turns");
    }
    if (method->removes) {
        add(&out, "needs a removal list");
    }
    if (method->blocks) {
        add(&out, "block size is a parameter");
    }
    if (method->largest) {
        add(&out, "at most %" PRIu64 " elements", method->largest);
    }
    if (method->cpu) {
        add(&out, "on the CPU");
    }
    return out;
}
