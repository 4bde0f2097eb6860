/*
 * Audio of many callers for the bench of whole gateways: each has an even port for RTP and the odd one after it for RTCP, waits for
 * the gateway's first packet and from then on sends 50 packets of low line noise a second to where that came from.
 *
 *   whole-load CALLS FIRST_PORT LAST_PORT
 *
 * Prints {"ports":[...]} with the ports that it got, one a call. Then, by what it reads: `l` prints the counts so far, `w` also what
 * came since the last `w`, and begins anew; `q`, the end of input, SIGTERM and SIGINT print everything, call by call, and end it.
 *
 * jitter: |time between arrivals - time between their timestamps| by the kernel's receive stamps, of packets that follow each other.
 * lost: holes in the sequence numbers of what came. leftOut: packet times without a packet and without a hole: a pause, or a gateway
 * that was too late. unheard: what the gateway says it lost of ours, by its RTCP reports. lateP99Ms: of this program's own sending.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 12, SAMPLES = 160, PACKET = HEADER + SAMPLES, EVENTS = 512, NOISE = 8000, RTCP = 1 << 30, INPUT = 1 << 29 };
enum { FINE_BUCKETS = 10000, CALL_BUCKETS = 400 };
static const int64_t PTIME_NS = 20000000, TICK_NS = 1000000;
static const uint32_t SSRC = 0x77000000;

/* Counts by value, all buckets equally wide; the last one holds what is beyond. */
struct histogram {
  uint32_t *counts;
  int buckets;
  double width_ms, max_ms;
  long count;
};

static void histogram_init(struct histogram *h, int buckets, double width_ms) {
  *h = (struct histogram){calloc(buckets, sizeof *h->counts), buckets, width_ms, 0, 0};
}

static void histogram_add(struct histogram *h, double ms) {
  int at = ms / h->width_ms;
  h->counts[at < h->buckets ? at : h->buckets - 1]++;
  h->count++;
  if (ms > h->max_ms) h->max_ms = ms;
}

static void histogram_clear(struct histogram *h) {
  memset(h->counts, 0, h->buckets * sizeof *h->counts);
  h->count = 0;
  h->max_ms = 0;
}

/* Upper edge of the bucket that holds the quantile, or the largest value where that is less; 0 without values. */
static double quantile(const struct histogram *h, double q) {
  long wanted = h->count * q, seen = 0;
  for (int i = 0; i < h->buckets - 1; i++) {
    seen += h->counts[i];
    if (seen > wanted) return (i + 1) * h->width_ms < h->max_ms ? (i + 1) * h->width_ms : h->max_ms;
  }
  return h->max_ms;
}

enum state { WAITING, UP, OVER };
struct call {
  int rtp, rtcp, port;
  enum state state;
  uint16_t sequence;
  uint32_t timestamp;
  int64_t due;
  struct call *next; /* that sends after this one */
  int heard;
  uint16_t heard_sequence;
  uint32_t heard_timestamp, heard_ssrc;
  int64_t heard_at;
  int noise_at;
  long sent, received, lost, left_out, unheard;
  struct histogram jitter;
};

struct counts {
  long sent, received, lost, left_out;
};

static struct call *calls;
static int call_count, up, heard_calls, up_max;
static struct call *first_due, *last_due;
static struct counts total, before;
static struct histogram jitter, window, late, window_late;
static uint8_t noise[NOISE + SAMPLES];
static volatile sig_atomic_t told_to_end;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void on_signal(int number) {
  (void)number;
  told_to_end = 1;
}

/* @returns a socket on that port of this machine, -1 where somebody else has it. */
static int open_port(int port) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  if (errno != EADDRINUSE) die("bind");
  close(fd);
  return -1;
}

/* @returns the first port after those of this call. */
static int open_call(struct call *call, int port, int last) {
  for (; port < last; port += 2) {
    call->rtp = open_port(port);
    if (call->rtp < 0) continue;
    call->rtcp = open_port(port + 1);
    if (call->rtcp >= 0) break;
    close(call->rtp);
  }
  if (port >= last) {
    fprintf(stderr, "too few free ports\n");
    exit(1);
  }
  int on = 1;
  if (setsockopt(call->rtp, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on)) die("SO_TIMESTAMPNS");
  call->port = port;
  call->sequence = (uint16_t)rand();
  call->timestamp = (uint32_t)rand();
  call->noise_at = rand() % NOISE;
  histogram_init(&call->jitter, CALL_BUCKETS, 0.05);
  return port + 2;
}

static void watch(int poll, int fd, uint32_t what) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}

/* About -70 dBFS: a quiet line, which nobody takes for speech. */
static void make_noise(void) {
  static const uint8_t codes[] = {0xff, 0x7f, 0xfe, 0x7e, 0xfd, 0x7d};
  for (int i = 0; i < NOISE + SAMPLES; i++) noise[i] = codes[rand() % (int)sizeof codes];
}

/* Calls send in the order of the list: all have the same period, and a new one comes last. */
static void append(struct call *call) {
  call->next = NULL;
  if (last_due) last_due->next = call;
  else first_due = call;
  last_due = call;
}

static void begin(struct call *call, const struct sockaddr_in *from, int64_t now) {
  if (connect(call->rtp, (const struct sockaddr *)from, sizeof *from)) die("connect");
  call->state = UP;
  heard_calls++;
  if (++up > up_max) up_max = up;
  call->due = (first_due && first_due->due < now ? first_due->due : now) + PTIME_NS;
  append(call);
}

static void end(struct call *call) {
  if (call->state == UP) up--;
  call->state = OVER;
}

static void speak(struct call *call) {
  uint8_t packet[PACKET] = {0x80, 0};
  uint32_t words[2] = {htonl(call->timestamp), htonl(SSRC + (uint32_t)(call - calls))};
  packet[2] = call->sequence >> 8;
  packet[3] = (uint8_t)call->sequence;
  memcpy(packet + 4, words, sizeof words);
  memcpy(packet + HEADER, noise + call->noise_at, SAMPLES);
  call->noise_at = (call->noise_at + SAMPLES) % NOISE;
  if (send(call->rtp, packet, sizeof packet, 0) < 0) {
    if (errno == ECONNREFUSED) return end(call); /* the gateway has closed the port */
    if (errno == EAGAIN || errno == ENOBUFS) return; /* it goes out a period later */
    die("send");
  }
  call->sequence++;
  call->timestamp += SAMPLES;
  call->sent++;
  total.sent++;
}

static void speak_due(int64_t now) {
  while (first_due && first_due->due <= now) {
    struct call *call = first_due;
    first_due = call->next;
    if (!first_due) last_due = NULL;
    if (call->state != UP) continue;
    double late_ms = (now - call->due) / 1e6;
    histogram_add(&late, late_ms);
    histogram_add(&window_late, late_ms);
    speak(call);
    call->due += PTIME_NS;
    append(call);
  }
}

static void measure(struct call *call, uint16_t sequence, uint32_t timestamp, int64_t at) {
  int16_t step = (int16_t)(sequence - call->heard_sequence);
  if (step <= 0) { /* it came after one that was sent later: it is not lost after all */
    if (step < 0 && call->lost > 0) call->lost--, total.lost--;
    return;
  }
  int32_t ticks = (int32_t)(timestamp - call->heard_timestamp);
  if (step > 1) call->lost += step - 1, total.lost += step - 1;
  if (step == 1 && ticks > SAMPLES) call->left_out += ticks / SAMPLES - 1, total.left_out += ticks / SAMPLES - 1;
  if (step == 1 && ticks == SAMPLES) {
    double off_ms = (at - call->heard_at - PTIME_NS) / 1e6;
    if (off_ms < 0) off_ms = -off_ms;
    histogram_add(&jitter, off_ms);
    histogram_add(&window, off_ms);
    histogram_add(&call->jitter, off_ms);
  }
}

static void hear(struct call *call, int64_t now) {
  uint8_t packet[2048], control[128];
  struct sockaddr_in from;
  struct iovec io = {packet, sizeof packet};
  struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &io, .msg_iovlen = 1,
                           .msg_control = control, .msg_controllen = sizeof control};
  ssize_t bytes = recvmsg(call->rtp, &message, MSG_DONTWAIT);
  if (bytes < 0 && errno == ECONNREFUSED) return end(call);
  if (bytes <= HEADER || packet[0] >> 6 != 2 || (packet[1] & 0x7f) != 0) return;
  struct timespec stamp = {0};
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
  int64_t at = stamp.tv_sec * 1000000000LL + stamp.tv_nsec;
  uint16_t sequence = packet[2] << 8 | packet[3];
  uint32_t words[2];
  memcpy(words, packet + 4, sizeof words);
  if (call->state == WAITING) begin(call, &from, now);
  call->received++;
  total.received++;
  if (call->heard && call->heard_ssrc == words[1]) measure(call, sequence, ntohl(words[0]), at);
  if (call->heard && call->heard_ssrc == words[1] && (int16_t)(sequence - call->heard_sequence) <= 0) return;
  call->heard = 1;
  call->heard_ssrc = words[1];
  call->heard_sequence = sequence;
  call->heard_timestamp = ntohl(words[0]);
  call->heard_at = at;
}

/* RFC 3550 section 6.4: reports follow the sender's own figures in an SR (200), the header in an RR (201); 203 is BYE. */
static void hear_report(struct call *call) {
  uint8_t packet[2048];
  ssize_t bytes = recv(call->rtcp, packet, sizeof packet, MSG_DONTWAIT);
  for (ssize_t at = 0; at + 8 <= bytes;) {
    ssize_t length = 4 * ((packet[at + 2] << 8 | packet[at + 3]) + 1);
    int type = packet[at + 1], reports = packet[at] & 0x1f;
    ssize_t block = at + (type == 200 ? 28 : 8);
    if (at + length > bytes) return;
    for (int i = 0; (type == 200 || type == 201) && i < reports && block + 24 <= at + length; i++, block += 24) {
      uint32_t ssrc;
      memcpy(&ssrc, packet + block, sizeof ssrc);
      if (ntohl(ssrc) != SSRC + (uint32_t)(call - calls)) continue;
      call->unheard = (long)packet[block + 5] << 16 | packet[block + 6] << 8 | packet[block + 7];
    }
    if (type == 203) end(call);
    at += length;
  }
}

static long unheard(void) {
  long sum = 0;
  for (int i = 0; i < call_count; i++) sum += calls[i].unheard;
  return sum;
}

static void print_counts(const char *type, const struct counts *c) {
  printf("{\"type\":\"%s\",\"up\":%d,\"upMax\":%d,\"heardCalls\":%d,\"unheard\":%ld,\"sent\":%ld,\"received\":%ld,\"lost\":%ld,\"leftOut\":%ld",
         type, up, up_max, heard_calls, unheard(), c->sent, c->received, c->lost, c->left_out);
}

static void print_times(const struct histogram *off, const struct histogram *own) {
  printf(",\"p50Ms\":%.2f,\"p99Ms\":%.2f,\"maxMs\":%.2f,\"lateP99Ms\":%.2f,\"lateMaxMs\":%.2f", quantile(off, 0.5),
         quantile(off, 0.99), off->max_ms, quantile(own, 0.99), own->max_ms);
}

static void print_window(void) {
  struct counts since = {total.sent - before.sent, total.received - before.received, total.lost - before.lost,
                         total.left_out - before.left_out};
  print_counts("window", &since);
  print_times(&window, &window_late);
  printf("}\n");
  before = total;
  histogram_clear(&window);
  histogram_clear(&window_late);
}

static void print_end(void) {
  print_counts("end", &total);
  print_times(&jitter, &late);
  printf(",\"calls\":[");
  for (int i = 0, told = 0; i < call_count; i++) {
    const struct call *c = &calls[i];
    if (c->state == WAITING) continue;
    printf("%s{\"port\":%d,\"sent\":%ld,\"received\":%ld,\"lost\":%ld,\"leftOut\":%ld,\"unheard\":%ld,\"p50Ms\":%.2f,\"p99Ms\":%.2f,\"maxMs\":%.2f}",
           told++ ? "," : "", c->port, c->sent, c->received, c->lost, c->left_out, c->unheard, quantile(&c->jitter, 0.5),
           quantile(&c->jitter, 0.99), c->jitter.max_ms);
  }
  printf("]}\n");
}

static void obey(void) {
  char orders[64];
  ssize_t bytes = read(STDIN_FILENO, orders, sizeof orders);
  if (bytes < 0) return;
  if (bytes == 0) told_to_end = 1;
  for (ssize_t i = 0; i < bytes; i++) {
    if (orders[i] == 'q') told_to_end = 1;
    if (orders[i] == 'w') print_window();
    if (orders[i] == 'l') print_counts("look", &total), printf("}\n");
  }
  fflush(stdout);
}

static void open_calls(int poll, int first, int last) {
  calls = calloc(call_count, sizeof *calls);
  for (int i = 0, port = first + (first & 1); i < call_count; i++) {
    port = open_call(&calls[i], port, last);
    watch(poll, calls[i].rtp, i);
    watch(poll, calls[i].rtcp, i | RTCP);
    printf("%s%d", i ? "," : "{\"ports\":[", calls[i].port);
  }
  printf("]}\n");
  fflush(stdout);
}

static void take(int poll, int64_t now) {
  struct epoll_event events[EVENTS];
  int count;
  do {
    count = epoll_wait(poll, events, EVENTS, 0);
    for (int e = 0; e < count; e++) {
      uint32_t what = events[e].data.u32;
      if (what & INPUT) obey();
      else if (what & RTCP) hear_report(&calls[what & ~RTCP]);
      else hear(&calls[what], now);
    }
  } while (count == EVENTS && !told_to_end);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: whole-load CALLS FIRST_PORT LAST_PORT\n"), 2;
  call_count = atoi(argv[1]);
  prctl(PR_SET_TIMERSLACK, 1);
  signal(SIGTERM, on_signal);
  signal(SIGINT, on_signal);
  signal(SIGPIPE, SIG_IGN);
  srand(1);
  make_noise();
  histogram_init(&jitter, FINE_BUCKETS, 0.01);
  histogram_init(&window, FINE_BUCKETS, 0.01);
  histogram_init(&late, FINE_BUCKETS, 0.01);
  histogram_init(&window_late, FINE_BUCKETS, 0.01);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  open_calls(poll, atoi(argv[2]), atoi(argv[3]));
  watch(poll, STDIN_FILENO, INPUT);
  /* A tick a millisecond: what came and what is due is taken together, which costs a fraction of a wake-up for each. */
  for (int64_t tick = now_ns(); !told_to_end;) {
    int64_t now = now_ns();
    tick = tick + TICK_NS > now ? tick + TICK_NS : now;
    struct timespec until = {tick / 1000000000, tick % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    now = now_ns();
    speak_due(now);
    take(poll, now);
  }
  print_end();
  return 0;
}
