/*
 * launch.c - runs a command many times and prints the cost of one run.
 *
 *   launch [-n RUNS] [-w WARMUPS] [-l TEXT] COMMAND [ARGUMENT...]
 *
 * For each run it forks, execs the command with its output sent to /dev/null,
 * and takes from wait4(2) the CPU time (user + system) and the peak memory of
 * that child. With -l, a run is ended by SIGKILL as soon as its output contains
 * TEXT: the cost until the first result. It prints one line:
 *
 *   runs=200 cpu_us_min=... cpu_us_median=... cpu_us_mean=... user_us_median=...
 *   sys_us_median=... rss_kb_median=... rss_kb_max=... wall_us_median=...
 *
 * The launcher is small and static, because the peak memory of a child is
 * counted from fork and is at least that of its parent. Started from Python or a
 * large test runner, every child would seem to use tens of megabytes.
 *
 * About resolution: Linux accounts the SUM user+sys of a process from the
 * scheduler's nanosecond clock, and wait4 reports it in microseconds. Only
 * the split between user and sys can depend on the timer tick (so on a kernel without
 * CONFIG_VIRT_CPU_ACCOUNTING_GEN, a run shorter than a tick is booked nearly all to
 * one side). The sum is reliable, the split is not.
 *
 * Build:  gcc -O2 -static -o launch launch.c
 * Exit status: 0 success, 1 a run failed, 2 wrong usage.
 */
#define _GNU_SOURCE /* memmem */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 100000 };

static int by_value(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static long micros(struct timeval t)
{
    return t.tv_sec * 1000000L + t.tv_usec;
}

/* Sorts the values and returns the middle one. */
static long median(long *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static long now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* Reads until TEXT; false if the output ends without it. */
static int comes_by(int output, const char *text)
{
    static char seen[1 << 16];
    size_t length = strlen(text), kept = 0;
    ssize_t more;
    while ((more = read(output, seen + kept, sizeof seen - kept)) > 0) {
        kept += (size_t)more;
        if (memmem(seen, kept, text, length))
            return 1;
        if (kept >= length) { /* keep what may be the beginning of TEXT */
            memmove(seen, seen + kept - (length - 1), length - 1);
            kept = length - 1;
        }
    }
    return 0;
}

/*
 * One run, until its end or until TEXT is in its output. Fills in the usage; returns the exit
 * status (0 if TEXT was found), or -1 if there was none.
 */
static int run_once(char **command, const char *text, struct rusage *usage)
{
    int output[2] = {-1, -1};
    if (text && pipe(output) != 0) {
        perror("pipe");
        return -1;
    }
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        return -1;
    }
    if (pid == 0) {
        int sink = text ? output[1] : open("/dev/null", O_WRONLY);
        if (sink >= 0) {
            dup2(sink, 1);
            if (sink > 2)
                close(sink);
        }
        if (text)
            close(output[0]);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    int came = 0;
    if (text) {
        close(output[1]);
        came = comes_by(output[0], text);
        if (came)
            kill(pid, SIGKILL);
        close(output[0]);
    }
    int status;
    if (wait4(pid, &status, 0, usage) != pid) {
        perror("wait4");
        return -1;
    }
    if (text)
        return came ? 0 : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    int runs = 200, warmups = 5, option;
    const char *text = NULL;
    while ((option = getopt(argc, argv, "+n:w:l:")) != -1) { /* '+': stop at COMMAND */
        if (option == 'n')
            runs = atoi(optarg);
        else if (option == 'w')
            warmups = atoi(optarg);
        else if (option == 'l' && *optarg)
            text = optarg;
        else
            return 2;
    }
    if (optind >= argc || runs < 1 || runs > MAX_RUNS || warmups < 0) {
        fprintf(stderr, "usage: %s [-n RUNS] [-w WARMUPS] [-l TEXT] COMMAND [ARGUMENT...]\n", argv[0]);
        return 2;
    }

    static long cpu[MAX_RUNS], user[MAX_RUNS], sys[MAX_RUNS], rss[MAX_RUNS], wall[MAX_RUNS];
    double total = 0;
    for (int i = -warmups; i < runs; i++) {
        struct rusage usage;
        long start = now_us();
        int status = run_once(argv + optind, text, &usage);
        if (status != 0) {
            fprintf(stderr, "%s: run ended with status %d\n", argv[optind], status);
            return 1;
        }
        if (i < 0)
            continue;
        user[i] = micros(usage.ru_utime);
        sys[i] = micros(usage.ru_stime);
        cpu[i] = user[i] + sys[i];
        rss[i] = usage.ru_maxrss;
        wall[i] = now_us() - start;
        total += (double)cpu[i];
    }

    long cpu_median = median(cpu, runs), rss_median = median(rss, runs);
    printf("runs=%d cpu_us_min=%ld cpu_us_median=%ld cpu_us_mean=%.0f user_us_median=%ld "
           "sys_us_median=%ld rss_kb_median=%ld rss_kb_max=%ld wall_us_median=%ld\n",
           runs, cpu[0], cpu_median, total / runs, median(user, runs), median(sys, runs),
           rss_median, rss[runs - 1], median(wall, runs));
    return 0;
}
