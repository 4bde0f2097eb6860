/*
 * Load and meter for the media bench: CALLS phones that send G.711 packets every 20 ms, spread evenly over its tenths of a
 * millisecond (woken for every packet, one processor would not do for 2,000 of them), and time what comes back by the kernel's
 * receive stamps.
 *
 *   media-load CALLS FIRST_LOCAL_PORT WARMUP_S MEASURE_S < server-ports     prints one JSON line
 *
 * jitter: |inter-arrival - 20 ms| per stream. sent: how late the phones themselves were, which a server that passes packets on as
 * they come cannot make up for. lost: holes in the returned sequence numbers. silent: returned packets that are all
 * mu-law silence, that is audio that did not make it through the server in time.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PACKET = 172, PTIME_NS = 20000000, TICK_NS = 100000, EVENTS = 512, MAX_SAMPLES = 4000000 };

struct phone {
  int fd;
  uint16_t sequence, heard_sequence;
  uint32_t timestamp;
  int heard;
  int64_t heard_at;
  int64_t due;
};

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t at_ns) {
  struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int open_phone(int local_port, int server_port) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (fd < 0) die("socket");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(local_port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, (struct sockaddr *)&address, sizeof address)) die("bind");
  address.sin_port = htons(server_port);
  if (connect(fd, (struct sockaddr *)&address, sizeof address)) die("connect");
  int on = 1;
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on)) die("SO_TIMESTAMPNS");
  return fd;
}

static void speak(struct phone *phone, uint32_t ssrc, const uint8_t *voice) {
  uint8_t packet[PACKET] = {0x80, 0};
  uint32_t words[2] = {htonl(phone->timestamp), htonl(ssrc)};
  packet[2] = phone->sequence >> 8;
  packet[3] = (uint8_t)phone->sequence;
  memcpy(packet + 4, words, 8);
  memcpy(packet + 12, voice, PACKET - 12);
  phone->sequence++;
  phone->timestamp += PACKET - 12;
  if (send(phone->fd, packet, sizeof packet, 0) < 0 && errno != ECONNREFUSED && errno != EAGAIN) die("send");
}

static float *jitter, *late;
static long jitters, sent, received, lost, silent;

/* One packet of a phone that has any: what else it has is told of again by the next look, which spares asking until it has none. */
static void hear(struct phone *phone, int measuring) {
  uint8_t packet[2048], control[256];
  struct iovec io = {packet, sizeof packet};
  struct msghdr message = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t bytes = recvmsg(phone->fd, &message, MSG_DONTWAIT);
  if (bytes < 13 || packet[1] >= 192) return; /* nothing, or RTCP */
  struct timespec stamp = {0};
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
  int64_t at = stamp.tv_sec * 1000000000LL + stamp.tv_nsec;
  uint16_t sequence = packet[2] << 8 | packet[3];
  if (measuring) {
    received++;
    int quiet = 1;
    for (int i = 12; i < bytes && quiet; i++) quiet = packet[i] == 0xff;
    silent += quiet;
    if (phone->heard) {
      uint16_t step = sequence - phone->heard_sequence;
      if (step > 1 && step < 1000) lost += step - 1;
      if (step == 1 && jitters < MAX_SAMPLES) {
        int64_t off = at - phone->heard_at - PTIME_NS;
        jitter[jitters++] = (off < 0 ? -off : off) / 1e6f;
      }
    }
  }
  phone->heard = 1;
  phone->heard_sequence = sequence;
  phone->heard_at = at;
}

static void note_late(int64_t late_ns) {
  if (sent < MAX_SAMPLES) late[sent++] = late_ns / 1e6f;
}

static int ascending(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: media-load CALLS FIRST_LOCAL_PORT WARMUP_S MEASURE_S < server-ports\n"), 2;
  int calls = atoi(argv[1]), first = atoi(argv[2]);
  int64_t warmup = atof(argv[3]) * 1e9, measure = atof(argv[4]) * 1e9;
  prctl(PR_SET_TIMERSLACK, 1);
  jitter = malloc(sizeof *jitter * MAX_SAMPLES);
  late = malloc(sizeof *late * MAX_SAMPLES);
  struct phone *phones = calloc(calls, sizeof *phones);
  int poll = epoll_create1(0);
  uint8_t voice[PACKET - 12];
  for (int i = 0; i < PACKET - 12; i++) voice[i] = (uint8_t)(0x90 + i % 32); /* loud, and never silence */
  for (int i = 0; i < calls; i++) {
    int port;
    if (scanf("%d", &port) != 1) return fprintf(stderr, "too few server ports\n"), 2;
    phones[i].fd = open_phone(first + i, port);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, phones[i].fd, &event)) die("epoll_ctl");
  }
  int64_t start = now_ns() + 10000000;
  for (int i = 0; i < calls; i++) phones[i].due = start + (int64_t)(PTIME_NS / TICK_NS) * i / calls * TICK_NS;
  int next = 0;
  int64_t end = start + warmup + measure;
  for (;;) {
    int64_t now = now_ns();
    int measuring = now >= start + warmup;
    if (now >= end) break;
    while (phones[next].due <= now) { /* phones fall due in turn */
      if (measuring) note_late(now - phones[next].due);
      speak(&phones[next], 1000 + next, voice);
      phones[next].due += PTIME_NS;
      next = (next + 1) % calls;
    }
    struct epoll_event events[EVENTS];
    for (int count = EVENTS; count == EVENTS;) { /* after a stall there is more than one look tells of */
      count = epoll_wait(poll, events, EVENTS, 0);
      for (int e = 0; e < count; e++) hear(&phones[events[e].data.u32], measuring);
    }
    sleep_until(start + ((now - start) / TICK_NS + 1) * TICK_NS);
  }
  qsort(jitter, jitters, sizeof *jitter, ascending);
  qsort(late, sent, sizeof *late, ascending);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
#define AT(values, count, q) (count ? values[(long)((count - 1) * (q))] : -1)
  printf("{\"received\":%ld,\"expected\":%ld,\"lost\":%ld,\"silent\":%ld,", received, (long)(measure / PTIME_NS) * calls, lost, silent);
  printf("\"p50Ms\":%.3f,\"p99Ms\":%.3f,\"p999Ms\":%.3f,\"maxMs\":%.3f,", AT(jitter, jitters, 0.5), AT(jitter, jitters, 0.99),
         AT(jitter, jitters, 0.999), AT(jitter, jitters, 1.0));
  printf("\"sentP99Ms\":%.3f,\"generatorCpuPercent\":%.1f}\n", AT(late, sent, 0.99), 100 * cpu / ((warmup + measure) / 1e9));
  return 0;
}
