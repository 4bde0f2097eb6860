import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TEST_VOICE } from '../conformance/tts.ts';
import { type CallRecord, saidIn, texts } from '../support/call-record.ts';
import { ChatTestServer, type SentMessage, says } from '../support/chat-server.ts';
import { configFolder } from '../support/config-folder.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { hostsOf, OutwardRecord, textTo } from '../support/outward.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { speech } from '../support/spoken.ts';

const EAR_KEY = 'dg-canary-0123456789';
const CHAT_KEY = 'sk-canary-9876543210';
const CALLER = '966559990001';
const HOURS = 'what are your opening hours';
const OPEN = 'from nine in the morning';
/** What the service hears of every caller, and what of it is nobody else's business. */
const SAID = 'My password is hunter2. My name is Khalid Al-Harbi, call me on 0551234567.';
const SECRETS = ['hunter2', 'Khalid', 'Harbi', '0551234567', '551234567'];
const MODES = ['off', 'redact', 'block'] as const;
type Mode = (typeof MODES)[number];
const NUMBERS = { home: '3000', off: '3001', redact: '3002', block: '3003' } as const;

const agent = (name: keyof typeof NUMBERS, more: string): string => `number: "${NUMBERS[name]}"
name: Desk ${name}
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: "Welcome to desk ${name}." }
${more}`;

/** Four agents on one gateway, which may hear and speak by a service, and be answered by a model. Whatever leaves it is written down. */
describe.skipIf(missingForCalls.length > 0)('what leaves a gateway', () => {
  const outward = new OutwardRecord();
  let chat: ChatTestServer;
  let ears: DeepgramTestServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    // Repeats what was said, as the model received it.
    chat = await ChatTestServer.start((response, request) => {
      const { messages } = JSON.parse(request.body) as { messages: SentMessage[] };
      says(messages.at(-1)!.content)(response, request);
    });
    ears = await DeepgramTestServer.start();
    ears.key = EAR_KEY;
    ears.otherwise = { text: SAID };
    folder = configFolder({
      'nidaa.yaml': `media: { maxLatenessP99Ms: 50, io: dgram }
engines:
  speechPrivacy: remote
  stt: { ar: none, en: [deepgram, pocketsphinx] }
  tts: [deepgram, espeak]
  reply: [scripted]
  deepgram: { apiKeyEnv: EAR_KEY, baseUrl: "${ears.settings.baseUrl}" }
  openai: { apiKeyEnv: CHAT_KEY, baseUrl: "${chat.baseUrl}", chatModel: test-model }
`,
      'agents/home.yaml': agent(
        'home',
        `speechPrivacy: local
knowledge:
  - { question: { en: ["${HOURS}", "when are you open"] }, answer: { en: "We are open ${OPEN}." } }
`,
      ),
      ...Object.fromEntries(
        MODES.map((mode) => [`agents/${mode}.yaml`, agent(mode, `replyEngine: openai\nprivacy: ${mode}\n`)]),
      ),
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, EAR_KEY, CHAT_KEY, ...outward.env },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    await Promise.all([chat?.close(), ears?.close()]);
    folder?.remove();
    outward.remove();
  });

  const address = (baseUrl: string): string => new URL(baseUrl).host;
  const bytesTo = (baseUrl: string): string => textTo(outward.rows(), (to) => to === address(baseUrl));

  async function callOf(name: keyof typeof NUMBERS, says: string, until: string): Promise<CallRecord> {
    const samples = await speech(says, 8000, TEST_VOICE);
    const during: Parameters<typeof callWith>[3] = async (phone) => {
      await saidIn(gateway, phone.sipCallId, `Welcome to desk ${name}`);
      phone.say(samples);
      await saidIn(gateway, phone.sipCallId, until, () => phone.say(samples));
    };
    const { heard, call } = await callWith(gateway, NUMBERS[name], [], during, { user: CALLER });
    expect(heard.voicedSeconds(0)).toBeGreaterThan(1);
    return call;
  }

  /** Which of these are in it: of what is not, a failure would print all. */
  const found = (text: string, words: readonly string[]): string[] => words.filter((word) => text.includes(word));
  /** What the gateway's start makes beforehand are greetings, with the voice that each agent has. */
  const OF_HOME = ['desk home', 'opening hours', OPEN, '/listen', CALLER];

  it.runIf(EVERY_TEST)(
    'nothing of a call that is heard, answered and spoken at home, but the call itself',
    async () => {
      const call = await callOf('home', HOURS, OPEN);
      expect(texts(call, 'caller').join(' ')).toContain('opening hours');
      // The first sound of the first call was made before it.
      expect(await gateway.metrics()).toMatch(/nidaa_speech_cache_total\{result="hit"\} [1-9]/);
      const rows = outward.rows();
      expect(hostsOf(rows).filter((host) => host !== address(ears.settings.baseUrl))).toEqual([]);
      expect(found(bytesTo(ears.settings.baseUrl), OF_HOME)).toEqual([]);
      expect([chat.requests, ears.listening]).toEqual([[], []]);
      // Threads are watched too, and the call was seen to leave for the phone: SIP and RTP.
      expect(rows.filter(({ kind, thread }) => kind === 'start' && thread > 0).length).toBeGreaterThan(0);
      const datagrams = hostsOf(rows, ['udp']);
      expect(datagrams.length).toBeGreaterThan(1);
      for (const to of datagrams) expect(to).toMatch(/^127\.0\.0\.1:\d+$/);
    },
  );

  it('to the service what is said, to the model what its agent lets through, and to nobody else anything', async () => {
    // One that blocks has its rules: they answer without the model, and know nothing of passwords.
    const until: Record<Mode, string> = { off: 'Khalid', redact: 'Khalid', block: 'did not get that' };
    const calls = await Promise.all(
      MODES.map((mode) => callOf(mode, 'this is what I have to say to you', until[mode])),
    );
    expect(hostsOf(outward.rows())).toEqual([address(chat.baseUrl), address(ears.settings.baseUrl)].sort());

    const bodies = (mode: Mode) => chat.requests.filter(({ body }) => body.includes(`Desk ${mode}`));
    const [open, redacted, blocked] = MODES.map((mode) =>
      bodies(mode)
        .map(({ body }) => body)
        .join('\n'),
    );
    expect(found(open!, SECRETS)).toEqual(SECRETS);
    expect(found(redacted!, SECRETS)).toEqual([]);
    expect(redacted).toContain('[');
    expect(blocked).toBe('');
    expect(new Set(chat.requests.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
    expect(ears.listening.length).toBeGreaterThanOrEqual(MODES.length);
    expect(chat.requests).toHaveLength(bodies('off').length + bodies('redact').length);
    // The caller of an agent that redacts hears the words again.
    expect(texts(calls[1]!, 'agent').join(' ')).toContain('Khalid Al-Harbi');

    for (const { from } of calls) expect(from).toContain(CALLER);
    expect(found(redacted!, [CALLER])).toEqual([]);
    const toModel = bytesTo(chat.baseUrl);
    const toService = bytesTo(ears.settings.baseUrl);
    expect(found(toModel, [SAID, CHAT_KEY, EAR_KEY])).toEqual([SAID, CHAT_KEY]); // what was recorded is what left
    const words = ['Welcome to desk redact', 'Khalid Al-Harbi', '/listen'];
    expect(found(toService, [...words, EAR_KEY, CHAT_KEY, CALLER, 'desk home', OPEN])).toEqual([...words, EAR_KEY]);
    expect(gateway.log()).not.toMatch(/canary|hunter2|Khalid|0551234567/);
  });
});
