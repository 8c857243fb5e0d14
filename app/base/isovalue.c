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
        isovalue->kind == ISOVALUE_PERCENT ? "%" : "");
    return text;
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
    case ISOVALUE_AUTO:
        break;
    }
    return facts->iso;
}
