#include "app/base/shell.h"

#include <string.h>

void shell_put(const char *word, FILE *file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:,%+@=-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
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
