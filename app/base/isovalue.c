#include "app/base/isovalue.h"

#include "app/base/number.h"

#include "volumes/base/printable.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool isovalue_parse(const char *text, struct isovalue *out)
{
    struct isovalue isovalue = { .kind = ISOVALUE_NUMBER };
    const size_t length = strlen(text);
    if (strcmp(text, "auto") == 0) {
        isovalue.kind = ISOVALUE_AUTO;
    } else if (length > 0 && text[length - 1] == '%') {
        isovalue.kind = ISOVALUE_PERCENT;
        if (!number_parse(text, length - 1, &isovalue.value)) {
            return false;
        }
    } else if (length > 0 && text[length - 1] == 's') {
        isovalue.kind = ISOVALUE_SIGMA;
        if (!number_parse(text, length - 1, &isovalue.value)) {
            return false;
        }
    } else if (text[0] == 'p') {
        isovalue.kind = ISOVALUE_PERCENTILE;
        if (!number_parse(text + 1, length - 1, &isovalue.value) || !(isovalue.value >= 0) ||
            !(isovalue.value <= 100)) {
            return false;
        }
    } else if (!number_parse(text, length, &isovalue.value)) {
        return false;
    }
    *out = isovalue;
    return true;
}

const char *isovalue_text(const struct isovalue *isovalue, char text[40])
{
    char number[32];
    snprintf(
        text, 40, "%s%s%s", isovalue->kind == ISOVALUE_PERCENTILE ? "p" : "",
        isovalue->kind == ISOVALUE_AUTO ? "auto" : number_text(isovalue->value, number),
        isovalue->kind == ISOVALUE_PERCENT ? "%"
        : isovalue->kind == ISOVALUE_SIGMA ? "s"
                                           : "");
    return text;
}

// Reads A:B:N into at most `most` isovalues, as isovalues_parse does.
static size_t isovalue_parse_range(const char *text, size_t most, struct isovalue *out)
{
    const char *starts[3];
    size_t lengths[3];
    char words[3][64];
    struct isovalue ends[2];
    uint64_t count = 0;
    if (split(text, ':', 3, starts, lengths) != 3) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        snprintf(words[i], sizeof words[i], "%.*s", (int)lengths[i], starts[i]);
    }
    if (!isovalue_parse(words[0], &ends[0]) || !isovalue_parse(words[1], &ends[1]) ||
        ends[0].kind != ends[1].kind || ends[0].kind == ISOVALUE_AUTO ||
        whole_parse(words[2], strlen(words[2]), UINT32_MAX, &count) != WHOLE_OK || count < 2) {
        return 0;
    }
    for (uint64_t i = 0; i < count && count <= most; i++) {
        const double share = (double)i / (double)(count - 1);
        out[i] = ends[0];
        out[i].value = ends[0].value * (1 - share) + ends[1].value * share;
    }
    return count <= most ? count : most + 1;
}

size_t isovalues_parse(const char *text, size_t most, struct isovalue *out)
{
    size_t count = 0, taken = 1;
    for (const char *at = text; taken > 0 && count <= most; at++) {
        const size_t length = strcspn(at, ",");
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (strchr(word, ':')) {
            taken = isovalue_parse_range(word, most - count, out + count);
        } else {
            struct isovalue one;
            taken = isovalue_parse(word, &one);
            if (taken && count < most) {
                out[count] = one;
            }
        }
        count += taken;
        at += length;
        if (!*at) {
            break;
        }
    }
    return taken == 0 ? 0 : count <= most ? count : most + 1;
}

bool isovalue_typed(const char *text, struct isovalue *out, char reason[200])
{
    char typed[64], shown[100];
    const size_t blanks = strspn(text, " \t");
    size_t length = strlen(text + blanks);
    while (length > 0 && isspace((unsigned char)text[blanks + length - 1])) {
        length--;
    }
    snprintf(typed, sizeof typed, "%.*s", (int)length, text + blanks);
    if (!*typed) {
        snprintf(reason, 200, "The field was empty.");
        return false;
    }
    char *comma = strchr(typed, ',');
    const bool decimal = comma && !strchr(comma + 1, ',') && !strchr(typed, '.');
    printable_copy(typed, shown, sizeof shown);
    if (decimal) {
        *comma = '.';
    }
    if (typed[0] == 'P') {
        typed[0] = 'p';
    }
    if (isovalue_parse(strcasecmp(typed, "auto") == 0 ? "auto" : typed, out)) {
        return true;
    }
    char *end;
    const double value = strtod(typed, &end);
    const char *why = "is not a number";
    double percentile;
    if (typed[0] == 'p' && number_parse(typed + 1, strlen(typed + 1), &percentile)) {
        why = "is no percentile; they are p0 to p100";
    }
    if (comma && !decimal) {
        why = "has more than one decimal point; leave out separators of thousands";
    } else if (isnan(value)) {
        why = "is no value that samples can be compared with";
    } else if (end > typed && isinf(value)) {
        why = "is too large";
    }
    snprintf(reason, 200, "\"%s\" %s.", shown, why);
    return false;
}

double isovalue_resolve(const struct isovalue *isovalue, const struct volume_facts *facts)
{
    switch (isovalue->kind) {
    case ISOVALUE_NUMBER:
        return isovalue->value;
    case ISOVALUE_PERCENT: {
        // A weighted mean: it overshoots neither for extreme floats nor at 100%.
        const double share = isovalue->value / 100;
        return facts->min * (1 - share) + facts->max * share;
    }
    case ISOVALUE_PERCENTILE:
        return values_percentile(&facts->values, isovalue->value);
    case ISOVALUE_SIGMA: {
        double mean, deviation;
        values_mean(&facts->values, &mean, &deviation);
        return mean + isovalue->value * deviation;
    }
    case ISOVALUE_AUTO:
        break;
    }
    return facts->iso;
}
