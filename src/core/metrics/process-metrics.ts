import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { descriptorCount } from '../descriptors.ts';
import { nativeMemory } from '../native-memory.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
/** How often the delay of the event loop is sampled: an idle process is woken as often. */
const DELAY_EVERY_MS = 20;
const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/** The process and its Node, by the names that dashboards of any program have. They are read when they are asked for. */
export function processMetrics(registers: [Registry]) {
  return {
    memoryBytes: new Gauge({
      name: 'nidaa_memory_bytes',
      help:
        'resident: of the process; heap: of the main thread, in use; buffers: array buffers; ' +
        'native: from malloc, in use; native_free: freed and not given back',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, bytes] of Object.entries(memoryByKind())) this.set({ kind }, bytes);
      },
    }),
    residentBytes: readGauge('process_resident_memory_bytes', 'Resident memory of the process', registers, () =>
      process.memoryUsage.rss(),
    ),
    startTime: readGauge(
      'process_start_time_seconds',
      'Unix time at which the process began',
      registers,
      () => performance.timeOrigin / 1000,
    ),
    cpuSeconds: new Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time of all threads, user and system',
      registers,
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / MICROSECONDS);
      },
    }),
    openFds: readGauge('process_open_fds', 'Open file descriptors', registers, () => descriptorCount()?.open),
    maxFds: readGauge(
      'process_max_fds',
      'File descriptors that may be open',
      registers,
      () => descriptorCount()?.limit,
    ),
    heapTotal: readGauge(
      'nodejs_heap_size_total_bytes',
      'Heap of the main thread',
      registers,
      () => process.memoryUsage().heapTotal,
    ),
    heapUsed: readGauge(
      'nodejs_heap_size_used_bytes',
      'Heap of the main thread, in use',
      registers,
      () => process.memoryUsage().heapUsed,
    ),
    heapLimit: readGauge(
      'nodejs_heap_size_limit_bytes',
      'Heap above which the process ends',
      registers,
      () => getHeapStatistics().heap_size_limit,
    ),
    loopDelayMean: new Gauge({
      name: 'nodejs_eventloop_lag_mean_seconds',
      help: 'Delay of the event loop of the main thread since the last scrape, mean',
      registers,
    }),
    loopDelayP99: new Gauge({
      name: 'nodejs_eventloop_lag_p99_seconds',
      help: 'Delay of the event loop of the main thread since the last scrape, 99th percentile',
      registers,
    }),
    loopDelayMax: new Gauge({
      name: 'nodejs_eventloop_lag_max_seconds',
      help: 'Delay of the event loop of the main thread since the last scrape, longest',
      registers,
    }),
    loopUtilization: new Gauge({
      name: 'nodejs_eventloop_utilization_ratio',
      help: 'Part of the time since the last scrape in which the main thread was busy, 0 to 1',
      registers,
    }),
    gcSeconds: new Histogram({
      name: 'nodejs_gc_duration_seconds',
      help: 'Collections of garbage by the main thread, by kind: minor, major, incremental, weakcb',
      labelNames: ['kind'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    buildInfo: new Gauge({
      name: 'nidaa_build_info',
      help: '1, with the version of the gateway and of Node, and the name of this node',
      labelNames: ['version', 'nodejs', 'node'],
      registers,
    }),
  };
}

type ProcessMetrics = ReturnType<typeof processMetrics>;

/** Begins to follow what has to be followed all the time: delays of the event loop and collections of garbage. */
export function watchProcess(metrics: ProcessMetrics): { readonly read: () => void; readonly close: () => void } {
  const delays = monitorEventLoopDelay({ resolution: DELAY_EVERY_MS });
  delays.enable();
  let busy = performance.eventLoopUtilization();
  const collections = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as readonly GcEntry[]) {
      metrics.gcSeconds.observe({ kind: GC_KINDS[detail?.kind ?? -1] ?? 'other' }, duration / 1000);
    }
  });
  collections.observe({ entryTypes: ['gc'] });
  return {
    read: () => {
      // What is told is how much later a timer of `DELAY_EVERY_MS` came; nothing was measured where the mean is no number.
      const late = (nanoseconds: number): number =>
        Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - DELAY_EVERY_MS / 1000) : 0;
      metrics.loopDelayMean.set(late(delays.mean));
      metrics.loopDelayP99.set(late(delays.percentile(99)));
      metrics.loopDelayMax.set(late(delays.max));
      delays.reset();
      const now = performance.eventLoopUtilization();
      metrics.loopUtilization.set(performance.eventLoopUtilization(now, busy).utilization);
      busy = now;
    },
    close: () => {
      delays.disable();
      collections.disconnect();
    },
  };
}

interface GcEntry {
  readonly duration: number; // ms
  readonly detail?: { readonly kind: number };
}

/** A gauge that is read when it is asked for; it has no value where the system does not tell. */
function readGauge(name: string, help: string, registers: [Registry], read: () => number | undefined): Gauge {
  return new Gauge({
    ...{ name, help, registers },
    collect() {
      const value = read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

function memoryByKind(): Record<string, number> {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const native = nativeMemory();
  return {
    ...{ resident: rss, heap: heapUsed, buffers: arrayBuffers },
    ...(native && { native: native.inUseBytes(), native_free: native.freeBytes() }),
  };
}
