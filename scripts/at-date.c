/* The clock of `scripts/at-date`, loaded before libc: real time plus TEST_CLOCK_OFFSET seconds. Monotonic clocks stay
   real. Nothing here allocates or takes a lock, because PostgreSQL reads the time in signal handlers
   and some allocators read it while they are set up. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  static long seconds;
  static int is_read;
  if (!is_read) {
    const char *text = getenv("TEST_CLOCK_OFFSET");
    seconds = text ? atol(text) : 0;
    is_read = 1;
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int failed = (int)syscall(SYS_gettimeofday, now, zone);
  if (!failed && now) now->tv_sec += offset();
  return failed;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

/* The times of files move with the clock: programs compare both. */
static void move_times(struct timespec moved[2], const struct timespec times[2]) {
  for (int at = 0; at < 2; at++) {
    moved[at] = times[at];
    if (times[at].tv_nsec != UTIME_NOW && times[at].tv_nsec != UTIME_OMIT) moved[at].tv_sec -= offset();
  }
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict facts) {
  int failed = (int)syscall(SYS_statx, folder, path, flags, mask, facts);
  if (failed) return failed;
  struct statx_timestamp *times[] = {&facts->stx_atime, &facts->stx_btime, &facts->stx_ctime, &facts->stx_mtime};
  for (int at = 0; at < 4; at++) times[at]->tv_sec += offset();
  return 0;
}

int futimens(int file, const struct timespec times[2]) {
  struct timespec moved[2];
  if (times) move_times(moved, times);
  return (int)syscall(SYS_utimensat, file, NULL, times ? moved : NULL, 0);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  struct timespec moved[2];
  if (times) move_times(moved, times);
  return (int)syscall(SYS_utimensat, folder, path, times ? moved : NULL, flags);
}
