// An isovalue in the form that people type: a number, a percentage of the range, or "auto".
#pragma once

#include "volumes/facts.h"

enum isovalue_kind { ISOVALUE_AUTO, ISOVALUE_NUMBER, ISOVALUE_PERCENT };

struct isovalue {
    enum isovalue_kind kind; // zero: auto
    double value;            // the number, or the percentage
};

// Reads "120", "40%" or "auto". False for any other text, and where the number is not finite.
bool isovalue_parse(const char *text, struct isovalue *out);

// The same for a field that a person types in: also "1,5", blanks around it, and "Auto". On false
// `reason` says what is wrong, as a sentence, for people.
bool isovalue_typed(const char *text, struct isovalue *out, char reason[200]);

// The isovalue as a number for a volume: auto is facts->iso, p% is min + p / 100 * (max - min).
double isovalue_resolve(const struct isovalue *isovalue, const struct volume_facts *facts);
