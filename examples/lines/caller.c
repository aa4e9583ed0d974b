/* A bot for Riverboat in C: it checks and calls, and makes the minimum bet with a pocket pair.
 *
 *     cc -O2 -o caller caller.c
 *     riverboat match lines:./caller fish --hands 1000
 *
 * It reads and writes JSON lines (docs/protocols.md). Fields have a fixed order and no blanks, so
 * that searching for a key is enough here; larger bots should use a JSON library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 65536

/* Return the text after a key, or NULL. */
static const char *value_of(const char *line, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    return found ? found + strlen(quoted) : NULL;
}

static int begins(const char *text, const char *start) {
    return text && strncmp(text, start, strlen(start)) == 0;
}

static void answer(const char *line) {
    const char *hole = value_of(line, "hole"), *bet = value_of(line, "bet");
    int pair = hole && strlen(hole) > 4 && hole[1] == hole[3];
    if (pair && begins(bet, "["))
        printf("{\"type\":\"move\",\"move\":\"b%ld\"}\n", strtol(bet + 1, NULL, 10));
    else if (begins(value_of(line, "check"), "true"))
        puts("{\"type\":\"move\",\"move\":\"k\"}");
    else
        puts("{\"type\":\"move\",\"move\":\"c\"}");
}

int main(void) {
    static char line[LONGEST];
    while (fgets(line, sizeof line, stdin)) {
        const char *type = value_of(line, "type");
        if (begins(type, "\"hello\""))
            puts("{\"type\":\"ready\",\"version\":1,\"name\":\"caller\"}");
        else if (begins(type, "\"act\""))
            answer(line);
        fflush(stdout);
    }
    return 0;
}
