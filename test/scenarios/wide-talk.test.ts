import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { decodeMulaw } from '../../src/audio/g711.ts';
import { resampleAll } from '../../src/audio/resampler.ts';
import { type CallRecord, recordOf, saidIn, texts } from '../support/call-record.ts';
import { spoken } from '../support/caller-voice.ts';
import { configFolder } from '../support/config-folder.ts';
import { type DeepgramConnection, DeepgramTestServer } from '../support/deepgram-server.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { speech } from '../support/spoken.ts';
import { TalkPeer } from '../support/stream-peers.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const FILES = ['delivery-en.yaml', 'delivery-en.sentences.tsv'] as const;
const HOURS = 'what are your opening hours';
const OPEN = 'eight in the morning';
/** Above what a telephone carries. */
const WHISTLE_HZ = 6_000;

/** The English agent with ears of a service that takes wideband, and those at home behind them, which do not. */
describe.skipIf(missingForCalls.length > 0)('an agent who hears more than a telephone carries', () => {
  let server: DeepgramTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    server = await DeepgramTestServer.start();
    server.otherwise = { text: HOURS };
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
engines:
  speechPrivacy: remote
  stt: { en: [deepgram, pocketsphinx] }
  deepgram: { apiKeyEnv: SPEECH_KEY, baseUrl: "${server.settings.baseUrl}" }
`,
      ...Object.fromEntries(FILES.map((name) => [`agents/${name}`, shipped(name)])),
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, SPEECH_KEY: 'a key' },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    await server?.close();
    folder?.remove();
  });

  /** Talks with the English agent, sending as it is asked to, until `converse` is through. @returns the record of the call. */
  async function talk(converse: (peer: TalkPeer, callId: string) => Promise<unknown>): Promise<CallRecord> {
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
    const listed = (await (await fetch(`${gateway.api}/v1/agents`, { headers })).json()) as {
      agents: { id: string; language: string }[];
    };
    const { id } = listed.agents.find(({ language }) => language === 'en-US')!;
    const url = `${gateway.api.replace('http', 'ws')}/v1/agents/${id}/talk`;
    const issued = await fetch(`${gateway.api}/v1/agents/${id}/talk/token`, { method: 'POST', headers, body: '{}' });
    const { token } = (await issued.json()) as { token: string };
    const peer = new TalkPeer(`${url}?token=${token}`, {}, 'as-asked');
    await until(() => peer.frame('opened') !== undefined, 'a call');
    const callId = String(peer.frame('opened')!['call_id']);
    await saidIn(gateway, callId, 'How can I help you');
    await converse(peer, callId);
    peer.hangUp();
    await peer.ended();
    expect(peer.frame('opened')).toMatchObject({ sample_rate: 8000, input_sample_rate: 16_000 });
    return recordOf(gateway, callId);
  }

  /** Of one connection: the rate it was asked for, and how loud 6 kHz are in what came over it, above which no telephone goes. */
  function heardOver({ query, listening }: DeepgramConnection) {
    const bytes = listening!.audio;
    const rateHz = Number(query.get('sample_rate'));
    const isLinear = query.get('encoding') === 'linear16';
    const samples = isLinear ? new Int16Array(new Uint8Array(bytes).buffer) : decodeMulaw(bytes);
    const seconds = samples.length / rateHz;
    const whistle = isLinear && rateHz === 16_000 ? amplitudeAt(samples, WHISTLE_HZ, rateHz) : 0;
    return { rateHz, encoding: query.get('encoding'), seconds, whistle };
  }

  it('has all that a microphone hears in a talk by WebSocket, and what a telephone has of it in a call by SIP', async () => {
    const said = await speech(HOURS, 16_000);
    const whistle = tone(WHISTLE_HZ, said.length, { rateHz: 16_000, amplitude: 0.1 });
    const before = server.connections.length;
    const call = await talk(async (peer, callId) => {
      peer.say(said.map((sample, i) => Math.round(sample / 2) + whistle[i]!));
      await saidIn(gateway, callId, OPEN);
    });
    expect(texts(call, 'caller')).toEqual([HOURS]);
    const inTalk = server.connections.slice(before).filter(({ listening }) => (listening?.audio.length ?? 0) > 0);
    expect(inTalk.map(heardOver)).toMatchObject([{ rateHz: 16_000, encoding: 'linear16' }]);
    const { seconds, whistle: loud } = heardOver(inTalk[0]!);
    expect(seconds).toBeGreaterThan(said.length / 16_000 - 0.1);
    expect(loud).toBeGreaterThan(0.04);

    const between = server.connections.length;
    await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'How can I help you');
      phone.say(await speech(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, OPEN);
    });
    const byTelephone = server.connections.slice(between).filter(({ listening }) => (listening?.audio.length ?? 0) > 0);
    expect(byTelephone.map(heardOver)).toMatchObject([{ rateHz: 8_000, encoding: 'mulaw' }]);
  });

  it.runIf(EVERY_TEST)(
    'has a recogniser at home for when the service breaks, which is given what a telephone has',
    async () => {
      const track = spoken('where is my order');
      const call = await talk(async (peer, callId) => {
        server.failNextAt('/listen', { type: 'refuse', status: 503 });
        server.hangUp(1011); // the next word connects, and is refused
        peer.say(resampleAll(track, 8_000, 16_000));
        await saidIn(gateway, callId, 'order number', () => peer.say(resampleAll(track, 8_000, 16_000)));
      });
      expect(texts(call, 'caller')[0]).toMatch(/^where(?: is|'s) my order$/);
    },
  );
});
