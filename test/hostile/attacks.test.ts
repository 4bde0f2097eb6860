import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { recordOf } from '../support/call-record.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { gapsHeard, lossPercent } from '../support/heard-stream.ts';
import { mark } from '../support/marks.ts';
import { worksAfter } from '../support/normal-call.ts';
import { OddCaller, offerTo } from '../support/odd-caller.ts';
import { OwnLateness } from '../support/own-lateness.ts';
import { RtpAttacker, STRANGE_HZ } from '../support/rtp-attack.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt } from '../support/tones.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';
import { MainThread } from '../support/waited-for-core.ts';

const STRANGER = '127.0.0.9';
/** Nobody who has sent an INVITE: where that comes from, media may go to. */
const MEDIA_STRANGER = '127.0.0.19';
const CALL_HZ = 440;
const FLOOD = fileURLToPath(new URL('../support/sip-flood.mjs', import.meta.url));
const FLOODS = [
  { method: 'INVITE', count: 10_000 },
  { method: 'OPTIONS', count: 5_000 },
  { method: 'REGISTER', count: 5_000 },
];
const FLOOD_PER_SECOND = 1_000;
const PACKET_S = 0.02;
const JITTER_BUFFER_MS = 400;
/** A phone that stands still for longer says nothing for so long. */
const JITTER_MS = 60;

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

async function victimAt(address: string): Promise<{ port: number; reached(): number; close(): void }> {
  const socket = createSocket('udp4');
  let reached = 0;
  socket.on('message', () => {
    reached += 1;
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return { port: socket.address().port, reached: () => reached, close: () => socket.close() };
}

/** An INVITE with this offer, hung up on again. @returns its status, and whether media was agreed. */
async function offered(body: string, talkMs = 0): Promise<{ status: number; isTaken: boolean }> {
  const caller = await new UdpCaller(gateway.sipPort).open();
  caller.answerByes();
  caller.target = `sip:1000@127.0.0.1:${gateway.sipPort}`;
  caller.sendRequest('INVITE', { body });
  const answer = await caller.final('INVITE');
  if (answer.status === 200) {
    caller.adopt(answer);
    caller.sendRequest('ACK');
    await sleep(talkMs);
    caller.sendRequest('BYE');
    await caller.final('BYE');
  }
  caller.close();
  return { status: answer.status, isTaken: answer.status === 200 && !/^m=audio 0 /m.test(answer.body) };
}

describe('under attack', () => {
  it('T5: floods leave the calls that are up, and whoever asks, as they were', async () => {
    const own = new OwnLateness();
    const phones = await Promise.all(Array.from({ length: 10 }, talking));
    const asking = await OddCaller.open();
    const before = residentMb();
    const thread = new MainThread(gateway.process.pid);
    const from = phones.map(({ audio }) => audio.heard.length);
    let peak = before;
    let slowestMs = 0;
    for (const { method, count } of FLOODS) {
      const args = [STRANGER, gateway.sipPort, count, FLOOD_PER_SECOND, method].map(String);
      const flood = spawn(process.execPath, [FLOOD, ...args]);
      const over = once(flood, 'exit');
      while (flood.exitCode === null) {
        slowestMs = Math.max(slowestMs, await asking.probe(gateway.sipPort));
        peak = Math.max(peak, residentMb());
        await sleep(200);
      }
      await over;
    }
    const losses = phones.map((phone, index) => lossPercent(phone, from[index]!));
    const gaps = phones.map((phone, index) => gapsHeard(phone, from[index]!, 60, own));
    own.close();
    mark('T5', 'optionsMs', slowestMs, thread.told);
    mark('T5', 'loss', Math.max(...losses));
    mark(
      'T5',
      'gaps',
      gaps.reduce((sum, each) => sum + each, 0),
    );
    mark('T5', 'grownMb', peak - before);
    await Promise.all(phones.map(({ sip }) => sip.ask('BYE')));
    for (const phone of phones) phone.close();
    await sleep(60_000);
    mark('T5', 'heldMb', residentMb() - before);
    asking.close();
    await worksAfter('T5', gateway);
  }, 300_000);

  it('T7: media of strangers is not heard, not recorded, and answered by nothing', async () => {
    const own = new OwnLateness();
    const phone = await talking();
    const attacker = await RtpAttacker.open(MEDIA_STRANGER);
    const from = phone.audio.heard.length;
    const [low, high] = gateway.env['NIDAA_RTP_PORTS']!.split('-').map(Number) as [number, number];
    const { ssrc } = phone.audio;
    await attacker.bleed(low, high);
    const attack = (ms: number): Promise<unknown> =>
      Promise.all([
        attacker.inject(phone.audioPort, ssrc, ms),
        attacker.junk(phone.audioPort, ssrc),
        attacker.flood(phone.audioPort, ssrc, ms),
      ]);
    await attack(3_000);
    const loss = lossPercent(phone, from);
    phone.audio.quiet();
    const saidS = phone.audio.sent * PACKET_S;
    const stalledS = own.stalledMs(JITTER_MS) / 1000;
    // A source that is silent for so long may have moved: whoever has its SSRC is taken for it then.
    const stood = `its caller stood still for ${Math.round(own.longestMs)} ms, 2,000 would be too long`;
    own.close();
    await sleep(JITTER_BUFFER_MS); // what was said is heard before the call ends
    mark('T7', 'back', attacker.cameBack, stood);
    const { callId } = phone.sip;
    await phone.sip.ask('BYE');
    attacker.cameBack = 0;
    await attack(1_000);
    await attacker.bleed(low, high);
    await sleep(300);
    mark('T7', 'backAfter', attacker.cameBack);
    mark('T7', 'loss', loss);
    const call = await recordOf(gateway, callId);
    const heard = Heard.file(join(gateway.dataDir, call.recording!));
    mark('T7', 'strange', amplitudeAt(heard.samples, STRANGE_HZ));
    mark('T7', 'caller', amplitudeAt(heard.samples, CALL_HZ));
    mark('T7', 'missingS', saidS - heard.voicedSeconds() - stalledS);
    expect(call.dtmf).toBe('');
    attacker.close();
    phone.close();
    await worksAfter('T7', gateway);
  }, 120_000);

  it('T9: an offer that names somebody else sends them at most a second of media', async () => {
    const victim = await victimAt('127.0.0.2');
    const { status } = await offered(offerTo('127.0.0.2', victim.port), 8_000);
    mark('T9', 'victim', victim.reached(), `answered ${status}`);
    victim.close();
    for (const address of ['255.255.255.255', '240.0.0.1', '224.0.0.1', '169.254.169.254', 'no.such.host.invalid']) {
      const answer = await offered(offerTo(address, 40_000));
      mark('T9', 'taken', answer.isTaken ? 1 : 0, `${address}, answered ${answer.status}`);
    }
    await worksAfter('T9', gateway);
  }, 90_000);

  it('T10: who never answers gets no more than ten times what it sent', async () => {
    const methods = ['OPTIONS', 'INVITE', 'REGISTER', 'BYE', 'SUBSCRIBE', 'FROBNICATE'];
    const sources = await Promise.all(methods.map((_, index) => OddCaller.open(`127.0.0.${20 + index}`)));
    for (const [index, source] of sources.entries()) {
      const method = methods[index]!;
      const body = method === 'INVITE' ? offerTo(source.address, 40_000) : '';
      source.send(source.message({ method, port: gateway.sipPort, body }), gateway.sipPort);
    }
    await sleep(34_000);
    for (const [index, source] of sources.entries()) {
      mark('T10', 'ratio', source.bytesOut / source.bytesIn, methods[index]);
      source.close();
    }
    await worksAfter('T10', gateway);
  }, 120_000);

  it('T11: who does not know the tags of a call cannot end or change it', async () => {
    const phone = await talking();
    const stranger = await OddCaller.open(STRANGER);
    const right = { to: /tag=([^;>\s]+)/.exec(phone.sip.toHeader)![1]!, from: phone.sip.tag };
    const guesses = [
      { to: 'guessed', from: right.from },
      { to: right.to, from: 'guessed' },
      { to: right.from, from: right.to },
      { to: right.to.slice(0, -1), from: right.from },
      { to: `${right.to}x`, from: right.from },
    ];
    let cseq = 100;
    for (const tags of guesses) {
      for (const method of ['BYE', 'INVITE', 'INFO', 'REFER', 'UPDATE']) {
        cseq += 1;
        const To = `<sip:1000@127.0.0.1>;tag=${tags.to}`;
        const From = `<sip:alice@pbx.example.com>;tag=${tags.from}`;
        const body = method === 'INVITE' ? offerTo(STRANGER, 40_000) : '';
        const numbered = { 'Call-ID': phone.sip.callId, CSeq: `${cseq} ${method}` };
        const headers = { To, From, ...numbered, 'Refer-To': '<sip:x@127.0.0.1>' };
        stranger.send(stranger.message({ method, port: gateway.sipPort, headers, body }), gateway.sipPort);
      }
    }
    const answered = (): Map<string, string> =>
      new Map(stranger.answers.map((text) => [/^CSeq: (\d+)/im.exec(text)?.[1] ?? '', text.slice(8, 11)]));
    await until(() => answered().size >= cseq - 100, 'an answer to each guess');
    mark('T11', 'guesses', [...answered().values()].filter((status) => status !== '481').length);
    const from = phone.audio.heard.length;
    await sleep(1_000);
    mark('T11', 'heard', phone.audio.heard.length - from);
    mark('T11', 'ended', phone.sip.inbox.filter(({ method, status }) => method === 'BYE' && status === 0).length);
    await phone.hangUp();
    phone.close();
    stranger.close();
    await worksAfter('T11', gateway);
  }, 60_000);
});
