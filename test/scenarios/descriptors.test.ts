import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { RESERVED_DESCRIPTORS } from '../../src/core/descriptors.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { mark } from '../support/marks.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('prlimit') && hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! A LACK OF DESCRIPTORS IS NOT TESTED: prlimit or espeak-ng not installed !!!\n');

const CALLS = 60;
const OFFER = (port: number): string =>
  ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', `m=audio ${port} RTP/AVP 0 101`, ''].join(
    '\r\n',
  );

describe.skipIf(!ready)('F15: a gateway that runs out of file descriptors', () => {
  let gateway: Gateway;
  let config: ReturnType<typeof configFolder> | undefined;
  const callers: UdpCaller[] = [];
  beforeAll(async () => {
    config = configFolder({ 'nidaa.yaml': '', ...GREETER });
    const env = { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml') };
    gateway = await startGateway({ env, databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  });
  afterEach(() => limit(hard));
  afterAll(async () => {
    for (const caller of callers) caller.close();
    await gateway?.dispose();
    config?.remove();
  });

  const hard = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  const limit = (descriptors: number): void =>
    void execFileSync('prlimit', ['--pid', String(gateway.process.pid), `--nofile=${descriptors}:`]);
  const open = (): Set<number> => new Set(readdirSync(`/proc/${gateway.process.pid}/fd`).map(Number));
  /** Lowers the limit so that exactly so many more can be opened: numbers below it that are free. */
  const leave = (left: number): void => {
    const taken = open();
    let below = 0;
    for (let free = 0; free < left || taken.has(below); below += 1) if (!taken.has(below)) free += 1;
    limit(below);
  };

  async function calls(count: number): Promise<number[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const caller = await new UdpCaller(gateway.sipPort).open();
        callers.push(caller);
        await sleep(index * 20);
        caller.sendRequest('INVITE', { body: OFFER(caller.port), uri: `sip:1000@127.0.0.1:${gateway.sipPort}` });
        const answer = await caller.final('INVITE');
        if (answer.status !== 200) return answer.status;
        caller.adopt(answer);
        caller.answerByes();
        caller.sendRequest('ACK');
        await sleep(1500);
        caller.sendRequest('BYE');
        return (await caller.final('BYE')).status;
      }),
    );
  }

  /** What is left to do after the last question comes to an end; a loop that turns for nothing does not. */
  async function idleCpuPercent(): Promise<number> {
    let least = await cpuPercent();
    for (let seconds = 1; seconds < 10 && least > 25; seconds += 1) least = Math.min(least, await cpuPercent());
    return least;
  }

  /** Of a core, over a second. */
  async function cpuPercent(): Promise<number> {
    const ticks = (): number => {
      const fields = readFileSync(`/proc/${gateway.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return Number(fields[11]) + Number(fields[12]); // user and system, 100 a second
    };
    const before = ticks();
    const startMs = performance.now();
    await sleep(1_000);
    return ((ticks() - before) * 1_000) / (performance.now() - startMs);
  }

  async function descriptorState(): Promise<string> {
    const { parts } = (await (await fetch(`${gateway.api}/readyz`)).json()) as {
      parts: { descriptors: { state: string } };
    };
    return parts.descriptors.state;
  }

  /** Status, or the socket's error. */
  function speak(agent: Agent, text: string): Promise<number | string> {
    return new Promise((resolve) => {
      const url = new URL('/v1/speech', gateway.api);
      const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
      const sent = request(url, { agent, method: 'POST', headers }, (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      sent.end(JSON.stringify({ text, format: 'wav' }));
    });
  }

  /** The process that makes speech, started by the gateway. */
  function speechProcess(): number | undefined {
    const { pid } = gateway.process;
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')) {
      if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('espeak-process-main')) return Number(child);
    }
    return undefined;
  }

  it.each([0, ...(EVERY_TEST ? [6, RESERVED_DESCRIPTORS + 8] : [])])(
    'with %i left ends what it cannot serve, and nothing else',
    { timeout: 90_000 },
    async (left) => {
      const kept = new Agent({ keepAlive: true, maxSockets: 4 });
      let hellos = 0;
      // Each sentence is a new one, for a spoken one is remembered, and the process starts with a sentence, 5 s apart at least.
      const hello = async (): Promise<boolean> => {
        hellos += 1;
        const status = await speak(kept, `Hello ${hellos}, we are ${left}.`);
        await sleep(500);
        return status === 200 && speechProcess() !== undefined;
      };
      await Promise.all([hello(), hello(), hello(), hello()]);
      await until(hello, 'the speech process runs');
      const live = await new UdpCaller(gateway.sipPort).open();
      callers.push(live);
      live.target = `sip:1000@127.0.0.1:${gateway.sipPort}`;
      await live.call(OFFER(live.port));
      live.answerByes();
      process.kill(speechProcess()!, 'SIGKILL'); // one more that has to be started now
      // The gateway counts seldom while it has plenty: it has to see that this is over, as it would have come to see by itself.
      leave(RESERVED_DESCRIPTORS / 2);
      await until(async () => (await descriptorState()) === 'degraded', 'the lack is seen');
      leave(left);

      const numbered = (count: number, what: string): string[] =>
        Array.from({ length: count }, (_, n) => `${what} number ${n} of ${left}.`);
      const speaking = Promise.all(numbered(30, 'Sentence').map((text) => speak(kept, text)));
      const speakingAnew = Promise.all(numbered(15, 'Another').map((text) => speak(new Agent(), text)));
      const dialled = await calls(CALLS);
      mark('F15', 'cpu', await idleCpuPercent(), `${left} left`);
      mark('F15', 'left', gateway.process.exitCode === null ? 0 : 1, `${left} left`);
      // 481: a call whose greeting could not be spoken was ended before its caller hung up. With something kept back it can be.
      const ends = left > RESERVED_DESCRIPTORS ? [200, 503] : [200, 481, 503];
      expect(dialled.filter((status) => !ends.includes(status))).toEqual([]);
      mark('F15', 'refused', dialled.filter((status) => status === 503).length, `${left} left`);
      // With something kept back for it a call that lives is not touched; with nothing it has lost its voice.
      const livesOn = !live.inbox.some(({ method }) => method === 'BYE');
      if (left > RESERVED_DESCRIPTORS) {
        mark('F15', 'ended', livesOn ? 0 : 1);
        mark('F15', 'odd', dialled.filter((status) => status !== 200 && status !== 503).length);
      }

      limit(hard);
      // A connection that cannot even be accepted is closed; or it waits, where the one descriptor that libuv keeps for closing
      // them has a number above the limit that was put on the running process.
      const [spoken, fresh] = await Promise.all([speaking, speakingAnew]);
      expect(spoken).toContain(503);
      for (const status of [...spoken, ...fresh]) expect([200, 503, 'ECONNRESET']).toContain(status);
      if (livesOn) {
        live.sendRequest('BYE');
        expect((await live.final('BYE')).status).toBe(200);
      }
      await until(async () => (await speak(kept, `Is anybody there, ${left}?`)) === 200, 'a sentence spoken');
      // On a busy machine the media plane may refuse one for its own reasons.
      await until(async () => (await calls(5)).every((status) => status === 200), 'five calls served');
      expect(count(await Promise.all(numbered(10, 'Later').map((text) => speak(kept, text))))).toEqual({ 200: 10 });
      expect(await descriptorState()).toBe('ok');
      kept.destroy();
    },
  );
});

function count(values: readonly (number | string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
