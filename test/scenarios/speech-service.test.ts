import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { EspeakTts } from '../../src/engines/tts/espeak.ts';
import { TEST_VOICE_AR } from '../conformance/tts.ts';
import { endedLine } from '../support/call-log.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { joined } from '../support/speech-clips.ts';
import { SpeechTestServer } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

const KEY = 'sk-canary-0123456789';
const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const GREETING = 'كيف أقدر أخدمك';
const HOURS = 'متى تفتحون';
const CLOSED = 'والجمعة إجازة';
const WHERE = 'وين موقعكم';
const METRO = 'محطة المترو';
const CLEANING = 'ويشمل التلميع';
const WHITENING = 'بثمانمية ريال للجلسة';
const PRESS = 'اضغط';
const POOL = 'المسبح كم طوله';
const POOL_LENGTH = 'عندنا مسبح طوله 25 مترًا، ومفتوح حتى العاشرة مساءً.';

/** Arabic speech as a service or a caller would make it. */
async function arabic(text: string, sampleRateHz: number): Promise<Int16Array> {
  const engine = new EspeakTts({ clock: systemClock });
  const request = { text, voice: TEST_VOICE_AR, sampleRateHz, speed: 1, pitchSemitones: 0 };
  const chunks: Int16Array[] = [];
  for await (const chunk of engine.synthesize(request, new AbortController().signal)) chunks.push(chunk);
  await engine.close();
  return joined(...chunks);
}

/** The Arabic clinic with ears and voice of a service, in front of the voice at home. */
describe.skipIf(missingForCalls.length > 0)('a call of an Arabic agent that hears and speaks by a service', () => {
  let server: SpeechTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;
  let spokenSeconds: number;

  beforeAll(async () => {
    spokenSeconds = (await arabic(HOURS, 8000)).length / 8000;
    server = await SpeechTestServer.start();
    server.key = KEY;
    server.language = 'arabic';
    server.hears = () => HOURS;
    server.speaks = (text) => arabic(text, 24_000);
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
# What the service is asked is counted here, and made to fail.
speech: { presynthesis: false }
engines:
  speechPrivacy: remote
  stt: { ar: openai, en: none }
  tts: [openai, espeak]
  openai:
    baseUrl: ${server.baseUrl}
    apiKeyEnv: SPEECH_KEY
    transcriptionModel: whisper-1
    speechModel: tts-1
    speechVoice: alloy
`,
      'agents/clinic-ar.yaml': shipped('clinic-ar.yaml'),
      'agents/clinic-ar.sentences.tsv': shipped('clinic-ar.sentences.tsv'),
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

  /** The agent of 2000 is given the questions of a gym, by the management API. */
  async function givenDocument(): Promise<string> {
    const { key, agentId } = await withStore(gateway, async ({ managementKeys, numbers }) => {
      const agent = (await numbers.resolve('2000'))!;
      const made = await managementKeys.create(agent.accountId, 'documents', ['read', 'agents']);
      return { key: made.secret, agentId: agent.id };
    });
    const file = readFileSync(new URL('../fixtures/agent-documents/b/gym-faq-mixed.txt', import.meta.url));
    const path = `${gateway.api}/manage/v1/agents/${agentId}/documents`;
    const headers = { authorization: `Bearer ${key}` };
    const sent = await fetch(path, {
      ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      body: JSON.stringify({ file: file.toString('base64'), filename: 'gym-faq-mixed.txt' }),
    });
    const { id } = (await sent.json()) as { id: string };
    await until(async () => {
      const { state } = (await (await fetch(`${path}/${id}`, { headers })).json()) as { state: string };
      return state === 'ready';
    }, 'the document is read');
    return id;
  }

  it('is understood and answered in Arabic by voice, and the service gets what was said and no more', async () => {
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      server.requests.length = 0;
      phone.say(await arabic(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, CLOSED);
    });
    expect(texts(call, 'caller')).toEqual([HOURS]);
    const answer = call.turns.find(({ text }) => text.includes(CLOSED))!;
    expect(heard.voicedSeconds(0, 4)).toBeGreaterThan(1);
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
    const files = server.asked.filter(({ path }) => path.endsWith('/transcriptions'));
    expect(new Set(files.map(({ fields }) => fields['language']?.[0]))).toEqual(new Set(['ar']));
    const seconds = files.map(({ file }) => file!.samples.length / file!.sampleRateHz);
    expect(Math.max(...seconds)).toBeLessThan(spokenSeconds + 2);
    const said = server.asked.flatMap(({ json }) => json['input'] ?? []).join(' ');
    expect(said).toContain('إجازة');
    const { openai = {} } = (await endedLine(gateway, call.sip_call_id)).services ?? {};
    const sum = seconds.reduce((all, one) => all + one, 0);
    expect(Math.abs(openai['audio-seconds']! - sum)).toBeLessThan(0.1);
    expect(openai['characters']).toBeGreaterThan(30);
    expect(await gateway.metrics()).toMatch(/nidaa_engine_used_total\{[^}]*engine="openai"[^}]*\} [1-9]/);
  });

  it.runIf(EVERY_TEST)(
    'is answered from a document of the agent where the agent itself has nothing to say',
    async () => {
      const document = await givenDocument();
      server.hears = () => POOL;
      const { call } = await callWith(gateway, '2000', [], async (phone) => {
        await saidIn(gateway, phone.sipCallId, GREETING);
        phone.say(await arabic(POOL, 8000));
        await saidIn(gateway, phone.sipCallId, POOL_LENGTH);
      });
      server.hears = () => HOURS;
      expect(texts(call, 'agent').join(' ')).toContain(`مكتوب في gym faq mixed: ${POOL_LENGTH}`);
      const record = await withStore(gateway, ({ calls }) => calls.get(call.id));
      const asked = record!.turns.find(({ role }) => role === 'caller')!;
      expect(asked.details).toMatchObject({
        rule: 'document',
        understood: true,
        documents: [{ id: document, said: true }],
      });
      expect(gateway.log()).not.toMatch(/المسبح/);
    },
  );

  it('goes on in another voice when the service dies in the middle of a word', async () => {
    server.hears = () => WHERE;
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      server.failNextAt('/speech', { type: 'cut', afterBytes: 28_801 }); // six tenths of a second
      phone.say(await arabic(WHERE, 8000));
      await saidIn(gateway, phone.sipCallId, METRO);
    });
    server.hears = () => HOURS;
    const answer = call.turns.find(({ text }) => text.includes(METRO))!;
    expect(answer.text.match(new RegExp(METRO, 'g'))).toHaveLength(1);
    // The beginning in one voice, the whole in the other.
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(3);
    expect(gateway.log()).toContain('a voice failed: the next one says the rest');
    expect(texts(call, 'agent').some((text) => text.includes('خلل'))).toBe(false);
  });

  it.runIf(EVERY_TEST).each([
    { why: 'is silent', asks: 'كم سعر التنظيف', answer: CLEANING, fault: { type: 'silent' } },
    {
      ...{ why: 'has no quota left', asks: 'كم سعر التبييض', answer: WHITENING },
      fault: { type: 'refuse', status: 429, code: 'insufficient_quota' },
    },
  ] as const)('says it whole and once in the voice at home when the service $why', async ({ asks, answer, fault }) => {
    server.hears = () => asks;
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      server.failNextAt('/speech', fault);
      phone.say(await arabic(asks, 8000));
      await saidIn(gateway, phone.sipCallId, answer);
    });
    server.hears = () => HOURS;
    const said = call.turns.find(({ text }) => text.includes(answer))!;
    expect(said.text.match(new RegExp(answer, 'g'))).toHaveLength(1);
    expect(heard.voicedSeconds(said.started_ms / 1000)).toBeGreaterThan(1);
    expect(texts(call, 'agent').some((text) => text.includes('خلل'))).toBe(false);
  });

  it.runIf(EVERY_TEST)('offers its menu in the voice at home when the service refuses the key', async () => {
    server.key = 'sk-another';
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING);
      phone.say(await arabic(HOURS, 8000));
      await saidIn(gateway, phone.sipCallId, PRESS);
    });
    const menu = call.turns.find(({ text }) => text.includes(PRESS))!;
    expect(heard.voicedSeconds(menu.started_ms / 1000)).toBeGreaterThan(2);
    const { stdout } = await nidaa(gateway, 'doctor');
    expect(stdout).toContain('gets the audio of callers (engines.stt.ar)');
    expect(gateway.log()).not.toMatch(/canary|sk-another|تفتحون/);
  });
});
