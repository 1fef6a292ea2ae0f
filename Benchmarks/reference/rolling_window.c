/*
 * rolling_window.c - the plain C reference for one beat in a window: SDNN and RMSSD of the last 60 s at each beat.
 *
 * It does the minimum for correct results: a ring buffer of beats, exact integer sums that are updated per beat,
 * two square roots. No verdicts, no gaps, no confidence. The beats are those of Benchmarks/Engine.
 *
 * Build:  gcc -O3 -static -o rolling_window rolling_window.c -lm
 * Prints the fastest of 20 passes:  ns_per_beat=... checksum=...
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { WARM_UP = 1000, BEATS = 100000, RING = 1024, WINDOW = 60 * 1024 }; /* times in 1/1024 s */

static uint16_t series[WARM_UP + BEATS];

struct window {
    int64_t end, sum, squares, diff_squares;
    uint32_t first, next; /* of the ring: the oldest beat, and one past the newest */
    int64_t ends[RING];
    int32_t rr[RING];
};

static void fill_series(void)
{
    uint32_t state = 1;
    for (int i = 0; i < WARM_UP + BEATS; i++) {
        state = state * 1664525u + 1013904223u;
        series[i] = (uint16_t)(780 + (state >> 25) + ((state >> 8 & 0xff) == 0 ? 800 : 0));
    }
}

static inline void append(struct window *w, int32_t rr)
{
    uint32_t slot = w->next++ % RING;
    if (w->next - w->first > 1) {
        int64_t diff = rr - w->rr[(slot + RING - 1) % RING];
        w->diff_squares += diff * diff;
    }
    w->end += rr;
    w->ends[slot] = w->end;
    w->rr[slot] = rr;
    w->sum += rr;
    w->squares += (int64_t)rr * rr;
    while (w->ends[w->first % RING] <= w->end - WINDOW) {
        int64_t oldest = w->rr[w->first % RING], diff = w->rr[(w->first + 1) % RING] - oldest;
        w->first++;
        w->sum -= oldest;
        w->squares -= oldest * oldest;
        w->diff_squares -= diff * diff;
    }
}

static inline double sdnn_and_rmssd(const struct window *w)
{
    int64_t n = w->next - w->first;
    if (n < 2)
        return 0;
    double spread = (double)(n * w->squares - w->sum * w->sum);
    return sqrt(spread / (double)(n * (n - 1))) + sqrt((double)w->diff_squares / (double)(n - 1));
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
    double best = INFINITY, checksum = 0;
    fill_series();
    for (int pass = 0; pass < 20; pass++) {
        static struct window w;
        w = (struct window){0};
        for (int i = 0; i < WARM_UP; i++)
            append(&w, series[i]);
        checksum = 0;
        double start = cpu_ns();
        for (int i = WARM_UP; i < WARM_UP + BEATS; i++) {
            append(&w, series[i]);
            checksum += sdnn_and_rmssd(&w);
        }
        double cost = (cpu_ns() - start) / BEATS;
        best = cost < best ? cost : best;
    }
    printf("ns_per_beat=%.2f checksum=%.6f\n", best, checksum / BEATS * 1000 / 1024);
    return 0;
}
