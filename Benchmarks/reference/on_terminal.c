/*
 * on_terminal.c - runs a command on a pseudo-terminal and prints its cost.
 *
 *   on_terminal COLUMNS ROWS COMMAND [ARGUMENT...]
 *
 * The output of the command is read immediately, as by a terminal, and
 * discarded. It prints one line:
 *
 *   cpu_us=... bytes=... frames=... wall_us=...
 *
 * cpu_us is user + system from wait4(2), see launch.c; bytes is what was written
 * to the terminal; frames is how often the cursor was moved up (CSI n A), with
 * which a redrawn block of lines starts.
 *
 * Build:  gcc -O2 -static -o on_terminal on_terminal.c
 * Exit status: 0 success, 1 the command failed, 2 wrong usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* Whether a frame begins with this byte; sequences may come in pieces. */
static int begins_frame(unsigned char byte)
{
    static int state; /* 0 text, 1 after ESC, 2 after ESC [ and digits */
    int up = state == 2 && byte == 'A';
    state = byte == 0x1b ? 1 : state == 1 && byte == '[' ? 2 : state == 2 && byte >= '0' && byte <= '9' ? 2 : 0;
    return up;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s COLUMNS ROWS COMMAND [ARGUMENT...]\n", argv[0]);
        return 2;
    }
    struct winsize size = {.ws_col = (unsigned short)atoi(argv[1]), .ws_row = (unsigned short)atoi(argv[2])};
    long start = now_us();
    int terminal;
    pid_t pid = forkpty(&terminal, NULL, NULL, &size);
    if (pid < 0) {
        perror("forkpty");
        return 1;
    }
    if (pid == 0) {
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }

    static unsigned char chunk[1 << 16];
    long bytes = 0, frames = 0;
    ssize_t count;
    /* A closed other end is reported as EIO. */
    while ((count = read(terminal, chunk, sizeof chunk)) > 0 || (count < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < count; i++)
            frames += begins_frame(chunk[i]);
        bytes += count > 0 ? count : 0;
    }

    int status;
    struct rusage usage;
    if (wait4(pid, &status, 0, &usage) != pid) {
        perror("wait4");
        return 1;
    }
    long cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec
        + usage.ru_stime.tv_usec;
    printf("cpu_us=%ld bytes=%ld frames=%ld wall_us=%ld\n", cpu, bytes, frames, now_us() - start);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
