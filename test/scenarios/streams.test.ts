import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type CallRecord, dialogueOf, recordOf, saidIn, texts } from '../support/call-record.ts';
import { hasCommand, spoken } from '../support/caller-voice.ts';
import { configFolder, ENGLISH } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { numberOf } from '../support/shared-gateway.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { AsteriskPeer, type StreamPeer, TalkPeer, TwilioPeer } from '../support/stream-peers.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const missing = ['espeak-ng', 'flite'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO CALL BY WEBSOCKET IS TESTED: ${missing.join(', ')} not installed !!!\n`);

const AUTH_TOKEN = 'a-twilio-auth-token';
const SECRET = 'a-secret-of-asterisk-0123';
const FROM = '+966500000077';

let gateway: Gateway;
let ws: string;
const config = configFolder({
  ...ENGLISH,
  'nidaa.yaml': 'streams:\n  twilio: { authTokenEnv: OUR_TWILIO }\n  asterisk: { secretEnv: OUR_ASTERISK }\n',
});

/** One wish by voice, an order number by keys, an answer; then the caller hangs up. */
async function converse(peer: StreamPeer, callId: string): Promise<CallRecord> {
  const question = spoken('where is my order');
  await saidIn(gateway, callId, 'help you today');
  peer.say(question);
  await saidIn(gateway, callId, 'order number', () => peer.say(question));
  for (const digit of '4521') peer.press(digit);
  await saidIn(gateway, callId, 'coffee machine');
  peer.hangUp();
  await peer.ended();
  return recordOf(gateway, callId);
}

function expectWholeCall(call: CallRecord, heard: Heard, codec: string): void {
  expect(texts(call, 'caller')[0]).toMatch(/^where(?: is|'s) my order$/);
  expect(texts(call, 'agent')[0]).toContain('Swift Delivery');
  expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
  expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
  expect(call.quality).toMatchObject({ codec, packetsLost: 0 });
  expect(call.cost_cents).toBeGreaterThanOrEqual(3 + 2 + 2);
  // What the far end played: the greeting, quiet while the caller speaks, the answers.
  expect(voicedOfFirst(heard, 6)).toBeGreaterThan(2.5);
  const spokenMs = dialogueOf(call).reduce((sum, turn) => sum + (turn.role === 'agent' ? turn.heard_ms : 0), 0);
  expect(heard.voicedSeconds()).toBeGreaterThan(0.5 * (spokenMs / 1000));
  expect(Math.max(...gaps(heard, 5))).toBeLessThan(0.7); // nothing is missing inside the greeting
  const file = join(gateway.dataDir, call.recording!);
  expect(existsSync(file)).toBe(true);
  expect(voicedOfFirst(Heard.file(file, 1), 5)).toBeGreaterThan(2);
  expect(Heard.file(file, 0).voicedSeconds()).toBeGreaterThan(0.6);
}

/** Seconds of sound in the first `seconds` since there is any: when speech begins depends on what else the machine does. */
function voicedOfFirst(heard: Heard, seconds: number): number {
  const fromS = heard.stretches()[0]?.fromS ?? 0;
  return heard.voicedSeconds(fromS, fromS + seconds);
}

/** Silences between sounds of the first `seconds` after the first, in seconds. */
function gaps(heard: Heard, seconds: number): number[] {
  const stretches = heard.stretches(60);
  const first = stretches[0]!.fromS;
  return stretches
    .filter(({ fromS }) => fromS < first + seconds - 1)
    .map(({ fromS }, n, all) => (n === 0 ? 0 : fromS - all[n - 1]!.toS));
}

describe.skipIf(missing.length > 0)('a call by WebSocket', { concurrent: true }, () => {
  beforeAll(async () => {
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'), OUR_TWILIO: AUTH_TOKEN, OUR_ASTERISK: SECRET },
    });
    ws = gateway.api.replace('http', 'ws');
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    config.remove();
  });

  it('is held over the talk socket, and followed there', async () => {
    const api = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${gateway.api}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      });
    const { agents } = (await (await api('/v1/agents')).json()) as { agents: { id: string; language: string }[] };
    const { id } = agents.find(({ language }) => language === 'en-US')!;
    const issued = await api(`/v1/agents/${id}/talk/token`, { method: 'POST', body: JSON.stringify({ from: FROM }) });
    const { token } = (await issued.json()) as { token: string };
    const peer = new TalkPeer(`${ws}/v1/agents/${id}/talk?token=${token}`);
    await until(() => peer.frames.some(({ type }) => type === 'opened'), 'a call');
    const callId = String(peer.frames.find(({ type }) => type === 'opened')!['call_id']);
    const call = await converse(peer, callId);
    expectWholeCall(call, peer.heard, 'L16');
    expect(call.from).toBe(FROM);
    expect(peer.closed).toBe(1000);
    const types = new Set(peer.frames.map(({ type }) => type));
    for (const type of ['transcript', 'sentence', 'turn', 'mark', 'ended']) expect(types).toContain(type);
    const turns = peer.frames.filter(({ type }) => type === 'turn');
    expect(turns.map(({ text }) => text)).toEqual(call.turns.map(({ text }) => text));
    const shown = await nidaa(gateway, 'calls', 'show', callId);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('coffee machine')]);
  });

  it('is held with an agent as it is being edited, with a token that its editor was given', async () => {
    const made = await nidaa(
      gateway,
      'keys',
      'create',
      '--name',
      'editor',
      '--scope',
      'read',
      '--scope',
      'agents',
      '--json',
    );
    const { key } = JSON.parse(made.stdout) as { key: string };
    const manage = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await (await fetch(`${gateway.api}/manage/v1${path}`, { ...init, headers })).json()) as T;
    };
    const { items } = await manage<{ items: { id: string; name: string }[] }>('/agents');
    const { id } = items.find(({ name }) => name === 'Swift Delivery')!;
    const { definition } = await manage<{ definition: object }>(`/agents/${id}`);
    const body = JSON.stringify({ definition: { ...definition, greeting: { en: 'This is a draft.' } } });
    const { token, socket } = await manage<{ token: string; socket: string }>(`/agents/${id}/talk`, {
      method: 'POST',
      body,
    });
    const peer = new TalkPeer(`${ws}${socket}?token=${token}`);
    await until(() => peer.frames.some(({ type }) => type === 'sentence'), 'the greeting');
    expect(peer.frames.find(({ type }) => type === 'sentence')!['text']).toContain('This is a draft.');
    const callId = String(peer.frames.find(({ type }) => type === 'opened')!['call_id']);
    peer.hangUp();
    await peer.ended();
    const { agent_version, from } = await manage<{ agent_version: number; from: string }>(`/calls/${callId}`);
    expect([agent_version, from]).toEqual([0, 'console']);
  });

  it('is held over a media stream of Twilio', async () => {
    const peer = TwilioPeer.connect(`${ws}/streams/twilio`, AUTH_TOKEN, { to: '1000', from: FROM, tier: 'gold' });
    const call = await converse(peer, peer.callSid);
    expectWholeCall(call, peer.heard, 'PCMU');
    expect([call.from, call.to]).toEqual([FROM, '1000']);
    expect(peer.marksTold).toBeGreaterThan(5);
  });

  it.runIf(EVERY_TEST)('is held over a WebSocket channel of Asterisk', async () => {
    const peer = AsteriskPeer.connect(`${ws}/streams/asterisk?from=${encodeURIComponent(FROM)}&to=1000`, SECRET);
    const call = await converse(peer, peer.channelId);
    expect(peer.answered).toBe(true);
    expectWholeCall(call, peer.heard, 'ulaw');
    expect([call.from, call.to]).toEqual([FROM, '1000']);
  });

  it('is interrupted: the far end forgets what it has in store, and the record holds what it played', async () => {
    const peer = TwilioPeer.connect(`${ws}/streams/twilio`, AUTH_TOKEN, { to: '1000', from: `${FROM}1` });
    await until(() => peer.heard.voicedSeconds() > 1, 'a second of the greeting', 15_000);
    peer.press('1');
    await until(() => peer.cleared > 0, 'a clear');
    peer.hangUp();
    const call = await recordOf(gateway, peer.callSid);
    const [greeting] = call.turns;
    expect(greeting!.text).not.toContain('help you today');
    const [sound] = peer.heard.stretches(600);
    const playedMs = 1000 * (sound!.toS - sound!.fromS);
    expect(Math.abs(greeting!.heard_ms - playedMs)).toBeLessThan(400);
  });

  it.runIf(EVERY_TEST)('is put through to a person by SIP, who is told first: both hear each other', async () => {
    const person = await VoicePhone.open(gateway.sipPort);
    try {
      const number = await numberOf(gateway, {
        ...{ name: 'Desk', language: 'en-US', voice: 'emma', model: 'sada-1', status: 'live' },
        greeting: { en: 'Hello, this is Emma. How can I help you today?' },
        transferTarget: person.uri,
        transfer: { mode: 'announced', accept: 'key' },
      });
      const peer = TwilioPeer.connect(`${ws}/streams/twilio`, AUTH_TOKEN, { to: number, from: FROM });
      await saidIn(gateway, peer.callSid, 'help you today');
      peer.press('0');
      await person.ringing();
      await person.answer(1000);
      await until(() => person.peak > 0.05, 'what the person is told', 15_000);
      person.key(1);
      peer.say(tone(440, 30 * 8000));
      const last = (): Int16Array => peer.heard.samples.subarray(-3200);
      await Promise.all([person.hears(440), until(() => amplitudeAt(last(), 1000) > 0.1, 'the person')]);
      await person.hangUp();
      await peer.ended();
      const call = await recordOf(gateway, peer.callSid);
      expect(call.transfers).toMatchObject([{ target: person.uri, by: 'bridge', outcome: 'joined' }]);
      const right = Heard.file(join(gateway.dataDir, call.recording!), 1);
      const tenths = Array.from({ length: 30 }, (_, n) => right.samples.slice(-800 * (n + 1)).subarray(0, 800));
      expect(Math.max(...tenths.map((part) => amplitudeAt(part, 1000)))).toBeGreaterThan(0.1);
    } finally {
      person.close();
    }
  });

  it('is not held with whoever brings no signature, no secret, or calls nobody', async () => {
    const forged = TwilioPeer.connect(`${ws}/streams/twilio`, 'another token', { to: '1000' });
    const guessed = AsteriskPeer.connect(`${ws}/streams/asterisk?to=1000`, `${SECRET}x`);
    for (const peer of [forged, guessed]) expect(await peer.ended()).toBe(1006);
    const lost = AsteriskPeer.connect(`${ws}/streams/asterisk/${SECRET}?to=99999`, 'another');
    await lost.ended();
    expect([lost.answered, lost.hungUp]).toEqual([false, true]);
    expect(gateway.log()).not.toContain(SECRET);
    expect(gateway.log()).not.toContain(FROM);
  });
});
