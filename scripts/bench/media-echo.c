/*
 * The yardstick of the media bench: what a plain C server needs for the same packets. One socket a call, a jitter queue, table
 * G.711 both ways, frame energy, and a 1 ms wheel that sends every call's packet each 20 ms.
 *
 *   media-echo CALLS FIRST_PORT SECONDS     ports FIRST_PORT, +2, ...; prints READY, and one JSON line at the end
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
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

enum { FRAME = 160, DEPTH = 16, SLOTS = 20, TICK_NS = 1000000, EVENTS = 512, START_DEPTH = 2, RESYNC = 4 };

struct call {
  int fd, live, playing, late;
  uint16_t sequence, play;
  uint32_t timestamp, ssrc;
  uint8_t present[DEPTH];
  int16_t queue[DEPTH][FRAME];
  double energy;
};

static int16_t decode[256];
static uint8_t encode[65536];

static void build_tables(void) {
  for (int code = 0; code < 256; code++) {
    int u = ~code & 0xff, magnitude = ((((u & 15) << 3) + 132) << (u >> 4 & 7)) - 132;
    decode[code] = u & 0x80 ? -magnitude : magnitude;
  }
  for (int sample = -32768; sample < 32768; sample++) {
    int size = sample < 0 ? -sample : sample, exponent = 7;
    size = (size > 32635 ? 32635 : size) + 132;
    while (exponent > 0 && !(size >> (exponent + 7))) exponent--;
    encode[(uint16_t)sample] = ~((sample < 0 ? 0x80 : 0) | exponent << 4 | (size >> (exponent + 3) & 15));
  }
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void take(struct call *call, const uint8_t *packet) {
  uint16_t sequence = packet[2] << 8 | packet[3];
  if (!call->playing) {
    call->play = sequence;
    call->playing = 1;
  }
  if ((uint16_t)(sequence - call->play) >= DEPTH) {
    if (++call->late < RESYNC) return;
    call->play = sequence - START_DEPTH; /* the sender is behind for good: wait longer for it */
  }
  call->late = 0;
  int slot = sequence % DEPTH;
  double energy = 0;
  for (int i = 0; i < FRAME; i++) {
    int16_t sample = decode[packet[12 + i]];
    call->queue[slot][i] = sample;
    energy += (double)sample * sample;
  }
  call->present[slot] = 1;
  call->energy += energy;
}

static void speak(struct call *call) {
  uint8_t packet[12 + FRAME] = {0x80, 0};
  uint32_t words[2] = {htonl(call->timestamp), htonl(call->ssrc)};
  packet[2] = call->sequence >> 8;
  packet[3] = (uint8_t)call->sequence;
  memcpy(packet + 4, words, 8);
  int slot = call->play % DEPTH;
  if (call->present[slot])
    for (int i = 0; i < FRAME; i++) packet[12 + i] = encode[(uint16_t)call->queue[slot][i]];
  else
    memset(packet + 12, 0xff, FRAME);
  call->present[slot] = 0;
  call->play++;
  call->sequence++;
  call->timestamp += FRAME;
  send(call->fd, packet, sizeof packet, 0);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: media-echo CALLS FIRST_PORT SECONDS\n"), 2;
  int calls = atoi(argv[1]), first = atoi(argv[2]);
  prctl(PR_SET_TIMERSLACK, 1);
  build_tables();
  struct call *all = calloc(calls, sizeof *all);
  int(*wheel)[SLOTS] = malloc(sizeof(int) * SLOTS * calls), filled[SLOTS] = {0};
  int poll = epoll_create1(0);
  for (int i = 0; i < calls; i++) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(first + 2 * i)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    all[i].fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    all[i].ssrc = i;
    if (all[i].fd < 0 || bind(all[i].fd, (struct sockaddr *)&address, sizeof address)) return perror("bind"), 1;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event);
  }
  printf("READY\n");
  fflush(stdout);
  int64_t start = now_ns(), end = start + atof(argv[3]) * 1e9;
  for (int64_t tick = 0;;) {
    int64_t now = now_ns(), due = start + tick * TICK_NS;
    if (now >= end) break;
    if (now >= due) {
      int slot = tick % SLOTS;
      for (int i = 0; i < filled[slot]; i++) speak(&all[wheel[i][slot]]);
      tick++;
      continue;
    }
    struct epoll_event events[EVENTS];
    struct timespec wait = {0, due - now};
    int count = epoll_pwait2(poll, events, EVENTS, &wait, NULL);
    for (int e = 0; e < count; e++) {
      struct call *call = &all[events[e].data.u32];
      uint8_t packet[2048];
      struct sockaddr_in from;
      for (;;) {
        socklen_t length = sizeof from;
        ssize_t bytes = recvfrom(call->fd, packet, sizeof packet, 0, (struct sockaddr *)&from, &length);
        if (bytes < 0) break;
        if (bytes != 12 + FRAME || packet[0] >> 6 != 2) continue;
        take(call, packet);
        if (call->live++ == START_DEPTH) {
          connect(call->fd, (struct sockaddr *)&from, sizeof from);
          int best = 0;
          for (int s = 1; s < SLOTS; s++)
            if (filled[s] < filled[best]) best = s;
          wheel[filled[best]++][best] = events[e].data.u32;
        }
      }
    }
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  printf("{\"cpuSeconds\":%.3f}\n", cpu);
  return 0;
}
