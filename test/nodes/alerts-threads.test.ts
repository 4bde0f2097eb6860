import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNANSWERED_MAX } from '../../src/api/pipelining.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { freeTcpPort } from '../support/ports.ts';
import { Prometheus } from '../support/prometheus.ts';
import { goOn, holdStill, threadsBeforeOthers } from '../support/stopped-thread.ts';
import { until } from '../support/until.ts';

const hasPrometheus = hasCommand('prometheus');
if (!hasPrometheus) console.warn('\n!!! NO ALERT IS FIRED FOR THREADS: prometheus not installed !!!\n');
/** Requests of one block of bytes: many for who answers, next to nothing for who asks. Of one connection the gateway takes no more ahead. */
const AT_ONCE = UNANSWERED_MAX / 2;
const REQUESTS = 'GET /healthz HTTP/1.1\r\nhost: nidaa\r\n\r\n'.repeat(AT_ONCE);
const CONNECTIONS = 32;

/** As soon as one block is answered, the next one is sent. */
function askOnAndOn(port: number, hostname: string): Socket {
  let unread = '';
  let answers = 0;
  const socket = connect(port, hostname, () => socket.write(REQUESTS)).setEncoding('latin1');
  return socket
    .on('error', () => undefined)
    .on('data', (text) => {
      const parts = (unread + String(text)).split('{"status":"ok"}');
      unread = parts.pop() ?? '';
      answers += parts.length;
      for (; answers >= AT_ONCE; answers -= AT_ONCE) socket.write(REQUESTS);
    });
}

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
    const asking = Array.from({ length: CONNECTIONS }, () => askOnAndOn(Number(port), hostname));
    try {
      await prometheus.fires('NidaaMainThreadBusy', 120_000);
      expect(asking.filter(({ closed }) => closed)).toEqual([]);
    } finally {
      for (const socket of asking) socket.destroy();
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
