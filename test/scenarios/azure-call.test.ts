import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TEST_VOICE, TEST_VOICE_AR } from '../conformance/tts.ts';
import { AZURE_LISTEN, AzureTestServer } from '../support/azure-server.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { speech } from '../support/spoken.ts';

const KEY = 'az-canary-0123456789';
const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const FILES = ['clinic-ar.yaml', 'clinic-ar.sentences.tsv', 'delivery-en.yaml', 'delivery-en.sentences.tsv'] as const;
const HOURS = 'what are your opening hours';
const OPEN = 'eight in the morning';
const HOURS_AR = 'متى تفتحون';
const CLOSED_AR = 'والجمعة إجازة';
const BOOK_AR = 'ابغى احجز موعد';
const SERVICE_AR = 'وش الخدمة';

/** Both shipped agents with the ears and the voices of Azure, in the four lines that a configuration needs. */
describe.skipIf(missingForCalls.length > 0)('calls that Azure hears and speaks in', () => {
  let server: AzureTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    server = await AzureTestServer.start();
    server.key = KEY;
    server.speaks = (text, _, rateHz, name) => speech(text, rateHz, name.startsWith('ar') ? TEST_VOICE_AR : TEST_VOICE);
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
engines:
  speechPrivacy: remote
  stt: { ar: azure, en: [azure, pocketsphinx] }
  tts: [azure, espeak]
  azure: { apiKeyEnv: SPEECH_KEY, baseUrl: "${server.settings.baseUrl}" }
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
    const before = server.listening.length;
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'كيف أقدر أخدمك');
      phone.say(await speech(HOURS_AR, 8000, TEST_VOICE_AR));
      await saidIn(gateway, phone.sipCallId, CLOSED_AR);
      server.failNextAt(AZURE_LISTEN, { type: 'cut', afterBytes: 4_000 });
      server.hangUp(1011); // the next word connects, and breaks
      server.otherwise = { text: BOOK_AR };
      phone.say(await speech(BOOK_AR, 8000, TEST_VOICE_AR));
      await saidIn(gateway, phone.sipCallId, SERVICE_AR);
    });
    expect(texts(call, 'caller')).toEqual([HOURS_AR, BOOK_AR]);
    const answer = call.turns.find(({ text }) => text.includes(CLOSED_AR))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    const listening = server.listening.slice(before);
    expect(listening.length).toBeLessThanOrEqual(4);
    expect(listening.map(({ problem }) => problem)).toEqual(listening.map(() => undefined));
    const said = server.said.filter(({ voice }) => voice === 'ar-SA-ZariyahNeural');
    expect(said.map(({ text }) => text).join(' ')).toContain('الجمعة');
    expect(new Set(said.map(({ format }) => format))).toEqual(new Set(['raw-8khz-8bit-mono-mulaw']));
    const ended = gateway
      .log()
      .split('\n')
      .find((line) => line.includes('"call ended"') && line.includes(call.sip_call_id))!;
    const { services } = JSON.parse(ended) as { services: { azure: Record<string, number> } };
    expect(services.azure['audio-seconds']).toBeGreaterThan(1);
    expect(services.azure['characters']).toBeGreaterThan(30);
  });

  it('in English: over another connection, in another voice', async () => {
    server.otherwise = { text: HOURS };
    const { heard, call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'How can I help you');
      phone.say(await speech(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, OPEN);
    });
    expect(texts(call, 'caller')).toEqual([HOURS]);
    const answer = call.turns.find(({ text }) => text.includes(OPEN))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    expect(server.said.filter(({ voice }) => /^en-(US|GB)-/.test(voice)).length).toBeGreaterThan(0);
    expect(gateway.log()).not.toMatch(/canary|تفتحون|opening hours/);
    const { stdout } = await nidaa(gateway, 'doctor');
    expect(stdout).toContain('gets the audio of callers (engines.stt.ar)');
    const { stdout: own } = await nidaa(gateway, 'doctor', '--provider', 'azure');
    expect(own).toContain('hears ar-SA');
  });
});
