// An isovalue in the form that people type: a number, a percentage of the range, a percentile of
// the samples, standard deviations above their mean, or "auto".
#pragma once

#include "volumes/facts.h"

enum isovalue_kind {
    ISOVALUE_AUTO,
    ISOVALUE_NUMBER,
    ISOVALUE_PERCENT,
    ISOVALUE_PERCENTILE,
    ISOVALUE_SIGMA
};

// The forms, for messages.
#define ISOVALUE_FORMS                                                                             \
    "a finite number such as 36.5, a percentage of the range such as 40%, a percentile such as "   \
    "p99, standard deviations above the mean such as 3s, or auto"

// The forms of a list.
#define ISOVALUES_FORMS                                                                            \
    "isovalues with commas between them, each " ISOVALUE_FORMS "; A:B:N stands for N from A to B"

struct isovalue {
    enum isovalue_kind kind; // zero: auto
    double value; // the number, the percentage, the percentile, or the standard deviations
};

// Reads "120", "40%", "p99" (0 to 100), "3s" or "auto". False for any other text, and where the
// number is not finite.
bool isovalue_parse(const char *text, struct isovalue *out);

// Writes it as isovalue_parse reads it.
const char *isovalue_text(const struct isovalue *isovalue, char text[40]);

// Reads up to `most` isovalues with commas between them. A:B:N stands for N isovalues from A to B,
// which have one form; N is at least 2. Returns how many there are, `most` + 1 if there are more,
// and 0 for any other text.
size_t isovalues_parse(const char *text, size_t most, struct isovalue *out);

// Like isovalue_parse, for a text field: also accepts "1,5", blanks around the text, "Auto" and
// "P99". On false `reason` is a sentence that tells people what is wrong.
bool isovalue_typed(const char *text, struct isovalue *out, char reason[200]);

// The isovalue as a number for a volume: auto is facts->iso, 40% is min + 0.4 * (max - min), p99 is
// the values_percentile, 3s is the mean plus 3 times the standard deviation. Only a number needs no
// facts.
double isovalue_resolve(const struct isovalue *isovalue, const struct volume_facts *facts);
