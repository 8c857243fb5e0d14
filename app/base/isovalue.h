// An isovalue in the form that people type: a number, a percentage of the range, a
// percentile of the samples, or "auto".
#pragma once

#include "volumes/facts.h"

enum isovalue_kind { ISOVALUE_AUTO, ISOVALUE_NUMBER, ISOVALUE_PERCENT, ISOVALUE_PERCENTILE };

// The forms, for messages.
#define ISOVALUE_FORMS                                                                             \
    "a finite number such as 36.5, a percentage of the range such as 40%, a percentile such as "   \
    "p99, or auto"

struct isovalue {
    enum isovalue_kind kind; // zero: auto
    double value;            // the number, the percentage, or the percentile
};

// Reads "120", "40%", "p99" (0 to 100) or "auto". False for any other text, and where the number is
// not finite.
bool isovalue_parse(const char *text, struct isovalue *out);

// Writes it as isovalue_parse reads it.
const char *isovalue_text(const struct isovalue *isovalue, char text[40]);

// Like isovalue_parse, for a text field: also accepts "1,5", blanks around the text, "Auto" and
// "P99". On false `reason` is a sentence that tells people what is wrong.
bool isovalue_typed(const char *text, struct isovalue *out, char reason[200]);

// The isovalue as a number for a volume: auto is facts->iso, 40% is min + 0.4 * (max - min), p99 is
// the values_percentile. Only a number needs no facts.
double isovalue_resolve(const struct isovalue *isovalue, const struct volume_facts *facts);
