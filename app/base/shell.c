#include "app/base/shell.h"

#include "volumes/base/printable.h"

#include <stdbool.h>
#include <string.h>

// Whether a terminal shows the character at `at` unchanged. *length: its size in bytes.
static bool shell_shows(const char *at, size_t *length)
{
    char shown[16];
    *length = printable_next(at, shown);
    return strlen(shown) == *length && strncmp(at, shown, *length) == 0;
}

// Writes $'...', which bash, zsh and ksh read, with the bytes of hidden characters in octal.
static void shell_put_hidden(const char *word, FILE *file)
{
    fputs("$'", file);
    for (size_t length; *word; word += length) {
        const bool shows = shell_shows(word, &length);
        if (*word == '\'' || *word == '\\') {
            fputc('\\', file);
        }
        for (size_t i = 0; i < length; i++) {
            fprintf(file, shows ? "%c" : "\\%03o", (unsigned char)word[i]);
        }
    }
    fputc('\'', file);
}

void shell_put(const char *word, FILE *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:,%+@=-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    for (size_t at = 0, length; word[at]; at += length) {
        if (!shell_shows(word + at, &length)) {
            shell_put_hidden(word, file);
            return;
        }
    }
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'') {
            fputs("'\\''", file);
        } else {
            fputc(*word, file);
        }
    }
    fputc('\'', file);
}
