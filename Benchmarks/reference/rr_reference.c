/*
 * rr_reference.c - the plain C reference for `stressmon analyze --raw --metrics time --json FILE`.
 *
 * It reads a text file with one RR interval per line, in milliseconds, with an
 * optional fraction ("812" or "812.3125"), and prints one JSON line with the
 * number of intervals, their mean, SDNN and RMSSD.
 *
 * How it works:
 *   - one read of the whole file, then one pass over the bytes;
 *   - a number is kept as an integer count of 1/10000 ms (further digits are
 *     truncated), so all sums are exact and do not depend on the order;
 *   - the sums of squares need more than 64 bits, so they are __int128;
 *   - SDNN divides by n-1, RMSSD by the number of differences (n-1).
 *
 * Build:  gcc -O3 -static -o rr_reference rr_reference.c -lm
 * Exit status: 0 success, 1 the file could not be read or parsed, 2 wrong usage.
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRACTION_DIGITS = 4 };
static const double UNITS_PER_MS = 10000.0;

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }

    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        perror(argv[1]);
        return 1;
    }

    size_t size = (size_t)st.st_size;
    unsigned char *text = malloc(size + 1);
    if (text == NULL) {
        perror("malloc");
        return 1;
    }
    size_t got = 0;
    while (got < size) {
        ssize_t k = read(fd, text + got, size - got);
        if (k <= 0)
            break;
        got += (size_t)k;
    }
    close(fd);
    text[got] = '\n'; /* a stop for the last line, should it lack its newline */

    const unsigned char *p = text, *end = text + got;
    int64_t n = 0, sum = 0, last = 0;
    __int128 squares = 0, diff_squares = 0;

    while (p < end) {
        int64_t value = 0;
        const unsigned char *first = p;
        while ((unsigned)(*p - '0') < 10)
            value = value * 10 + (*p++ - '0');
        if (p == first || p - first > 9) {
            fprintf(stderr, "%s: line %lld is not a number\n", argv[1], (long long)n + 1);
            return 1;
        }
        int missing = FRACTION_DIGITS;
        if (*p == '.') {
            p++;
            for (; (unsigned)(*p - '0') < 10; p++)
                if (missing > 0) {
                    value = value * 10 + (*p - '0');
                    missing--;
                }
        }
        for (; missing > 0; missing--)
            value *= 10;
        if (*p == '\r')
            p++;
        if (*p != '\n') {
            fprintf(stderr, "%s: line %lld is not a number\n", argv[1], (long long)n + 1);
            return 1;
        }
        p++;

        sum += value;
        squares += (__int128)value * value;
        if (n > 0) {
            int64_t d = value - last;
            diff_squares += (__int128)d * d;
        }
        last = value;
        n++;
    }
    free(text);
    if (n < 2) {
        fprintf(stderr, "%s: at least two intervals are needed\n", argv[1]);
        return 1;
    }

    double dn = (double)n;
    __int128 spread = (__int128)n * squares - (__int128)sum * sum;
    printf("{\"n\":%lld,\"mean_ms\":%.17g,\"sdnn_ms\":%.17g,\"rmssd_ms\":%.17g}\n",
           (long long)n,
           (double)sum / dn / UNITS_PER_MS,
           sqrt((double)spread / (dn * (dn - 1))) / UNITS_PER_MS,
           sqrt((double)diff_squares / (dn - 1)) / UNITS_PER_MS);
    return 0;
}
