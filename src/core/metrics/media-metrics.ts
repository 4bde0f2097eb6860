import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Audio over RTP, and recordings of it. */
export function mediaMetrics(registers: [Registry]) {
  return {
    rtpLostPackets: new Counter({ name: 'nidaa_rtp_lost_packets_total', help: 'Caller packets lost', registers }),
    rtpJitterSeconds: new Histogram({
      name: 'nidaa_rtp_jitter_seconds',
      help: 'Interarrival jitter of finished calls',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1],
      registers,
    }),
    mos: new Histogram({
      name: 'nidaa_call_mos',
      help: 'Estimated MOS of finished calls (E-model)',
      buckets: [1.5, 2, 2.5, 3, 3.5, 4, 4.2, 4.4],
      registers,
    }),
    tickLatenessSeconds: new Gauge({
      name: 'nidaa_media_tick_lateness_p99_seconds',
      help: 'Lateness of the media clock, p99 of the last seconds, worst worker',
      registers,
    }),
    mediaIo: new Gauge({
      name: 'nidaa_media_io_info',
      help: '1 for what carries audio: direct (calls of the C library) or dgram (sockets of Node)',
      labelNames: ['io'],
      registers,
    }),
    mediaSrtp: new Gauge({
      name: 'nidaa_media_srtp_info',
      help: '1 for what encrypts audio: openssl (called directly) or node:crypto',
      labelNames: ['implementation'],
      registers,
    }),
    srtpRejected: new Counter({
      name: 'nidaa_srtp_rejected_packets_total',
      help: 'Packets of encrypted calls that were not believed: forged (wrong tag) or replayed, counted when the call ends',
      labelNames: ['reason'],
      registers,
    }),
    lateTicks: new Counter({
      name: 'nidaa_media_late_ticks_total',
      help: 'Media ticks more than 5 ms late',
      registers,
    }),
    mediaCalls: new Gauge({ name: 'nidaa_media_calls', help: 'Calls with a port for audio', registers }),
    mediaCapacity: new Gauge({
      name: 'nidaa_media_capacity_calls',
      help: 'Calls that the media threads take at once; less while a thread is down',
      registers,
    }),
    mediaThreads: new Gauge({
      name: 'nidaa_media_threads',
      help: 'Media threads, by state: up, down (died, and started again soon)',
      labelNames: ['state'],
      registers,
    }),
    mediaCpuRatio: new Gauge({
      name: 'nidaa_media_cpu_ratio',
      help: 'Part of a core that the busiest media thread uses, 0 to 1',
      registers,
    }),
    rtpPortsFree: new Gauge({ name: 'nidaa_rtp_ports_free', help: 'Ports for audio that no call holds', registers }),
    edgeEngines: new Gauge({
      name: 'nidaa_media_edge_engines',
      help: 'rtpengines of media.edge, by state: up, down, unknown (not yet asked)',
      labelNames: ['state'],
      registers,
    }),
    edgeCommands: new Counter({
      name: 'nidaa_media_edge_commands_total',
      help: 'Commands to rtpengines, by result: answered (whatever it said), silent',
      labelNames: ['command', 'result'],
      registers,
    }),
    recordingsFailed: new Counter({
      name: 'nidaa_recordings_failed_total',
      help: 'Recordings that broke off: the call went on without (disk full, no rights)',
      registers,
    }),
  };
}
