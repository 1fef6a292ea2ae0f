// Shifts the wall clock of the programs that preload it, by the nanoseconds in the file FLEET_CLOCK (int64_t, native byte order).
//
//   cc -shared -fPIC -O1 -o clock.so clock.c && LD_PRELOAD=$PWD/clock.so FLEET_CLOCK=FILE PROGRAM
//
// A write to the file is a step of the clock of all programs that use it. CLOCK_MONOTONIC and CLOCK_BOOTTIME, relative timeouts
// and poll() are not affected. Timeouts of the wall clock behave as those of the kernel: a step forward ends them earlier, and a
// step back later. libfaketime shifts absolute timers of CLOCK_MONOTONIC as well, on which libdispatch depends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000, STEP_CHECK = 100000000, COUNTERS = 256 };

static _Atomic int64_t unshifted;
static _Atomic int64_t *offset = &unshifted;

__attribute__((constructor)) static void open_clock(void) {
  const char *path = getenv("FLEET_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) offset = page;
}

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){.tv_sec = nanoseconds / SECOND, .tv_nsec = nanoseconds % SECOND};
}

static int64_t now(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return nanoseconds(&time);
}

static int64_t wall(void) { return now(CLOCK_REALTIME) + atomic_load(offset); }

// Whether a deadline is of the wall clock: no machine runs for 30 years.
static int is_wall(const struct timespec *deadline) { return deadline->tv_sec > 1000000000; }

// The time of CLOCK_MONOTONIC at which a wait for `deadline` ends, or at which it has to look for steps.
static struct timespec next_check(const struct timespec *deadline) {
  int64_t remaining = nanoseconds(deadline) - wall();
  return timespec_of(now(CLOCK_MONOTONIC) + (remaining < 0 ? 0 : remaining < STEP_CHECK ? remaining : STEP_CHECK));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    *time = timespec_of(nanoseconds(time) + atomic_load(offset));
  return (int)result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec shifted = timespec_of(wall());
  *time = (struct timeval){.tv_sec = shifted.tv_sec, .tv_usec = shifted.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  time_t seconds = wall() / SECOND;
  if (result) *result = seconds;
  return seconds;
}

// The number of signals of the condition variables with the same counter: a waiter that looks for steps could otherwise miss one.
static _Atomic unsigned *signals(pthread_cond_t *condition) {
  static _Atomic unsigned counters[COUNTERS];
  return &counters[(uintptr_t)condition / sizeof *condition % COUNTERS];
}

typedef int Wake(pthread_cond_t *);

static int wake(const char *name, Wake *_Atomic *original, pthread_cond_t *condition) {
  if (!atomic_load(original)) atomic_store(original, (Wake *)dlsym(RTLD_NEXT, name));
  atomic_fetch_add(signals(condition), 1);
  return atomic_load(original)(condition);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  static Wake *_Atomic original;
  return wake("pthread_cond_signal", &original, condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  static Wake *_Atomic original;
  return wake("pthread_cond_broadcast", &original, condition);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  if (!is_wall(deadline)) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, deadline);
  unsigned before = atomic_load(signals(condition));
  do {
    struct timespec check = next_check(deadline);
    int result = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &check);
    if (result != ETIMEDOUT) return result;
    if (atomic_load(signals(condition)) != before) return 0;
  } while (wall() < nanoseconds(deadline));
  return ETIMEDOUT;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  do {
    struct timespec check = next_check(deadline);
    if (sem_clockwait(semaphore, CLOCK_MONOTONIC, &check) == 0) return 0;
    if (errno != ETIMEDOUT) return -1;
  } while (wall() < nanoseconds(deadline));
  errno = ETIMEDOUT;
  return -1;
}

// Unlike the others, an absolute timer keeps its length if the clock steps after it was set.
int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *previous) {
  struct itimerspec shifted = *value;
  if ((flags & TFD_TIMER_ABSTIME) && is_wall(&value->it_value))
    shifted.it_value = timespec_of(nanoseconds(&value->it_value) - atomic_load(offset));
  return (int)syscall(SYS_timerfd_settime, timer, flags, &shifted, previous);
}
