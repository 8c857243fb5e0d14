// The lines of a text header, one by one, and strict readers for the words in them.
#pragma once

#include "volumes/formats/source.h"

// Consumes nothing of its source. Zero all members but `source`.
struct text {
    struct source *source;
    uint64_t begin;  // offset of the header, which may have up to 1 MiB
    uint64_t next;   // offset of the next line, or of the samples behind a header
    unsigned number; // number of the line just read, from 1
    char line[4100]; // the line, without its end (LF or CR LF)
    size_t length;   // bytes in `line`
    char window[8192];
    uint64_t window_at;
    size_t window_size;
};

// Reads the next line; *more is false at the end of the file. PROBLEM_INPUT for a line over 4096
// bytes or one with a NUL; PROBLEM_LIMIT for a header over 1 MiB; PROBLEM_INTERRUPTED.
bool text_next(struct text *text, bool *more, struct problem *problem);

// Sets PROBLEM_INPUT with the file, the line ("'x.nrrd' line 3: ") and the text of the format.
// Returns false.
bool text_refuse(const struct text *text, struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Reads the next line of the form "Key: value". Skips empty lines, and lines that begin with one of
// the characters in `comments`. Sets *key and *value, without the blanks around them. At the end of
// the file it sets *key to NULL. Errors are those of text_next, and PROBLEM_INPUT for a line
// without a colon. That message names the expected `form`.
bool text_next_key(
    struct text *text, const char *comments, const char *form, char **key, char **value,
    struct problem *problem);

// Removes blanks (space, tab, CR) at both ends, in place. Returns the start.
char *text_trim(char *s);

// Splits `s` in place at blanks into at most `most` words. Returns how many words there are, which
// may be more than `most`.
size_t text_words(char *s, char **words, size_t most);

// Whether `word` is one of the words of `list`, between bars ("gzip|gz"), in any case.
bool text_is_one(const char *word, const char *list);

// A field of a header: a row of a table that ends with a zeroed row.
struct text_field {
    const char *names; // a list for text_is_one
    size_t place;      // offset of the value in the header's struct: an allocated char *, or NULL
    bool due;          // every header must have it
};

// The address of the value of the field with this name; NULL: there is no such field.
char **text_field(const struct text_field *fields, void *header, const char *name);

// The names of the first field that is due but absent; NULL: there is none.
const char *text_field_missing(const struct text_field *fields, const void *header);

void text_fields_free(const struct text_field *fields, void *header);

// Each reads the whole text or returns false. A count is decimal digits (a leading + or zeros are
// allowed); a number too large for 64 bits becomes UINT64_MAX. A whole has a sign and fits 64 bits.
// A real is decimal in the C locale and may be "nan" or "inf"; one that is too large becomes inf.
bool text_count(const char *s, uint64_t *out);
bool text_whole(const char *s, int64_t *out);
bool text_real(const char *s, double *out);

// Read exactly `count` numbers between blanks, at most 100. Split `s` in place.
bool text_counts(char *s, uint64_t *out, size_t count);
bool text_reals(char *s, double *out, size_t count);
