import { describe, expect, it } from 'vitest';
import { callGauges, type GaugeParts, Gauges } from '../../src/compose/gauges.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { MediaPlaneLoad } from '../../src/media/media-port.ts';
import { LogCapture } from '../support/log-capture.ts';

const LOAD: MediaPlaneLoad = {
  ...{ calls: 2, capacity: 30, tickLatenessP99Ms: 4, lateTicks: 7, cpuPercent: 25, portsFree: 9 },
  ...{ threads: 2, threadsDown: 1, recording: { ok: true } },
};

function setup(more: Partial<GaugeParts> = {}) {
  const metrics = createMetrics();
  const log = new LogCapture();
  const gauges = new Gauges({
    ...{ metrics, logger: log.logger, registry: { capacity: 64, draining: true } },
    ...{ media: { load: () => LOAD }, engines: { speechLoad: () => undefined }, phones: { measure: () => {} } },
    billing: {
      health: { degraded: true, pending: 3, unwritten: 1, rejected: 0, torn: 0 },
      oldestPendingMs: 1_500,
    },
    store: { pool: { totalCount: 10, idleCount: 4, waitingCount: 2, options: { max: 10 } as never } },
    readiness: async () => ({ database: { state: 'down' }, media: { state: 'ok' } }),
    build: { version: '1.2.3', node: 'node-a' },
    ...more,
  });
  const rows = async (name: RegExp): Promise<readonly string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => name.test(line) && !line.startsWith('#'));
  return { metrics, gauges, log, rows };
}

describe('what nobody tells by itself', () => {
  it('is read for whoever asks', async () => {
    const { gauges, rows } = setup();
    await gauges.read();
    await gauges.read();
    gauges.close();
    expect(
      await rows(/^nidaa_(?:calls_capacity|draining|media_|rtp_ports|billing_journal_[of]|database_|part_|build)/),
    ).toEqual([
      'nidaa_calls_capacity 30',
      'nidaa_draining 1',
      'nidaa_media_tick_lateness_p99_seconds 0.004',
      'nidaa_media_late_ticks_total 7',
      'nidaa_media_calls 2',
      'nidaa_media_capacity_calls 30',
      'nidaa_media_threads{state="up"} 1',
      'nidaa_media_threads{state="down"} 1',
      'nidaa_media_cpu_ratio 0.25',
      'nidaa_rtp_ports_free 9',
      'nidaa_billing_journal_oldest_seconds 1.5',
      'nidaa_billing_journal_faults_total{fault="unwritten"} 1',
      'nidaa_billing_journal_faults_total{fault="rejected"} 0',
      'nidaa_billing_journal_faults_total{fault="torn"} 0',
      'nidaa_database_connections{state="busy"} 6',
      'nidaa_database_connections{state="idle"} 4',
      'nidaa_database_connections_max 10',
      'nidaa_database_waiting 2',
      'nidaa_part_state{part="database",state="ok"} 0',
      'nidaa_part_state{part="database",state="degraded"} 0',
      'nidaa_part_state{part="database",state="down"} 1',
      'nidaa_part_state{part="media",state="ok"} 1',
      'nidaa_part_state{part="media",state="degraded"} 0',
      'nidaa_part_state{part="media",state="down"} 0',
      `nidaa_build_info{version="1.2.3",node="node-a",nodejs="${process.version}"} 1`,
    ]);
  });

  it('has ends that somebody is woken for at 0, so that the first is seen to rise', async () => {
    const { gauges, rows } = setup();
    gauges.close();
    expect(await rows(/^nidaa_calls_ended_total.*reason="busy"/)).toEqual([
      'nidaa_calls_ended_total{party="gateway",reason="busy"} 0',
    ]);
  });

  it('keeps nobody from the rest where a part of it cannot be read', async () => {
    const { gauges, rows, log } = setup({ readiness: () => Promise.reject(new Error('no answer')) });
    await gauges.read();
    gauges.close();
    expect(await rows(/^nidaa_calls_capacity/)).toEqual(['nidaa_calls_capacity 30']);
    expect(log.text).toContain('metrics could not be read');
  });
});

describe('calls at once', () => {
  it('are told as they are and as they were at most', async () => {
    const { metrics, gauges, rows } = setup();
    gauges.close();
    const count = callGauges(metrics);
    for (const calls of [1, 2, 3, 1]) count(calls);
    expect(await rows(/^nidaa_calls_(?:active|peak)/)).toEqual(['nidaa_calls_active 1', 'nidaa_calls_peak 3']);
  });
});
