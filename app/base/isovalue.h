// An isovalue as people say it: a number, a percentage of the range, or "auto".
#pragma once

#include "volumes/facts.h"

enum isovalue_kind { ISOVALUE_AUTO, ISOVALUE_NUMBER, ISOVALUE_PERCENT };

struct isovalue {
    enum isovalue_kind kind; // zero: auto
    double value;            // of a number, or percent
};

// Reads "120", "40%" or "auto". False where the text is anything else, or not finite.
bool isovalue_parse(const char *text, struct isovalue *out);

// The number it stands for in a volume: auto is facts->iso, p% is min + p / 100 * (max - min).
double isovalue_resolve(const struct isovalue *isovalue, const struct volume_facts *facts);
