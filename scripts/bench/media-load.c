/*
 * Load and meter for the media bench: CALLS phones that send G.711 packets every 20 ms, spread evenly over its tenths of a
 * millisecond, and time what comes back by the kernel's receive stamps. As the kernel keeps the time, a phone need not hurry to
 * read: it takes the packets of 100 ms at once. Woken for every packet, one processor would hardly do for 2,000 phones.
 *
 *   media-load CALLS FIRST_LOCAL_PORT WARMUP_S MEASURE_S [KEY] < server-ports     prints one JSON line
 *
 * KEY: 30 bytes in hex, for SRTP both ways with AES_CM_128_HMAC_SHA1_80 (compiled with -DSRTP -lsrtp2). What cannot be opened then
 * was not received.
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
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef SRTP
#include <srtp2/srtp.h>
#endif

enum { PACKET = 172, TAG = 10, KEY = 30, PTIME_NS = 20000000, TICK_NS = 100000, HEAR_NS = 100000000, BATCH = 16, MAX_SAMPLES = 4000000 };

struct phone {
  int fd;
  uint16_t sequence, heard_sequence;
  uint32_t timestamp;
  int heard;
  int64_t heard_at;
  int64_t due;
#ifdef SRTP
  srtp_t out, in;
#endif
};

static int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
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

#ifdef SRTP
static int encrypted;

static srtp_t session(srtp_ssrc_type_t streams, unsigned char *key) {
  srtp_policy_t policy = {.ssrc = {streams, 0}, .key = key, .window_size = 256};
  srtp_t made;
  srtp_crypto_policy_set_rtp_default(&policy.rtp);
  srtp_crypto_policy_set_rtcp_default(&policy.rtcp);
  if (srtp_create(&made, &policy)) die("srtp_create");
  return made;
}

static void encrypt(struct phone *phones, int calls, const char *hex) {
  unsigned char key[KEY];
  for (int i = 0; i < KEY; i++)
    if (sscanf(hex + 2 * i, "%2hhx", &key[i]) != 1) die("KEY");
  if (srtp_init()) die("srtp_init");
  for (int i = 0; i < calls; i++) {
    phones[i].out = session(ssrc_any_outbound, key);
    phones[i].in = session(ssrc_any_inbound, key);
  }
  encrypted = 1;
}
#endif

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
  uint8_t packet[PACKET + TAG] __attribute__((aligned(4))) = {0x80, 0};
  int bytes = PACKET;
  uint32_t words[2] = {htonl(phone->timestamp), htonl(ssrc)};
  packet[2] = phone->sequence >> 8;
  packet[3] = (uint8_t)phone->sequence;
  memcpy(packet + 4, words, 8);
  memcpy(packet + 12, voice, PACKET - 12);
  phone->sequence++;
  phone->timestamp += PACKET - 12;
#ifdef SRTP
  if (encrypted && srtp_protect(phone->out, packet, &bytes)) die("srtp_protect");
#endif
  if (send(phone->fd, packet, bytes, 0) < 0 && errno != ECONNREFUSED && errno != EAGAIN) die("send");
}

static float *jitter, *late;
static long jitters, sent, received, lost, silent;

static struct {
  uint8_t packet[BATCH][256], control[BATCH][64];
  struct iovec io[BATCH];
  struct mmsghdr messages[BATCH];
} batch;
static int64_t window_from, window_to; /* what came in between counts, by the clock of the receive stamps */

static void note(struct phone *phone, const uint8_t *packet, int bytes, int64_t at) {
  uint16_t sequence = packet[2] << 8 | packet[3], step = sequence - phone->heard_sequence;
  if (at >= window_from && at < window_to) {
    received++;
    int quiet = 1;
    for (int i = 12; i < bytes && quiet; i++) quiet = packet[i] == 0xff;
    silent += quiet;
    if (phone->heard && step > 1 && step < 1000) lost += step - 1;
    if (phone->heard && step == 1 && jitters < MAX_SAMPLES) {
      int64_t off = at - phone->heard_at - PTIME_NS;
      jitter[jitters++] = (off < 0 ? -off : off) / 1e6f;
    }
  }
  phone->heard = 1;
  phone->heard_sequence = sequence;
  phone->heard_at = at;
}

static int64_t stamp_of(struct msghdr *message) {
  struct timespec stamp = {0};
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
  return stamp.tv_sec * 1000000000LL + stamp.tv_nsec;
}

static void hear(struct phone *phone) {
  for (int count = BATCH; count == BATCH;) {
    for (int i = 0; i < BATCH; i++) {
      batch.io[i] = (struct iovec){batch.packet[i], sizeof batch.packet[i]};
      batch.messages[i].msg_hdr = (struct msghdr){.msg_iov = &batch.io[i], .msg_iovlen = 1};
      batch.messages[i].msg_hdr.msg_control = batch.control[i];
      batch.messages[i].msg_hdr.msg_controllen = sizeof batch.control[i];
    }
    count = recvmmsg(phone->fd, batch.messages, BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
      int bytes = batch.messages[i].msg_len;
      if (bytes < 13 || batch.packet[i][1] >= 192) continue; /* RTCP */
#ifdef SRTP
      if (encrypted && srtp_unprotect(phone->in, batch.packet[i], &bytes)) continue;
#endif
      note(phone, batch.packet[i], bytes, stamp_of(&batch.messages[i].msg_hdr));
    }
  }
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
  uint8_t voice[PACKET - 12];
  for (int i = 0; i < PACKET - 12; i++) voice[i] = (uint8_t)(0x90 + i % 32); /* loud, and never silence */
  for (int i = 0; i < calls; i++) {
    int port;
    if (scanf("%d", &port) != 1) return fprintf(stderr, "too few server ports\n"), 2;
    phones[i].fd = open_phone(first + i, port);
  }
  if (argc > 5) {
#ifdef SRTP
    encrypt(phones, calls, argv[5]);
#else
    return fprintf(stderr, "compiled without SRTP\n"), 2;
#endif
  }
  int64_t start = clock_ns(CLOCK_MONOTONIC) + 10000000;
  for (int i = 0; i < calls; i++) phones[i].due = start + (int64_t)(PTIME_NS / TICK_NS) * i / calls * TICK_NS;
  int64_t end = start + warmup + measure;
  window_from = start + warmup + clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
  window_to = window_from + measure;
  int next = 0;
  for (int64_t heard = 0;;) {
    int64_t now = clock_ns(CLOCK_MONOTONIC), turns = (now - start) * calls / HEAR_NS;
    if (now >= end) break;
    while (phones[next].due <= now) { /* phones fall due in turn */
      if (now >= start + warmup) note_late(now - phones[next].due);
      speak(&phones[next], 1000 + next, voice);
      phones[next].due += PTIME_NS;
      next = (next + 1) % calls;
    }
    if (heard < turns - calls) heard = turns - calls; /* after a stall once is enough for each */
    while (heard < turns) hear(&phones[heard++ % calls]);
    sleep_until(start + ((now - start) / TICK_NS + 1) * TICK_NS);
  }
  for (int i = 0; i < calls; i++) hear(&phones[i]);
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
