import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TEST_VOICE_AR } from '../conformance/tts.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { speech } from '../support/spoken.ts';

const KEY = 'dg-canary-0123456789';
const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const FILES = ['clinic-ar.yaml', 'clinic-ar.sentences.tsv', 'delivery-en.yaml', 'delivery-en.sentences.tsv'] as const;
const HOURS = 'what are your opening hours';
const TRACK = 'track my order please';
const OPEN = 'eight in the morning';
const HOURS_AR = 'متى تفتحون';
const CLOSED_AR = 'والجمعة إجازة';

/** Both shipped agents with the ears of a streaming service, and its voice where it has one. */
describe.skipIf(missingForCalls.length > 0)('calls that are heard while they are spoken, by a service', () => {
  let server: DeepgramTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    server = await DeepgramTestServer.start();
    server.key = KEY;
    server.speaks = (text, _, rateHz) => speech(text, rateHz);
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
engines:
  speechPrivacy: remote
  stt: { ar: deepgram, en: [deepgram, pocketsphinx] }
  tts: [deepgram, espeak]
  deepgram: { apiKeyEnv: SPEECH_KEY, baseUrl: "${server.settings.baseUrl}" }
`,
      ...Object.fromEntries(FILES.map((name) => [`agents/${name}`, shipped(name)])),
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, SPEECH_KEY: KEY },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    await server?.close();
    folder?.remove();
  });

  it('in English: heard and answered by it, over one connection, and a break in the middle loses no word', async () => {
    server.otherwise = { text: HOURS };
    const before = server.listening.length;
    const { heard, call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'How can I help you');
      phone.say(await speech(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, OPEN);
      server.failNextAt('/listen', { type: 'cut', afterBytes: 6_000 });
      server.hangUp(1011); // the next word connects, and breaks
      server.otherwise = { text: TRACK };
      phone.say(await speech(TRACK, 8000));
      await saidIn(gateway, phone.sipCallId, 'order number');
    });
    expect(texts(call, 'caller')).toEqual([HOURS, TRACK]);
    const answer = call.turns.find(({ text }) => text.includes(OPEN))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    const listening = server.listening.slice(before);
    expect(listening.length).toBeLessThanOrEqual(4);
    expect(listening.flatMap(({ controls }) => controls)).toContain('Finalize');
    const said = server.connections.flatMap((connection) => connection.said).join(' ');
    expect(said).toContain('eight in the morning');
    const ended = gateway
      .log()
      .split('\n')
      .find((line) => line.includes('"call ended"') && line.includes(call.sip_call_id))!;
    const { services } = JSON.parse(ended) as { services: { deepgram: Record<string, number> } };
    expect(services.deepgram['audio-seconds']).toBeGreaterThan(1);
    expect(services.deepgram['characters']).toBeGreaterThan(30);
  });

  it('in Arabic: heard by it, answered in the voice at home, as it has no Arabic one', async () => {
    server.otherwise = { text: HOURS_AR };
    const spoken = server.connections.filter(({ path }) => path === '/v1/speak').length;
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'كيف أقدر أخدمك');
      phone.say(await speech(HOURS_AR, 8000, TEST_VOICE_AR));
      await saidIn(gateway, phone.sipCallId, CLOSED_AR);
    });
    expect(texts(call, 'caller')).toEqual([HOURS_AR]);
    const answer = call.turns.find(({ text }) => text.includes(CLOSED_AR))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    expect(server.listening.length).toBeGreaterThan(0);
    expect(server.connections.find(({ query }) => query.get('language') === 'ar-SA')).toBeDefined();
    expect(server.connections.filter(({ path }) => path === '/v1/speak').length).toBe(spoken);
    expect(gateway.log()).not.toMatch(/canary|تفتحون|opening hours/);
    const { stdout } = await nidaa(gateway, 'doctor');
    expect(stdout).toContain('gets the audio of callers (engines.stt.ar)');
  });
});
