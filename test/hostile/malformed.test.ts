import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { lossPercent } from '../support/heard-stream.ts';
import { mark, percentile } from '../support/marks.ts';
import { worksAfter } from '../support/normal-call.ts';
import { OddCaller } from '../support/odd-caller.ts';
import { randomFrom } from '../support/seeded-random.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { mutate, SEEDS } from '../support/sip-mutations.ts';
import { TortureListener } from '../support/torture-listener.ts';
import { TORTURE_CASES, tortureMessage } from '../support/torture-messages.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';
import { MainThread } from '../support/waited-for-core.ts';

const RANDOM_SEEDS = 20;
const MESSAGES_OF_SEED = 2_600; // by UDP, and as many by TCP: some connections are not made on a busy machine
const UDP_AT_ONCE = 10;
const UDP_PAUSE_MS = 5;
const TCP_AT_ONCE = 50;
const TCP_WAIT_MS = 300;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(() => gateway.dispose());

async function probe(): Promise<number> {
  const asking = await OddCaller.open();
  const tookMs = await asking.probe(gateway.sipPort);
  asking.close();
  return tookMs;
}

/** Datagrams that the kernel had no room for at the SIP port: nobody has read those. */
function droppedByKernel(): number {
  const port = gateway.sipPort.toString(16).toUpperCase().padStart(4, '0');
  const row = readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .find((line) => line.split(/\s+/)[2]?.endsWith(`:${port}`));
  return Number(row?.trim().split(/\s+/).at(-1) ?? 0);
}

/** Sends one message on a connection of its own, and waits until it is answered or closed. */
function byTcp(message: Buffer, localAddress: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port: gateway.sipPort, host: '127.0.0.1', localAddress });
    let isSent = false;
    const over = (): void => {
      socket.destroy();
      resolve(isSent);
    };
    socket.setTimeout(TCP_WAIT_MS, over);
    socket.once('connect', () => {
      socket.end(message, () => {
        isSent = true;
      });
    });
    socket.once('data', over);
    socket.once('close', over);
    socket.once('error', over);
  });
}

describe('malformed messages', () => {
  it('T6: 100,000 by UDP and TCP change nothing', async () => {
    const phone = await VoicePhone.open(gateway.sipPort);
    await phone.call(`sip:1000@127.0.0.1:${gateway.sipPort}`, 440);
    await until(() => phone.audio.heard.length > 50, 'a second of the agent');
    const { pid } = gateway.process;
    const from = phone.audio.heard.length;
    const answersMs: number[] = [];
    const thread = new MainThread(pid);
    const startMs = performance.now();
    let byUdp = 0;
    let overTcp = 0;
    for (let seed = 1; seed <= RANDOM_SEEDS; seed += 1) {
      const random = randomFrom(seed);
      // An address of its own for each seed and transport: below what one address may send, so that all of it is read.
      const source = await OddCaller.open(`127.0.0.${100 + seed}`);
      const one = (n: number): Buffer => mutate(SEEDS[n % SEEDS.length]!(source, gateway.sipPort), random);
      for (let n = 0; n < MESSAGES_OF_SEED; n += 1) {
        source.send(one(n), gateway.sipPort);
        byUdp += 1;
        if (n % UDP_AT_ONCE === UDP_AT_ONCE - 1) await sleep(UDP_PAUSE_MS);
        if (n % 500 === 499) answersMs.push(await probe());
      }
      for (let n = 0; n < MESSAGES_OF_SEED; n += TCP_AT_ONCE) {
        const batch = Array.from({ length: TCP_AT_ONCE }, (_, k) => byTcp(one(n + k), `127.0.0.${150 + seed}`));
        overTcp += (await Promise.all(batch)).filter(Boolean).length;
        if (n % 500 === 0) answersMs.push(await probe());
      }
      source.close();
      if (gateway.process.exitCode !== null) break;
    }
    const seconds = (performance.now() - startMs) / 1000;
    mark(
      'T6',
      'messages',
      byUdp + overTcp - droppedByKernel(),
      `${byUdp} by UDP, ${overTcp} by TCP, in ${seconds.toFixed(0)} s`,
    );
    mark(
      'T6',
      'optionsMs',
      percentile(answersMs, 0.99),
      `median ${percentile(answersMs, 0.5).toFixed(1)}, ${thread.told}`,
    );
    mark('T6', 'loss', lossPercent(phone, from));
    await phone.hangUp();
    phone.close();
    mark('T6', 'faults', gateway.log().match(/uncaught|unhandled|request handler failed/gi)?.length ?? 0);
    mark('T6', 'left', gateway.process.exitCode === null && gateway.process.pid === pid ? 0 : 1);
    await worksAfter('T6', gateway);
  }, 900_000);

  it('T6: each message of RFC 4475 is answered as it says', async () => {
    const listener = await TortureListener.open('127.0.0.40');
    const wrong: string[] = [];
    for (const { name, expected, choice } of TORTURE_CASES) {
      const status = await listener.answerTo(name, gateway.sipPort);
      const isRequest = !tortureMessage(name).toString('latin1', 0, 8).startsWith('SIP/2.0 ');
      const isTaken = isRequest ? status !== undefined && (status !== 400 || choice === 400) : status === undefined;
      const isRight = expected === 'ok' ? isTaken : status === (expected === 'discard' ? undefined : expected);
      if (!isRight) wrong.push(`${name}: ${status ?? 'nothing'} for ${expected}`);
    }
    listener.close();
    mark('T6', 'torture', wrong.length, wrong.join('; ') || undefined);
    expect(gateway.process.exitCode).toBeNull();
  }, 180_000);
});
