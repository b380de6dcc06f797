/* The delays of `scripts/with-delays`, loaded before libc. Time is cut into periods. In some of them a thread is
   slow, as under a busy scheduler or a slow disk: it waits before each call that others may observe. The choice is a hash of
   TEST_DELAYS, the thread and the time. Nothing here allocates or takes a lock, because PostgreSQL calls some of these
   functions in signal handlers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The length of a period: 2^29 ns, half a second. */
#define PERIOD_BITS 29
/* A thread is slow in one of so many periods. */
#define PERIODS_PER_SLOW_ONE 6
/* The longest wait before a call, in nanoseconds. */
#define LONGEST_DELAY 30000000

static uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

static void wait_if_slow(void) {
  static uint64_t seed;
  static __thread uint64_t thread;
  if (!thread) {
    const char *text = getenv("TEST_DELAYS");
    seed = text ? strtoull(text, NULL, 10) : 0;
    thread = mix((uint64_t)syscall(SYS_gettid) + 1) | 1;
  }
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  if (mix(seed ^ thread ^ (nanoseconds >> PERIOD_BITS)) % PERIODS_PER_SLOW_ONE) return;
  int error = errno;
  struct timespec delay = {0, (long)(mix(nanoseconds ^ thread) % LONGEST_DELAY)};
  nanosleep(&delay, NULL);
  errno = error;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define SLOW(result, name, parameters, arguments) \
  result name parameters { \
    REAL(name); \
    wait_if_slow(); \
    return real arguments; \
  }

SLOW(ssize_t, send, (int socket, const void *bytes, size_t size, int flags), (socket, bytes, size, flags))
SLOW(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags), (socket, message, flags))
SLOW(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
SLOW(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
SLOW(int, fsync, (int file), (file))
SLOW(int, fdatasync, (int file), (file))
SLOW(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
SLOW(int, unlink, (const char *path), (path))
SLOW(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
SLOW(int, rmdir, (const char *path), (path))
SLOW(int, rename, (const char *from, const char *to), (from, to))
SLOW(int, mkdir, (const char *path, mode_t mode), (path, mode))
SLOW(int, accept4, (int socket, struct sockaddr *restrict address, socklen_t *restrict size, int flags),
     (socket, address, size, flags))
SLOW(int, connect, (int socket, const struct sockaddr *address, socklen_t size), (socket, address, size))
