import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CODECS } from '../../src/media/codec/codecs.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { recordOf } from '../support/call-record.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { mark, percentile } from '../support/marks.ts';
import { OddCaller, offerTo } from '../support/odd-caller.ts';
import { randomFrom } from '../support/seeded-random.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { mutate, SEEDS } from '../support/sip-mutations.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const STRANGER = '127.0.0.9';
const CALL_HZ = 440;
/** What an attacker says: in nobody's ear, in no recording. */
const STRANGE_HZ = 2000;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ databaseUrl: await sharedDatabase(inject('postgresDesk')) });
  await prepared(gateway);
});
afterAll(() => gateway.dispose());

const residentMb = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${gateway.process.pid}/status`, 'utf8'))?.[1]) / 1024;

/** A call that is up, its agent greeting. */
async function talking(): Promise<VoicePhone> {
  const phone = await VoicePhone.open(gateway.sipPort);
  await phone.call(`sip:1000@127.0.0.1:${gateway.sipPort}`, CALL_HZ);
  await until(() => phone.audio.heard.length > 50, 'a second of the agent');
  return phone;
}

/** What is missing between the first and the last packet that were heard, in percent. */
function lossPercent({ audio }: VoicePhone, from: number): number {
  const sequences = audio.heard.slice(from).map(({ sequence }) => sequence);
  const [first = 0] = sequences;
  const span = Math.max(...sequences.map((sequence) => (sequence - first) & 0xffff)) + 1;
  return 100 * (1 - new Set(sequences).size / span);
}

describe('under attack', () => {
  it('T5: a flood of calls leaves those that are up, and whoever asks, as they were', async () => {
    const phones = await Promise.all(Array.from({ length: 10 }, talking));
    const asking = await OddCaller.open();
    const before = residentMb();
    const from = phones.map(({ audio }) => audio.heard.length);
    const program = fileURLToPath(new URL('../support/sip-flood.mjs', import.meta.url));
    const flood = spawn(process.execPath, [program, STRANGER, String(gateway.sipPort), '10000', '1000']);
    const over = once(flood, 'exit');
    let peak = before;
    const answersMs: number[] = [];
    while (flood.exitCode === null) {
      answersMs.push(await asking.probe(gateway.sipPort));
      peak = Math.max(peak, residentMb());
      await sleep(200);
    }
    await over;
    const losses = phones.map((phone, index) => lossPercent(phone, from[index]!));
    for (const phone of phones) {
      await phone.hangUp();
      phone.close();
    }
    mark('T5', 'slowest OPTIONS in 10,000 INVITEs at 1,000/s, ms', Math.max(...answersMs), 'at most', 1_000);
    mark('T5', 'packets lost of 10 calls meanwhile, %', Math.max(...losses), 'at most', 1);
    mark('T5', 'memory grown, MB', peak - before, 'at most', 100);
    await sleep(60_000);
    mark('T5', 'memory still held a minute later, MB', residentMb() - before, 'at most', 100);
    asking.close();
  }, 240_000);

  it('T6: 20,000 malformed messages change nothing', async () => {
    const phone = await talking();
    // Each below what one address may send, so that all of it is read.
    const sources = await Promise.all(Array.from({ length: 2 }, (_, n) => OddCaller.open(`127.0.0.${30 + n}`)));
    const { pid } = gateway.process;
    const answersMs: number[] = [];
    const random = randomFrom(20_261);
    const from = phone.audio.heard.length;
    for (let n = 0; n < 20_000; n += 1) {
      const source = sources[n % sources.length]!;
      source.send(mutate(SEEDS[n % SEEDS.length]!(source, gateway.sipPort), random), gateway.sipPort);
      if (n % 5 === 4) await sleep(10);
      if (n % 200 !== 199) continue;
      const alive = await OddCaller.open();
      answersMs.push(await alive.probe(gateway.sipPort));
      alive.close();
    }
    mark('T6', 'OPTIONS between 20,000 malformed messages, p99 ms', percentile(answersMs, 0.99), 'at most', 100);
    mark('T6', 'packets lost of a call meanwhile, %', lossPercent(phone, from), 'at most', 1);
    await phone.hangUp();
    phone.close();
    for (const source of sources) source.close();
    const faults = gateway.log().match(/uncaught|unhandled|request handler failed/gi)?.length ?? 0;
    mark('T6', 'faults in the log', faults, 'at most', 0);
    expect([gateway.process.pid, gateway.process.exitCode]).toEqual([pid, null]);
  }, 240_000);

  it('T7: media of strangers is not heard, not recorded, and answered by nothing', async () => {
    const phone = await talking();
    const attacker = createSocket('udp4');
    attacker.bind(0, STRANGER);
    await once(attacker, 'listening');
    let cameBack = 0;
    attacker.on('message', () => {
      cameBack += 1;
    });
    const from = phone.audio.heard.length;
    const [low, high] = gateway.env['NIDAA_RTP_PORTS']!.split('-').map(Number) as [number, number];
    for (let port = low; port <= high; port += 1) attacker.send(injected(port, 0), port, '127.0.0.1');
    for (let n = 0; n < 5_000; n += 1) {
      attacker.send(n % 3 === 0 ? randomBytes(n % 400) : injected(n, phone.audio.ssrc), phone.audioPort, '127.0.0.1');
      if (n % 50 === 49) await sleep(10);
    }
    const loss = lossPercent(phone, from);
    const { callId } = phone.sip;
    await phone.hangUp();
    attacker.send(injected(1, phone.audio.ssrc), phone.audioPort, '127.0.0.1');
    await sleep(300);
    mark('T7', 'packets that came back to a stranger', cameBack, 'at most', 0);
    mark('T7', 'packets of the agent lost under 5,000 injected ones, %', loss, 'at most', 1);
    const call = await recordOf(gateway, callId);
    const said = Heard.file(join(gateway.dataDir, call.recording!)).samples;
    mark('T7', 'loudness of the stranger in the recording', amplitudeAt(said, STRANGE_HZ), 'at most', 0.002);
    mark('T7', 'loudness of the caller in it', amplitudeAt(said, CALL_HZ), 'at least', 0.05);
    attacker.close();
    phone.close();
  }, 60_000);

  it('T9: an offer that names somebody else sends them at most a second of media', async () => {
    const victim = createSocket('udp4');
    victim.bind(0, '127.0.0.2');
    await once(victim, 'listening');
    let reached = 0;
    victim.on('message', () => {
      reached += 1;
    });
    const caller = await new UdpCaller(gateway.sipPort).open();
    caller.answerByes();
    caller.target = `sip:1000@127.0.0.1:${gateway.sipPort}`;
    caller.sendRequest('INVITE', { body: offerTo('127.0.0.2', victim.address().port) });
    const { status } = await caller.final('INVITE');
    if (status === 200) await sleep(8_000);
    mark('T9', `packets to a victim named in the offer (answered ${status})`, reached, 'at most', 50);
    victim.close();
    caller.close();
  }, 60_000);

  it('T10: who never answers gets no more than ten times what it sent', async () => {
    for (const [index, method] of ['OPTIONS', 'INVITE', 'REGISTER', 'BYE', 'SUBSCRIBE'].entries()) {
      const source = await OddCaller.open(`127.0.0.${20 + index}`);
      const body = method === 'INVITE' ? offerTo(source.address, 40_000) : '';
      source.send(source.message({ method, port: gateway.sipPort, body }), gateway.sipPort);
      await sleep(method === 'INVITE' ? 33_000 : 1_000);
      mark('T10', `bytes out for one in, ${method}`, source.bytesOut / source.bytesIn, 'at most', 10);
      source.close();
    }
  }, 120_000);

  it('T11: who does not know the tags of a call cannot end or change it', async () => {
    const phone = await talking();
    const stranger = await OddCaller.open();
    const guesses = ['BYE', 'INVITE', 'INFO', 'REFER', 'UPDATE'];
    for (const method of guesses) {
      const To = `<sip:1000@127.0.0.1>;tag=guessed`;
      const From = `<sip:alice@pbx.example.com>;tag=${phone.sip.tag}`;
      const body = method === 'INVITE' ? offerTo(STRANGER, 40_000) : '';
      const headers = { To, From, 'Call-ID': phone.sip.callId, CSeq: `99 ${method}`, 'Refer-To': '<sip:x@127.0.0.1>' };
      stranger.send(stranger.message({ method, port: gateway.sipPort, headers, body }), gateway.sipPort);
    }
    await until(() => stranger.answers.length >= guesses.length, 'an answer to each guess');
    mark(
      'T11',
      `guesses answered 481 of ${guesses.length}`,
      stranger.statuses.get('481') ?? 0,
      'at least',
      guesses.length,
    );
    const from = phone.audio.heard.length;
    await sleep(1_000);
    mark('T11', 'packets heard in the second after', phone.audio.heard.length - from, 'at least', 40);
    expect(phone.sip.inbox.filter(({ method, status }) => method === 'BYE' && status === 0)).toEqual([]);
    await phone.hangUp();
    phone.close();
    stranger.close();
  }, 60_000);
});

/** A packet of a tone that nobody in the call says. */
function injected(sequence: number, ssrc: number): Buffer {
  const packet = Buffer.alloc(172);
  writeRtpHeader(packet, 0, false, sequence & 0xffff, (sequence * 160) >>> 0, ssrc);
  const payload = new Uint8Array(160);
  CODECS.PCMU.encoder().encode(tone(STRANGE_HZ, 160), payload, 0);
  packet.set(payload, 12);
  return packet;
}
