/*
 * The yardstick of the media bench: what the packets and the audio cost at least. One socket a call; each millisecond, at an absolute
 * time, one look for what came, decoded by table into a ring, then the packets that are due, encoded by table: two system calls a
 * packet and two a millisecond, whole numbers only, no memory taken after the start.
 *
 *   media-echo CALLS FIRST_PORT SECONDS     ports FIRST_PORT, +2, ...; prints READY, and ends by itself after SECONDS
 *
 * Tried and left out:
 * - waking for every packet and reading each socket until it is empty: a quarter more CPU with 1,000 calls, a half with 500;
 * - recvmmsg and sendmmsg: they gather packets of one socket, and each of these has one in 20 ms;
 * - EPOLLET: too small a gain to be seen here, and what piles up in a socket stays there;
 * - no epoll, each socket read when its call is due: no less CPU, and packets wait up to 20 ms;
 * - io_uring for what is sent, one call a millisecond: up to a tenth less CPU, but containers commonly forbid it.
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
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 12, FRAME = 160, DEPTH = 16, SLOTS = 20, TICK_NS = 1000000, SECOND_NS = 1000000000, EVENTS = 512 };
enum { START_DEPTH = 2, RESYNC = 4, SILENCE = 0xff };

struct call {
  int fd, heard, late;
  uint16_t play, waiting; /* next sequence to play; bit n: the frame in ring[n] has not been played */
  uint16_t sequence; /* of what is sent */
  uint32_t timestamp;
  uint8_t out[HEADER + FRAME];
  int16_t ring[DEPTH][FRAME]; /* by sequence */
};

static struct call *all;
static int *wheel[SLOTS], filled[SLOTS]; /* calls by the millisecond of 20 in which they send */
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

static int open_call(struct call *call, int port, int ssrc) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  uint32_t id = htonl(ssrc);
  call->out[0] = 0x80;
  memcpy(call->out + 8, &id, sizeof id);
  call->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  return call->fd < 0 || bind(call->fd, (struct sockaddr *)&address, sizeof address);
}

static void take(struct call *call, const uint8_t *packet) {
  uint16_t sequence = packet[2] << 8 | packet[3];
  if (!call->heard) call->play = sequence;
  if ((uint16_t)(sequence - call->play) >= DEPTH) {
    if (++call->late < RESYNC) return;
    call->play = sequence - START_DEPTH; /* the sender is behind for good: wait longer for it */
  }
  call->late = 0;
  int16_t *frame = call->ring[sequence % DEPTH];
  for (int i = 0; i < FRAME; i++) frame[i] = decode[packet[HEADER + i]];
  call->waiting |= 1 << sequence % DEPTH;
}

/* From the third packet on the caller is known, and is sent to. */
static void latch(int index, const struct sockaddr_in *from) {
  connect(all[index].fd, (const struct sockaddr *)from, sizeof *from);
  int best = 0;
  for (int s = 1; s < SLOTS; s++)
    if (filled[s] < filled[best]) best = s;
  wheel[best][filled[best]++] = index;
}

static void hear(int index) {
  struct call *call = &all[index];
  uint8_t packet[2048];
  struct sockaddr_in from;
  socklen_t length = sizeof from;
  int latched = call->heard > START_DEPTH;
  ssize_t bytes = latched ? recv(call->fd, packet, sizeof packet, 0)
                          : recvfrom(call->fd, packet, sizeof packet, 0, (struct sockaddr *)&from, &length);
  if (bytes != HEADER + FRAME || packet[0] >> 6 != 2) return;
  take(call, packet);
  if (!latched && call->heard++ == START_DEPTH) latch(index, &from);
}

static void speak(struct call *call) {
  uint8_t *out = call->out;
  uint32_t timestamp = htonl(call->timestamp);
  int slot = call->play++ % DEPTH;
  out[2] = call->sequence >> 8;
  out[3] = (uint8_t)call->sequence++;
  memcpy(out + 4, &timestamp, sizeof timestamp);
  call->timestamp += FRAME;
  if (call->waiting & 1 << slot)
    for (int i = 0; i < FRAME; i++) out[HEADER + i] = encode[(uint16_t)call->ring[slot][i]];
  else
    memset(out + HEADER, SILENCE, FRAME);
  call->waiting &= ~(1 << slot);
  send(call->fd, out, sizeof call->out, 0);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: media-echo CALLS FIRST_PORT SECONDS\n"), 2;
  int calls = atoi(argv[1]), first = atoi(argv[2]), poll = epoll_create1(0);
  prctl(PR_SET_TIMERSLACK, 1);
  build_tables();
  all = calloc(calls, sizeof *all);
  for (int s = 0; s < SLOTS; s++) wheel[s] = malloc(sizeof(int) * calls);
  for (int i = 0; i < calls; i++) {
    if (open_call(&all[i], first + 2 * i, i)) return perror("media-echo"), 1;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event)) return perror("media-echo"), 1;
  }
  printf("READY\n");
  fflush(stdout);
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  int ticks = atof(argv[3]) * (SECOND_NS / TICK_NS);
  for (int tick = 0; tick < ticks; tick++) {
    due.tv_nsec += TICK_NS;
    if (due.tv_nsec >= SECOND_NS) {
      due.tv_nsec -= SECOND_NS;
      due.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    struct epoll_event events[EVENTS];
    int count = epoll_wait(poll, events, EVENTS, 0), slot = tick % SLOTS;
    for (int e = 0; e < count; e++) hear(events[e].data.u32);
    for (int i = 0; i < filled[slot]; i++) speak(&all[wheel[slot][i]]);
  }
  return 0;
}
