import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { freeTcpPort } from '../support/ports.ts';
import { Prometheus } from '../support/prometheus.ts';
import { goOn, holdStill, threadsBeforeOthers } from '../support/stopped-thread.ts';
import { until } from '../support/until.ts';

const hasPrometheus = hasCommand('prometheus');
if (!hasPrometheus) console.warn('\n!!! NO ALERT IS FIRED FOR THREADS: prometheus not installed !!!\n');
/** Requests of one block of bytes: many for who answers, next to nothing for who asks. Few enough that others have their turns between them. */
const REQUESTS = `${'GET /healthz HTTP/1.1\r\nhost: nidaa\r\n\r\n'.repeat(99)}GET /healthz HTTP/1.1\r\nhost: nidaa\r\nconnection: close\r\n\r\n`;
const AT_ONCE = 4;

describe.skipIf(!hasPrometheus)('alerts fire for threads of a gateway', () => {
  let gateway: Gateway;
  let prometheus: Prometheus;
  let folder: ReturnType<typeof configFolder>;
  const held = new Set<number>();
  beforeAll(async () => {
    folder = configFolder({ ...GREETER, 'nidaa.yaml': 'media: { workers: 1 }\n' });
    const port = await freeTcpPort();
    gateway = await startGateway({
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, NIDAA_METRICS_PORT: String(port) },
    });
    await prepared(gateway);
    prometheus = await Prometheus.start(`127.0.0.1:${port}`, join(ROOT, 'docker/observability/alerts.yml'));
    await prometheus.knows('nidaa_media_threads{state="up"} == 1');
  });
  afterAll(async () => {
    for (const thread of held) goOn(thread); // a process does not end before its threads do
    await prometheus?.close();
    await gateway?.dispose();
    folder?.remove();
  });

  it('requests without an end, from somebody whom they cost next to nothing', async () => {
    const { hostname, port } = new URL(gateway.api);
    let isOver = false;
    const ask = async (): Promise<void> => {
      while (!isOver) {
        await new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => socket.write(REQUESTS));
          socket
            .on('error', () => undefined)
            .on('close', () => resolve())
            .resume();
        });
      }
    };
    const asking = Array.from({ length: AT_ONCE }, ask);
    try {
      await prometheus.fires('NidaaMainThreadBusy', 120_000);
    } finally {
      isOver = true;
      await Promise.all(asking);
    }
    expect(prometheus.fired.has('NidaaMediaThreadDown')).toBe(false);
  });

  it('a media thread that stands still, and so does every one that takes its place', async ({ skip }) => {
    const pid = gateway.process.pid!;
    const ofMedia = () => threadsBeforeOthers(pid).filter((thread) => !held.has(thread));
    const [first] = await until(() => ofMedia().length > 0 && ofMedia(), 'a media thread has its priority');
    if (!holdStill(first!)) return skip('no thread of another process may be held still here');
    held.add(first!);
    await until(
      async () => {
        for (const thread of ofMedia()) if (holdStill(thread)) held.add(thread);
        return (await prometheus.look()).includes('NidaaMediaThreadDown');
      },
      () => `it is down: ${held.size} were held still`,
      120_000,
    );
    for (const thread of held) goOn(thread);
    held.clear();
    // Starts are earned back one a minute.
    const isDown = async (): Promise<boolean> => (await prometheus.look()).includes('NidaaMediaThreadDown');
    await until(async () => !(await isDown()), 'another one plays', 120_000);
  });
});
