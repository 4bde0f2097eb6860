import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SttEngine, SttEvent } from '../../../src/engines/stt/contract.ts';
import { EventChannel } from '../../../src/engines/stt/event-channel.ts';
import { EVERY_TEST, LONG } from '../../support/property-runs.ts';
import { loud, type SocketClient, type SocketRig, sendAudio, socketRig } from '../../support/socket-rig.ts';
import { until } from '../../support/until.ts';

/** What each costs is what the kernel keeps for it: some megabytes of text that is sent, and read in vain. */
const SLOW = LONG ? 100 : 20;
/** A stretch of talk: long texts, so that the kernel's buffers fill up within the test. */
const WORDS = 'word '.repeat(1_000);
const ROUNDS_MAX = 2_000;
/** Their share, and what the process takes whoever reads. */
const RSS_BYTES_MAX = 100e6 + SLOW * 1e6;

/** A recogniser that says to every session what the test says. */
function broadcastStt(): SttEngine & { say(event: SttEvent): void; heardFrames: number } {
  const channels: EventChannel[] = [];
  const engine = {
    heardFrames: 0,
    name: 'broadcast',
    capabilities: { interim: true, sampleRatesHz: [8000], languages: ['en-US'] },
    available: () => ({ ok: true }) as const,
    open: () => {
      const channel = new EventChannel();
      channels.push(channel);
      return {
        write: () => {
          engine.heardFrames += 1;
        },
        flush: () => {},
        hint: () => {},
        end: () => channel.finish(),
        [Symbol.asyncIterator]: () => channel[Symbol.asyncIterator](),
      };
    },
    close: async () => {},
    say: (event: SttEvent) => {
      for (const channel of channels) channel.push(event);
    },
  };
  return engine;
}

/** The TCP connection below a client: paused, nothing is read and no ping answered. */
const tcpOf = (client: SocketClient) =>
  (client.ws as unknown as { _socket: { pause(): void; resume(): void } })._socket;
const textsOf = (client: SocketClient, final: boolean) =>
  client
    .of('transcript')
    .flatMap((frame) => (frame['final'] === final ? [String(frame['text']).split(' ', 1)[0]] : []));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));

describe(`${SLOW} clients that do not read, beside one that does`, () => {
  let rig: SocketRig;
  let stt: ReturnType<typeof broadcastStt>;
  let good: SocketClient;
  let slow: SocketClient[];
  let rssBytes: number;
  let rounds: number;

  /** One interim and one final for everybody; goes on when the good reader has both. */
  async function round(): Promise<void> {
    const n = rounds;
    rounds += 1;
    stt.say({ type: 'interim', text: `${n} ${WORDS}` });
    stt.say({ type: 'final', text: `${n} ${WORDS}`, confidence: 1, startMs: 0, endMs: 1 });
    await until(() => good.finals.length === rounds, `final ${n} of the good reader`);
  }
  const logged = () =>
    rig.logs.text
      .split('\n')
      .filter((line) => line.includes('live transcription ended'))
      .map((line) => JSON.parse(line) as { reason: string; droppedInterims: number });

  const interimsDropped = async () => (await rig.deps.metrics.socketInterimsDropped.get()).values[0]!.value;

  beforeEach(async () => {
    stt = broadcastStt();
    rig = await socketRig({ stt, limits: { socketsPerAccount: 200, socketsTotal: 200, socketMaxSeconds: 7_200 } });
    good = await rig.open();
    slow = await Promise.all(Array.from({ length: SLOW }, () => rig.open()));
    for (const client of slow) {
      sendAudio(client, loud(200));
      tcpOf(client).pause();
    }
    await until(() => rig.sessions.checkpoints.length === SLOW, 'the audio of the slow ones');
    rssBytes = process.memoryUsage().rss;
    rounds = 0;
  });
  afterEach(() => rig.close());

  it('are closed and billed once; memory is bounded, and the good one misses nothing', async () => {
    while (rig.sessions.ends.length < SLOW && rounds < ROUNDS_MAX) {
      await round();
      expect(process.memoryUsage().rss - rssBytes).toBeLessThan(RSS_BYTES_MAX);
    }
    expect(textsOf(good, true)).toEqual(numbers(rounds));
    expect(textsOf(good, false)).toEqual(numbers(rounds));
    expect(rig.sessions.ends).toHaveLength(SLOW);
    expect(new Set(rig.sessions.ends.map((end) => `${end.reason} ${end.cents}`))).toEqual(new Set(['slow-reader 3']));
    for (const { droppedInterims } of logged()) expect(droppedInterims).toBeGreaterThan(0);
    good.send({ type: 'stop' });
    await good.frame('done');
    expect(logged().at(-1)).toMatchObject({ reason: 'stop', droppedInterims: 0 });
  });

  it.runIf(EVERY_TEST)('one that reads again in time has every final in order, and fewer interims', async () => {
    while ((await interimsDropped()) === 0 && rounds < ROUNDS_MAX) await round();
    for (let i = 0; i < 20; i += 1) await round(); // 100 KB more wait for each: less than would end it
    expect(await interimsDropped()).toBeGreaterThanOrEqual(20);
    expect(rig.sessions.ends).toEqual([]);
    for (const client of slow) tcpOf(client).resume();
    await until(() => slow.every((client) => client.finals.length === rounds), 'every final of every slow reader');
    for (const client of slow) expect(textsOf(client, true)).toEqual(numbers(rounds));
    expect(slow.reduce((sum, client) => sum + textsOf(client, false).length, 0)).toBeLessThan(SLOW * rounds);
  });

  it('that never fill a buffer are given up after two pings, within a minute', async () => {
    sendAudio(good, loud(200));
    await until(() => stt.heardFrames === (SLOW + 1) * 10, 'that everybody speaks');
    await round();
    for (let i = 0; i < 3; i += 1) {
      const heard = stt.heardFrames + SLOW + 1;
      for (const client of [good, ...slow]) sendAudio(client, loud(20)); // nobody is idle
      await until(() => stt.heardFrames === heard, 'the audio of everybody');
      const pinged = new Promise((resolve) => good.ws.once('ping', resolve));
      rig.clock.advance(20_000);
      await pinged;
    }
    await until(() => rig.sessions.ends.length === SLOW, 'the end of the slow ones');
    expect(new Set(rig.sessions.ends.map((end) => end.reason))).toEqual(new Set(['no-pong']));
    expect(good.closed).toBeUndefined();
  });
});
