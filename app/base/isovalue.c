#include "app/base/isovalue.h"

#include "app/base/number.h"

#include <string.h>

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
    } else if (!number_parse(text, length, &isovalue.value)) {
        return false;
    }
    *out = isovalue;
    return true;
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
    case ISOVALUE_AUTO:
        break;
    }
    return facts->iso;
}
