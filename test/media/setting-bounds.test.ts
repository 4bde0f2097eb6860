import { afterEach, describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import type { MediaPlane } from '../../src/media/media-port.ts';
import { Admission } from '../../src/media/plane/admission.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { PortPool } from '../../src/media/plane/port-pool.ts';
import { RemoteEndpoint } from '../../src/media/rtp/remote-endpoint.ts';
import { allocateUnprovenTable, UnprovenBudget } from '../../src/media/rtp/unproven-budget.ts';
import { CallReceiver } from '../../src/media/worker/call-receiver.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { until } from '../support/until.ts';

interface Setting {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Record<string, Setting>;
  readonly anyOf?: readonly Setting[];
}

/** Every number of the section `media`, with its lowest and highest accepted value. */
function boundsOf(
  settings: Record<string, Setting>,
  path: readonly string[] = [],
): { path: string[]; value: number }[] {
  return Object.entries(settings).flatMap(([name, setting]) => {
    const own = [...path, name];
    if (setting.properties) return boundsOf(setting.properties, own);
    const number = [setting, ...(setting.anyOf ?? [])].find(({ maximum }) => maximum !== undefined);
    return number ? [number.minimum, number.maximum].map((value) => ({ path: own, value: value as number })) : [];
  });
}

const BOUNDS = boundsOf(ConfigSchema.properties.media.properties as Record<string, Setting>).map(({ path, value }) => ({
  name: `${path.join('.')} ${value}`,
  text: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object,
}));

function withMedia<T>(media: object, work: (load: () => Config) => T): T {
  const folder = configFolder({ 'nidaa.yaml': JSON.stringify({ media }) });
  try {
    return work(() => loadConfig({ env: {}, cwd: folder.dir, configDir: '.' }));
  } finally {
    folder.remove();
  }
}

/** Everything of one call and of the plane that is sized by a setting. */
function buildAll({ media }: Config): void {
  new PortPool(media.rtpPorts, new FakeClock());
  new Admission({
    maxCalls: media.callsPerWorker,
    maxLatenessP99Ms: media.maxLatenessP99Ms,
    maxCpuPercent: media.maxCpuPercent,
  });
  for (const rate of [8_000, 16_000]) allocateCallAudio(media.playoutQueueMs, rate);
  const jitter = { minMs: media.jitterMinMs, maxMs: media.jitterMaxMs };
  const remote = new RemoteEndpoint(new UnprovenBudget(allocateUnprovenTable(1)));
  new CallReceiver({ jitter, sampleRateHz: 8_000, rtpTimeoutMs: media.rtpTimeoutMs }, remote, {
    onKey: () => {},
    onLatched: () => {},
  });
}

describe('the media settings', () => {
  it('have bounds', () => expect(BOUNDS.length).toBeGreaterThan(15));

  it.each(BOUNDS)('either build everything or are refused by name: $name', ({ text }) => {
    withMedia(text, (load) => {
      const problems = listedProblems(load);
      if (problems.length > 0) expect(problems.join()).toMatch(/^nidaa\.yaml:\d+ media\./);
      else expect(() => buildAll(load())).not.toThrow();
    });
  });

  it.each([
    { media: { jitterMinMs: 10, jitterMaxMs: 400 }, problem: undefined },
    { media: { jitterMinMs: 400, jitterMaxMs: 400 }, problem: undefined },
    { media: { jitterMinMs: 10, jitterMaxMs: 20 }, problem: undefined },
    { media: { jitterMinMs: 300, jitterMaxMs: 200 }, problem: 'media.jitterMinMs: expected at most jitterMaxMs (200)' },
    { media: { jitterMaxMs: 401 }, problem: 'media.jitterMaxMs: ' },
    { media: { jitterMinMs: 0 }, problem: 'media.jitterMinMs: ' },
    { media: { rtpPorts: { min: 2000, max: 2001 } }, problem: undefined },
    { media: { rtpPorts: { min: 2001, max: 2002 } }, problem: 'media.rtpPorts: expected an even port' },
    { media: { rtpPorts: { min: 2002, max: 2001 } }, problem: 'media.rtpPorts: expected an even port' },
    { media: { rtpPorts: { min: 65_534, max: 65_535 } }, problem: undefined },
  ])('$media: $problem', ({ media, problem }) => {
    withMedia(media, (load) => {
      const problems = listedProblems(load);
      expect(problems.length).toBe(problem === undefined ? 0 : 1);
      if (problem !== undefined) expect(problems[0]).toContain(problem);
      else expect(() => buildAll(load())).not.toThrow();
    });
  });
});

describe('a media thread', () => {
  const planes: MediaPlane[] = [];
  afterEach(() => Promise.all(planes.splice(0).map((plane) => plane.close())));

  it.each([
    { minMs: 10, maxMs: 400 },
    { minMs: 400, maxMs: 400 },
    { minMs: 10, maxMs: 10 },
  ])('lives with a jitter buffer of $minMs to $maxMs ms', async (jitter) => {
    const plane = await openPlane({ jitter });
    planes.push(plane);
    const peer = await RtpPeer.open();
    const { port, events } = await openPort(plane);
    port.configure(peer.media());
    peer.speak(port.local.port);
    await until(() => events.some(({ type }) => type === 'latched'), 'latching');
    peer.close();
    expect(events.map(({ type }) => type)).toEqual(['latched']);
  });

  it.each([
    { minMs: 20, maxMs: 900 },
    { minMs: 0, maxMs: 200 },
    { minMs: 200, maxMs: 100 },
  ])('is not even started with one of $minMs to $maxMs ms', async (jitter) => {
    await expect(openPlane({ jitter })).rejects.toThrow(RangeError);
  });
});
