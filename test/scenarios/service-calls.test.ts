import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TEST_VOICE, TEST_VOICE_AR } from '../conformance/tts.ts';
import { AZURE_LISTEN, AzureTestServer } from '../support/azure-server.ts';
import { type CallRecord, saidIn, texts } from '../support/call-record.ts';
import { configFolder } from '../support/config-folder.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { ElevenlabsTestServer } from '../support/elevenlabs-server.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { RealtimeTestServer } from '../support/realtime-server.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { SonioxTestServer } from '../support/soniox-server.ts';
import { speech } from '../support/spoken.ts';
import { WyomingTestServer } from '../support/wyoming-server.ts';

const KEY = 'sk-canary-0123456789';
const shipped = (name: string): string => readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
const FILES = ['clinic-ar.yaml', 'clinic-ar.sentences.tsv', 'delivery-en.yaml', 'delivery-en.sentences.tsv'] as const;

/** A call of each agent: what its caller says, and what he is answered. */
const CALLS = {
  ar: {
    ...{ number: '2000', voice: TEST_VOICE_AR, greeting: 'كيف أقدر أخدمك' },
    says: ['متى تفتحون', 'ابغى احجز موعد'],
    hears: ['والجمعة إجازة', 'وش الخدمة'],
  },
  en: {
    ...{ number: '1000', voice: TEST_VOICE, greeting: 'How can I help you' },
    says: ['what are your opening hours', 'track my order please'],
    hears: ['eight in the morning', 'order number'],
  },
} as const;

/** An agent of both languages: Deepgram is expected to hear it, which knows English; Soniox hears whatever is Arabic. */
const DESK = {
  number: '3000',
  file: `number: "3000"
name: Desk
language: en-US
voice: emma
voices: { ar: noura }
model: sada-1
status: live
greeting: { en: "Welcome to the desk of the hotel.", ar: "حياك الله في الفندق." }
knowledge:
  - question: { en: [when do you open, what are your opening hours], ar: [متى تفتحون] }
    answer: { en: "From nine in the morning.", ar: "من الساعة تسع الصباح." }
  - { question: { en: [how much is a room], ar: [كم سعر الغرفة عندكم] }, answer: { en: "A room is two hundred riyals.", ar: "الغرفة بمئتين ريال الليلة." } }
  - { question: { en: [is the pool open today], ar: [متى يفتح المسبح اليوم] }, answer: { en: "The pool is open.", ar: "المسبح مفتوح إلى العصر." } }
`,
} as const;

/** What is said at the desk, what who knows English alone takes it for, and what is answered. */
const AT_DESK = [
  { says: 'what are your opening hours', voice: TEST_VOICE, answer: 'nine in the morning' },
  { says: 'كم سعر الغرفة عندكم', sounds: 'kam sayr al gurf andakoom', voice: TEST_VOICE_AR, answer: 'بمئتين ريال' },
  {
    says: 'متى يفتح المسبح اليوم',
    sounds: 'mata yeft al mass bahil yome',
    voice: TEST_VOICE_AR,
    answer: 'مفتوح إلى العصر',
  },
  { says: 'English please', voice: TEST_VOICE, answer: 'Of course' },
  { says: 'how much is a room', voice: TEST_VOICE, answer: 'two hundred riyals' },
] as const;

/** Ears of a service. */
interface Ears {
  readonly connections: () => number;
  /** What is heard from now on. */
  readonly hear: (text: string) => void;
  /** Whoever listens is hung up on, and the next connection breaks in the middle. */
  readonly breakNext: () => void;
  /** The call, as the service saw it. @param before - connections that it had before. */
  readonly seen: (before: number) => void;
}

/** Services as one gateway uses them. */
interface Services {
  readonly engines: string; // of nidaa.yaml
  readonly ears: { readonly ar: Ears; readonly en: Ears };
  /** What the service that speaks a language was asked to say. */
  readonly spoken: { readonly ar: () => string; readonly en: () => string };
  /** What the call's line of the log tells of a service. */
  readonly used: { readonly ar: readonly Used[]; readonly en: readonly Used[] };
  /** What it says of a service. */
  readonly doctor: { readonly name: string; readonly says: string };
  /** Who hears English alone, and who tells languages apart; where an agent of both is called. */
  readonly desk?: { readonly english: DeepgramTestServer; readonly both: SonioxTestServer };
  readonly close: () => Promise<unknown>;
}
type Used = readonly [service: string, unit: 'audio-seconds' | 'characters', least: number];

const sounds = (text: string, rateHz: number): Promise<Int16Array> =>
  speech(text, rateHz, /\p{Script=Arabic}/u.test(text) ? TEST_VOICE_AR : TEST_VOICE);

/** Soniox hears Arabic, Deepgram English, for which it has a voice, too; the Arabic one is that of a Wyoming server. */
async function sonioxAndDeepgram(model?: 'flux-general-en'): Promise<Services> {
  const [soniox, deepgram] = [await SonioxTestServer.start(), await DeepgramTestServer.start()];
  const wyoming = await WyomingTestServer.start();
  wyoming.speaks = (text) => sounds(text, wyoming.rateHz);
  soniox.key = KEY;
  deepgram.key = KEY;
  deepgram.speaks = (text, _, rateHz) => sounds(text, rateHz);
  return {
    engines: `  stt: { ar: soniox, en: [deepgram, pocketsphinx] }
  tts: [deepgram, wyoming, espeak]
  soniox: { apiKeyEnv: SPEECH_KEY, baseUrl: "${soniox.settings.baseUrl}" }
  deepgram: { apiKeyEnv: SPEECH_KEY, baseUrl: "${deepgram.settings.baseUrl}"${model ? `, transcriptionModel: ${model}` : ''} }
  wyoming: { baseUrl: "${wyoming.url}", speechVoice: ar_JO-kareem-medium }
`,
    ears: {
      ar: {
        connections: () => soniox.listening.length,
        hear: (text) => {
          soniox.otherwise = { text };
        },
        breakNext: () => {
          soniox.failNext({ type: 'cut', afterBytes: 4_000 });
          soniox.hangUp(1011);
        },
        seen: (before) => {
          const [first, ...others] = soniox.listening.slice(before);
          expect(first?.start).toMatchObject({ audio_format: 'mulaw', language_hints: ['ar'] });
          expect(first?.controls).toContain('finalize');
          expect(others.length).toBeLessThanOrEqual(3);
        },
      },
      en: {
        connections: () => deepgram.listening.length,
        hear: (text) => {
          deepgram.otherwise = { text };
        },
        breakNext: () => {
          deepgram.failNextAt('/listen', { type: 'cut', afterBytes: 6_000 });
          deepgram.hangUp(1011);
        },
        seen: (before) => {
          const listening = deepgram.listening.slice(before);
          expect(listening.length).toBeLessThanOrEqual(4);
          expect(listening.flatMap(({ controls }) => controls)).toContain(model ? 'ForceEndTurn' : 'Finalize');
        },
      },
    },
    spoken: {
      ar: () => wyoming.asked.map(({ text }) => String(text)).join(' '),
      en: () => deepgram.connections.flatMap(({ said }) => said).join(' '),
    },
    used: {
      ar: [['soniox', 'audio-seconds', 3], ['wyoming', 'characters', 30]], // biome-ignore format: rows
      en: [['deepgram', 'audio-seconds', 1], ['deepgram', 'characters', 30]], // biome-ignore format: rows
    },
    doctor: { name: 'soniox', says: 'stt-rt-v5 hears Arabic and English' },
    desk: { english: deepgram, both: soniox },
    close: () => Promise.all([soniox.close(), deepgram.close(), wyoming.close()]),
  };
}

/** The same, of which Deepgram says itself when a turn is over. */
const sonioxAndFlux = async (): Promise<Services> => {
  const { desk: _, ...services } = await sonioxAndDeepgram('flux-general-en');
  return services;
};

/** Azure for Arabic, ElevenLabs for English, with a model that knows no other language. */
async function azureAndElevenlabs(): Promise<Services> {
  const [azure, elevenlabs] = [await AzureTestServer.start(), await ElevenlabsTestServer.start()];
  azure.key = KEY;
  elevenlabs.key = KEY;
  azure.speaks = (text, _, rateHz) => sounds(text, rateHz);
  elevenlabs.speaks = (text, _, rateHz) => sounds(text, rateHz);
  return {
    engines: `  stt: { ar: azure, en: [elevenlabs, pocketsphinx] }
  tts: [elevenlabs, azure, espeak]
  azure: { apiKeyEnv: SPEECH_KEY, baseUrl: "${azure.settings.baseUrl}" }
  elevenlabs:
    apiKeyEnv: SPEECH_KEY
    baseUrl: "${elevenlabs.baseUrl}"
    speechVoice: ${elevenlabs.voices[0]}
    speechModel: eleven_flash_v2
`,
    ears: {
      ar: {
        connections: () => azure.listening.length,
        hear: (text) => {
          azure.otherwise = { text };
        },
        breakNext: () => {
          azure.failNextAt(AZURE_LISTEN, { type: 'cut', afterBytes: 4_000 });
          azure.hangUp(1011);
        },
        seen: (before) => {
          const listening = azure.listening.slice(before);
          expect(listening.length).toBeLessThanOrEqual(4);
          expect(listening.map(({ problem }) => problem)).toEqual(listening.map(() => undefined));
          expect(new Set(azure.said.map(({ format }) => format))).toEqual(new Set(['raw-8khz-8bit-mono-mulaw']));
        },
      },
      en: {
        connections: () => elevenlabs.connections.length,
        hear: (text) => {
          elevenlabs.otherwise = { text };
        },
        breakNext: () => {
          elevenlabs.failListening({ type: 'cut', afterBytes: 4_000 });
          elevenlabs.hangUp(1011);
        },
        seen: (before) => {
          const sessions = elevenlabs.connections.slice(before);
          expect(sessions.length).toBeLessThanOrEqual(4);
          expect(new Set(sessions.map(({ query }) => query.get('language_code')))).toEqual(new Set(['en']));
          const formats = new Set(elevenlabs.asked.map(({ query }) => query.get('output_format')));
          expect(formats).toEqual(new Set(['ulaw_8000']));
        },
      },
    },
    spoken: {
      ar: () => {
        const said = azure.said.filter(({ voice }) => voice === 'ar-SA-ZariyahNeural');
        return said.map(({ text }) => text).join(' ');
      },
      en: () => elevenlabs.asked.map(({ json }) => String(json['text'])).join(' '),
    },
    used: {
      ar: [['azure', 'audio-seconds', 1], ['azure', 'characters', 30]], // biome-ignore format: rows
      en: [['elevenlabs', 'audio-seconds', 1], ['elevenlabs', 'characters', 30]], // biome-ignore format: rows
    },
    doctor: { name: 'azure', says: 'hears ar-SA' },
    close: () => Promise.all([azure.close(), elevenlabs.close()]),
  };
}

/** Sessions of OpenAI hear both languages; nobody but this machine speaks. */
async function openaiRealtime(): Promise<Services> {
  const server = await RealtimeTestServer.start();
  server.key = KEY;
  const ears = (language: 'ar' | 'en'): Ears => ({
    connections: () => server.connections.length,
    hear: (text) => void server.inLanguage.set(language, text),
    breakNext: () => {
      server.failNext({ type: 'cut', afterBytes: 4_000 });
      server.hangUp(1011);
    },
    seen: (before) => {
      const own = server.listening.slice(before).filter((one) => one.language === language);
      expect(own.length).toBeGreaterThan(0);
      expect(new Set(own.map(({ format }) => format))).toEqual(new Set(['audio/pcmu']));
    },
  });
  return {
    engines: `  stt: { ar: openai, en: [openai, pocketsphinx] }
  openai:
    baseUrl: "${server.settings.baseUrl}"
    apiKeyEnv: SPEECH_KEY
    transcription: realtime
    transcriptionModel: gpt-4o-transcribe
`,
    ears: { ar: ears('ar'), en: ears('en') },
    spoken: { ar: () => 'الجمعة', en: () => 'eight in the morning' },
    used: { ar: [['openai', 'audio-seconds', 1]], en: [['openai', 'audio-seconds', 1]] },
    doctor: { name: 'openai', says: 'gpt-4o-transcribe is not among the models' },
    close: () => server.close(),
  };
}

/** Both shipped agents, each with ears and voice of services: several a gateway, as each call takes its time. */
describe
  .skipIf(missingForCalls.length > 0)
  .each([
    { name: 'Soniox and Deepgram hear', start: sonioxAndDeepgram },
    ...(EVERY_TEST ? [{ name: 'Azure and ElevenLabs hear', start: azureAndElevenlabs }] : []),
    ...(EVERY_TEST ? [{ name: 'Soniox and the turns of Deepgram hear', start: sonioxAndFlux }] : []),
    ...(EVERY_TEST ? [{ name: 'sessions of OpenAI hear', start: openaiRealtime }] : []),
  ])('calls that $name', ({ start }) => {
  let services: Services;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    services = await start();
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
engines:
  speechPrivacy: remote
${services.engines}`,
      ...Object.fromEntries(FILES.map((name) => [`agents/${name}`, shipped(name)])),
      'agents/desk.yaml': DESK.file,
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, SPEECH_KEY: KEY },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    await services?.close();
    folder?.remove();
  });

  it.concurrent.each(EVERY_TEST ? (['ar', 'en'] as const) : (['ar'] as const))(
    '%s: heard and answered, and a break in the middle loses no word',
    async (language) => {
      const { number, voice, greeting, says, hears } = CALLS[language];
      const ears = services.ears[language];
      ears.hear(says[0]);
      const before = ears.connections();
      const { heard, call } = await callWith(gateway, number, [], async (phone) => {
        await saidIn(gateway, phone.sipCallId, greeting);
        phone.say(await speech(says[0], 8000, voice));
        await saidIn(gateway, phone.sipCallId, hears[0]);
        ears.breakNext();
        ears.hear(says[1]);
        phone.say(await speech(says[1], 8000, voice));
        await saidIn(gateway, phone.sipCallId, hears[1]);
      });
      expect(texts(call, 'caller')).toEqual([...says]);
      const answer = call.turns.find(({ text }) => text.includes(hears[0]))!;
      expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(2);
      ears.seen(before);
      expect(services.spoken[language]()).toContain(language === 'ar' ? 'الجمعة' : 'eight in the morning');
      const taken = usedBy(call);
      for (const [service, unit, least] of services.used[language])
        expect([service, unit, taken[service]?.[unit]]).toEqual([service, unit, expect.toSatisfy((n) => n > least)]);
      expect(call.services).toEqual(taken);
    },
  );

  it.skipIf(!EVERY_TEST || start !== sonioxAndDeepgram)(
    'one call in both languages: ears, answers and voice follow the caller',
    async () => {
      const { english, both } = services.desk!;
      const [heardBefore, saidBefore] = [english.listening.length, services.spoken.ar().length];
      const sentTo = (server: DeepgramTestServer): number =>
        server.listening.slice(heardBefore).reduce((sum, { audio }) => sum + audio.length, 0);
      let whenLeft = 0;
      const { heard, call } = await callWith(gateway, DESK.number, [], async (phone) => {
        await saidIn(gateway, phone.sipCallId, 'desk of the hotel');
        for (const { says, voice, answer, ...other } of AT_DESK) {
          const isArabic = voice === TEST_VOICE_AR;
          english.otherwise = { text: 'sounds' in other ? other.sounds : says };
          both.otherwise = { text: says, languages: [isArabic ? 'ar' : 'en'] };
          if (says === AT_DESK[0].says) both.otherwise = { text: '' };
          phone.say(await speech(says, 8000, voice));
          await saidIn(gateway, phone.sipCallId, answer);
          if (says === AT_DESK[2].says) whenLeft = sentTo(english);
        }
      });
      expect(texts(call, 'caller')).toEqual(AT_DESK.map(({ says }) => says));
      expect(sentTo(english)).toBe(whenLeft); // two Arabic sentences later it hears no more
      const arabic = services.spoken.ar().slice(saidBefore);
      for (const { voice, answer } of AT_DESK) expect(arabic.includes(answer)).toBe(voice === TEST_VOICE_AR);
      for (const { answer } of AT_DESK) {
        const turn = call.turns.find(({ text }) => text.includes(answer))!;
        expect(heard.voicedSeconds(turn.started_ms / 1000, turn.started_ms / 1000 + 3)).toBeGreaterThan(0.3);
      }
      const taken = usedBy(call);
      for (const service of ['deepgram', 'soniox']) expect(taken[service]?.['audio-seconds']).toBeGreaterThan(1);
    },
  );

  it('says nothing of it in the log, and doctor who gets it', async () => {
    expect(gateway.log()).not.toMatch(/canary|تفتحون|opening hours/);
    const { name, says } = services.doctor;
    const { stdout } = await nidaa(gateway, 'doctor', '--provider', name);
    expect(stdout).toContain('gets the audio of callers (engines.stt.ar)');
    expect(stdout).toContain(says);
  });

  /** From the line of the log that ends a call. */
  function usedBy({ sip_call_id: id }: CallRecord): Record<string, Record<string, number> | undefined> {
    const lines = gateway.log().split('\n');
    const ended = lines.find((line) => line.includes('"call ended"') && line.includes(id))!;
    return (JSON.parse(ended) as { services: Record<string, Record<string, number>> }).services;
  }
});
