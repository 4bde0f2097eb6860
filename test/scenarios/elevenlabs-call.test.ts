import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TEST_VOICE, TEST_VOICE_AR } from '../conformance/tts.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { ElevenlabsTestServer } from '../support/elevenlabs-server.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { speech } from '../support/spoken.ts';

const KEY = 'el-canary-0123456789';
const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const FILES = ['clinic-ar.yaml', 'clinic-ar.sentences.tsv', 'delivery-en.yaml', 'delivery-en.sentences.tsv'] as const;
const HOURS = 'what are your opening hours';
const OPEN = 'eight in the morning';
const HOURS_AR = 'متى تفتحون';
const CLOSED_AR = 'والجمعة إجازة';
const BOOK_AR = 'ابغى احجز موعد';
const SERVICE_AR = 'وش الخدمة';

/** Both shipped agents with the ears and one voice of ElevenLabs, in the four lines that a configuration needs. */
describe.skipIf(missingForCalls.length > 0)('calls that ElevenLabs hears and speaks in', () => {
  let server: ElevenlabsTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    server = await ElevenlabsTestServer.start();
    server.key = KEY;
    server.speaks = (text, _, rateHz) =>
      speech(text, rateHz, /\p{Script=Arabic}/u.test(text) ? TEST_VOICE_AR : TEST_VOICE);
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
engines:
  speechPrivacy: remote
  stt: { ar: elevenlabs, en: [elevenlabs, pocketsphinx] }
  tts: [elevenlabs, espeak]
  elevenlabs: { apiKeyEnv: SPEECH_KEY, speechVoice: ${server.voices[0]}, baseUrl: "${server.baseUrl}" }
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

  it('in Arabic: heard and answered by it, and a break in the middle loses no word', async () => {
    server.otherwise = { text: HOURS_AR };
    const before = server.connections.length;
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'كيف أقدر أخدمك');
      phone.say(await speech(HOURS_AR, 8000, TEST_VOICE_AR));
      await saidIn(gateway, phone.sipCallId, CLOSED_AR);
      server.failListening({ type: 'cut', afterBytes: 4_000 });
      server.hangUp(1011); // the next word connects, and breaks
      server.otherwise = { text: BOOK_AR };
      phone.say(await speech(BOOK_AR, 8000, TEST_VOICE_AR));
      await saidIn(gateway, phone.sipCallId, SERVICE_AR);
    });
    expect(texts(call, 'caller')).toEqual([HOURS_AR, BOOK_AR]);
    const answer = call.turns.find(({ text }) => text.includes(CLOSED_AR))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    const sessions = server.connections.slice(before);
    expect(sessions.length).toBeLessThanOrEqual(4);
    expect(new Set(sessions.map(({ query }) => query.get('language_code')))).toEqual(new Set(['ar']));
    const spoken = server.asked.find(({ json }) => String(json['text']).includes(CLOSED_AR))!;
    expect(spoken.json).toMatchObject({ language_code: 'ar', apply_text_normalization: 'off' });
    expect(spoken.query.get('output_format')).toBe('ulaw_8000');
    const ended = gateway
      .log()
      .split('\n')
      .find((line) => line.includes('"call ended"') && line.includes(call.sip_call_id))!;
    const { services } = JSON.parse(ended) as { services: { elevenlabs: Record<string, number> } };
    expect(services.elevenlabs['audio-seconds']).toBeGreaterThan(1);
    expect(services.elevenlabs['characters']).toBeGreaterThan(30);
  });

  it('in English: the same voice, and who gets what is said', async () => {
    server.otherwise = { text: HOURS };
    const { heard, call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'How can I help you');
      phone.say(await speech(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, OPEN);
    });
    expect(texts(call, 'caller')).toEqual([HOURS]);
    const answer = call.turns.find(({ text }) => text.includes(OPEN))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    expect(server.asked.some(({ json }) => json['language_code'] === 'en')).toBe(true);
    expect(gateway.log()).not.toMatch(/canary|تفتحون|opening hours/);
    const { stdout } = await nidaa(gateway, 'doctor');
    expect(stdout).toContain('gets the audio of callers (engines.stt.ar');
    const reached = await nidaa(gateway, 'doctor', '--provider', 'elevenlabs');
    expect(reached.stdout).toContain(`${server.voices[0]} is a voice`);
  });
});
