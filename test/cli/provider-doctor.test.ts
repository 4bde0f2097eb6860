import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/cli/checks/finding.ts';
import { type Ask, type ProviderQuestion, providerDoctor } from '../../src/cli/provider-doctor.ts';
import { AzureTestServer } from '../support/azure-server.ts';
import { configFolder } from '../support/config-folder.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { ElevenlabsTestServer } from '../support/elevenlabs-server.ts';
import { MemoryOutput } from '../support/memory-output.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { SonioxTestServer } from '../support/soniox-server.ts';
import { SpeechTestServer } from '../support/speech-server.ts';
import { until } from '../support/until.ts';
import { WyomingTestServer } from '../support/wyoming-server.ts';

const KEY = 'sk-canary-0123456789';
const nobody: Ask = async () => undefined;
let deepgram: DeepgramTestServer;
let openai: SpeechTestServer;
const cleanups: (() => void)[] = [];
beforeEach(async () => {
  deepgram = await DeepgramTestServer.start();
  openai = await SpeechTestServer.start();
  deepgram.key = KEY;
  openai.key = KEY;
});
afterEach(async () => {
  for (const clean of cleanups.splice(0)) clean();
  await Promise.all([deepgram.close(), openai.close()]);
});

function written(engines: string): { file: string; env: Record<string, string> } {
  const folder = configFolder({ 'nidaa.yaml': `engines:\n${engines}` });
  cleanups.push(() => folder.remove());
  const file = join(folder.dir, 'nidaa.yaml');
  return { file, env: { NIDAA_CONFIG: file, SPEECH_KEY: KEY } };
}
const both = (privacy = ''): string => `${privacy}  stt: { ar: deepgram }
  tts: [deepgram, espeak]
  deepgram: { baseUrl: "${deepgram.settings.baseUrl}", apiKeyEnv: SPEECH_KEY }
  openai:
    baseUrl: "${openai.baseUrl}"
    apiKeyEnv: SPEECH_KEY
    transcriptionModel: whisper-1
    speechModel: tts-1
    speechVoice: alloy
`;

async function asked(env: Record<string, string>, question: ProviderQuestion, ask = nobody) {
  const out = new MemoryOutput(true);
  const fine = await providerDoctor(out, env, question, ask);
  const findings = JSON.parse(out.text) as Finding[];
  const of = (check: string): Finding | undefined => findings.find((finding) => finding.check === check);
  return { fine, findings, of, text: out.text };
}

describe('nidaa doctor --provider', () => {
  it('says what a service gets, whether it may, and that it answers; it is sent nothing', async () => {
    const { env } = written(both());
    const { fine, of, text } = await asked(env, { name: 'deepgram' });
    expect(fine).toBe(true);
    expect(of('use')?.detail).toContain('it gets the audio of callers (engines.stt.ar)');
    expect(of('speech privacy')).toMatchObject({ state: 'warn', detail: expect.stringMatching(/^local/) });
    expect(of('voice')?.state).toBe('ok');
    expect(of('service')?.detail).toMatch(
      /answers, \d+ ms\nnova-3 hears ar-SA\nnova-3 hears en-US\naura-2-thalia-en speaks/,
    );
    await until(() => deepgram.open === 0);
    expect(deepgram.listening.map(({ audio }) => audio.length)).toEqual([0, 0]);
    expect(deepgram.connections.flatMap(({ said }) => said)).toEqual(['Close']);
    expect(text).not.toContain(KEY);
  });

  it('asks a server of OpenAI for its models, whether an engine names it or not', async () => {
    const { env } = written(both());
    const { fine, of } = await asked(env, { name: 'openai' });
    expect([fine, of('use')?.fix]).toEqual([true, 'Name openai in engines.stt or engines.tts.']);
    expect(of('service')?.detail).toContain('whisper-1 is not among the models that it lists');
    expect(openai.asked).toEqual([]);
  });

  it.each([
    { name: 'a refused key', set: () => (deepgram.key = 'another'), fix: 'engines.deepgram.apiKeyEnv' },
    {
      name: 'a model it does not have',
      set: () => deepgram.failNext({ type: 'refuse', status: 400 }),
      fix: 'correct the models',
    },
    { name: 'nobody there', set: () => deepgram.failNext({ type: 'reset' }), fix: 'engines.deepgram.baseUrl' },
  ])('says how to mend $name, and goes no further', async ({ set, fix }) => {
    set();
    const { env } = written(both('  speechPrivacy: remote\n'));
    const { fine, findings, of } = await asked(env, { name: 'deepgram', live: true });
    expect([fine, of('service')?.state]).toEqual([false, 'fail']);
    expect(of('service')?.fix).toContain(fix);
    expect(findings.at(-1)?.check).toBe('service');
  });

  it('names the services there are, and says what to write for one without settings', async () => {
    const { env } = written('  tts: espeak\n');
    await expect(asked(env, { name: 'nobody' })).rejects.toThrow('expected one of openai, deepgram');
    expect((await asked(env, { name: 'deepgram' })).of('settings')?.fix).toContain('engines.deepgram');
  });
});

describe('nidaa doctor --provider --live', () => {
  it('sends nothing before speechPrivacy: remote is written, and writes it when somebody says yes', async () => {
    const { env, file } = written(both());
    const before = readFileSync(file, 'utf8');
    for (const answer of [undefined, 'no', 'y']) {
      const { fine, of } = await asked(env, { name: 'deepgram', live: true }, async () => answer);
      expect([fine, of('live')?.detail]).toEqual([false, 'nothing was sent: speechPrivacy is local']);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(deepgram.listening.every(({ audio }) => audio.length === 0)).toBe(true);
    const questions: string[] = [];
    const yes: Ask = async (question) => {
      questions.push(question);
      return 'yes';
    };
    expect((await asked(env, { name: 'deepgram', live: true }, yes)).fine).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(before.replace('engines:\n', 'engines:\n  speechPrivacy: remote\n'));
    expect((await asked(env, { name: 'deepgram', live: true }, yes)).fine).toBe(true);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain('it gets the audio of callers');
  });

  it('has it say and hear a sentence of ours in each language that it knows', async () => {
    const { env } = written(both('  speechPrivacy: remote\n'));
    deepgram.otherwise = { text: 'when are you open tomorrow' };
    const { fine, of } = await asked(env, { name: 'deepgram', live: true });
    expect(fine).toBe(true);
    expect(of('says Arabic')).toMatchObject({ state: 'info', detail: expect.stringContaining('does not speak that') });
    expect(of('says English')?.detail).toMatch(/^first sound after \d+ ms, 1\.4 s of sound in \d+ ms$/);
    expect(of('hears English')?.detail).toMatch(/heard "when are you open tomorrow", 97 % sure\n.*5 words with times/);
    expect(of('hears Arabic')?.state).toBe('ok');
    expect(deepgram.connections.flatMap(({ said }) => said)).toContain('When are you open tomorrow?');
  });

  it.runIf(EVERY_TEST)('hears and says both languages with a service that has both', async () => {
    const azure = await AzureTestServer.start();
    azure.key = KEY;
    const { env } = written(`  speechPrivacy: remote
  stt: { ar: azure }
  tts: azure
  azure: { baseUrl: "${azure.settings.baseUrl}", apiKeyEnv: SPEECH_KEY }
`);
    const { fine, of } = await asked(env, { name: 'azure', live: true });
    expect(fine).toBe(true);
    expect(of('service')?.detail).toMatch(/answers, \d+ ms\nhears ar-SA\nhears en-US\nspeaks at 127/);
    const checks = ['says Arabic', 'says English', 'hears Arabic', 'hears English'];
    expect(checks.map((check) => of(check)?.state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(azure.listening.map(({ problem }) => problem)).toEqual(azure.listening.map(() => undefined));
    await azure.close();
  });

  it.each(['deepgram', 'openai'])('keeps what went over the wire to %s, without the key', async (name) => {
    const { env, file } = written(both('  speechPrivacy: remote\n'));
    const keep = file.replace('nidaa.yaml', 'session.jsonl');
    const { of } = await asked(env, { name, live: true, keep });
    const text = readFileSync(keep, 'utf8');
    const kept = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { direction: string; kind: string; text?: string; bytes?: number });
    expect(of('session')?.detail).toBe(`${kept.length} messages are written to ${keep}`);
    expect(text).not.toContain(KEY);
    expect(text).toContain('When are you open tomorrow?');
    for (const direction of ['sent', 'received'])
      expect(kept.some((one) => one.direction === direction && (one.text ?? '') !== '')).toBe(true);
    expect(kept.some(({ direction, bytes = 0 }) => direction === 'received' && bytes > 100)).toBe(true);
    const before = text.length;
    await asked(env, { name, live: true });
    expect(readFileSync(keep, 'utf8')).toHaveLength(before); // nobody listens any more
    await expect(asked(env, { name, keep })).rejects.toThrow('--keep');
  });

  it('fails where nothing was understood, and tells why', async () => {
    const { env } = written(both('  speechPrivacy: remote\n'));
    openai.hears = () => '';
    openai.failNextAt('/speech', { type: 'refuse', status: 500 });
    const { fine, of } = await asked(env, { name: 'openai', live: true });
    expect([fine, of('says Arabic')?.state, of('says English')?.state]).toEqual([false, 'fail', 'ok']);
    expect(of('hears English')?.detail).toContain('it understood nothing');
    expect(of('says Arabic')?.detail).toContain('status 500');
  });

  it.runIf(EVERY_TEST)('may be told yes beforehand', async () => {
    const { env, file } = written(both());
    expect((await asked(env, { name: 'openai', live: true, yes: true })).fine).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('speechPrivacy: remote');
    expect(openai.asked.length).toBe(4);
  });
});

describe('nidaa doctor --provider elevenlabs', () => {
  let elevenlabs: ElevenlabsTestServer;
  beforeEach(async () => {
    elevenlabs = await ElevenlabsTestServer.start();
    elevenlabs.key = KEY;
    cleanups.push(() => void elevenlabs.close());
  });
  const settings = (voice: string): string => `  speechPrivacy: remote
  stt: { ar: elevenlabs, en: elevenlabs }
  tts: [elevenlabs, espeak]
  elevenlabs: { baseUrl: "${elevenlabs.baseUrl}", apiKeyEnv: SPEECH_KEY, speechVoice: ${voice} }
`;

  it('begins a session in each language and asks for the voice; nothing is heard or said', async () => {
    const { env } = written(settings(elevenlabs.voices[0]!));
    const { fine, of } = await asked(env, { name: 'elevenlabs' });
    expect([fine, of('service')?.state]).toEqual([true, 'ok']);
    const { voices } = elevenlabs;
    expect(of('service')?.detail).toMatch(
      new RegExp(`scribe_v2_realtime hears ar-SA\nscribe_v2_realtime hears en-US\n${voices[0]} is a voice`),
    );
    await until(() => elevenlabs.open === 0);
    expect(elevenlabs.listening.map(({ audio, commits }) => audio.length + commits)).toEqual([0, 0]);
    expect(elevenlabs.asked).toEqual([]);
  });

  it('says that a voice is not there, and that terms were not accepted', async () => {
    const { env } = written(settings('nobodyOfThatName'));
    expect(await asked(env, { name: 'elevenlabs' })).toMatchObject({ fine: false });
    elevenlabs.failListening({ type: 'say', messages: ['{"message_type":"unaccepted_terms","error":"x"}'] });
    const { of } = await asked(written(settings(elevenlabs.voices[0]!)).env, { name: 'elevenlabs' });
    expect(of('service')).toMatchObject({ state: 'fail', fix: expect.stringContaining('apiKeyEnv') });
  });

  it('has it say and hear a sentence of ours in both languages', async () => {
    const { env } = written(settings(elevenlabs.voices[0]!));
    elevenlabs.otherwise = { text: 'when are you open tomorrow' };
    const { fine, of } = await asked(env, { name: 'elevenlabs', live: true });
    expect(fine).toBe(true);
    for (const check of ['says Arabic', 'says English']) expect(of(check)?.detail).toMatch(/^first sound after \d+ ms/);
    expect(of('hears English')?.detail).toMatch(/heard "when are you open tomorrow", 97 % sure\n.*5 words with times/);
    expect(of('hears Arabic')?.state).toBe('ok');
  });
});

describe('nidaa doctor --provider soniox', () => {
  let soniox: SonioxTestServer;
  beforeEach(async () => {
    soniox = await SonioxTestServer.start();
    soniox.key = KEY;
    cleanups.push(() => void soniox.close());
  });
  const settings = (change = ''): string => `  speechPrivacy: remote
  stt: { ar: soniox, en: soniox }
  soniox: { baseUrl: "${soniox.settings.baseUrl}", apiKeyEnv: SPEECH_KEY${change} }
`;

  it('asks for the models and connects; no session begins', async () => {
    const { fine, of, text } = await asked(written(settings()).env, { name: 'soniox' });
    expect([fine, of('service')?.state]).toEqual([true, 'ok']);
    expect(of('service')?.detail).toMatch(/answers, \d+ ms\nstt-rt-v5 hears Arabic and English/);
    await until(() => soniox.arrivals === 1 && soniox.open === 0);
    expect(soniox.listening.map(({ start }) => start)).toEqual([undefined]);
    expect(text).not.toContain(KEY);
  });

  it.each([
    { name: 'a refused key', set: () => (soniox.key = 'another'), change: '', fix: 'engines.soniox.apiKeyEnv' },
    {
      name: 'a model it does not have',
      set: () => {},
      change: ', transcriptionModel: stt-rt-v1',
      fix: 'engines.soniox',
    },
    {
      name: 'a model without Arabic',
      set: () => soniox.models[0]!.languages.shift(),
      change: '',
      fix: 'engines.soniox',
    },
    { name: 'nobody there', set: () => soniox.failNext({ type: 'reset' }), change: '', fix: 'engines.soniox.baseUrl' },
  ])('says how to mend $name', async ({ set, change, fix }) => {
    set();
    const { fine, of } = await asked(written(settings(change)).env, { name: 'soniox' });
    expect([fine, of('service')?.state]).toEqual([false, 'fail']);
    expect(of('service')?.fix).toContain(fix);
  });

  it('has it hear a sentence of ours in both languages', async () => {
    soniox.otherwise = { text: 'when are you open tomorrow' };
    const { fine, of } = await asked(written(settings()).env, { name: 'soniox', live: true });
    expect(fine).toBe(true);
    expect(of('hears English')?.detail).toMatch(/heard "when are you open tomorrow", 97 % sure\n.*5 words with times/);
    expect(of('hears Arabic')?.state).toBe('ok');
  });
});

describe('nidaa doctor --provider wyoming', () => {
  let ears: WyomingTestServer;
  let voice: WyomingTestServer;
  beforeEach(async () => {
    ears = await WyomingTestServer.start();
    voice = await WyomingTestServer.start();
    ears.info = { asr: (ears.info as { asr: unknown }).asr };
    voice.info = { tts: (voice.info as { tts: unknown }).tts };
    cleanups.push(() => void Promise.all([ears.close(), voice.close()]));
  });
  const settings = (): string => `  speechPrivacy: remote
  stt: { ar: wyoming, en: wyoming }
  tts: [wyoming, espeak]
  wyoming: { baseUrl: "${ears.url}", speechUrl: "${voice.url}" }
`;

  it('asks each server what it is', async () => {
    const { fine, of } = await asked(written(settings()).env, { name: 'wyoming' });
    expect(fine).toBe(true);
    expect(of('service')?.detail).toMatch(
      /answers, \d+ ms\n127\.0\.0\.1:\d+ hears with base\n127\.0\.0\.1:\d+ speaks with en_US-lessac-medium/,
    );
    const types = [...ears.connections, ...voice.connections].flatMap(({ events }) => events.map(({ type }) => type));
    expect(types).toEqual(['describe', 'describe']);
  });

  it.each([
    { name: 'a server that does neither', set: () => (voice.info = { wake: [] }), fix: 'engines.wyoming' },
    { name: 'nobody there', set: () => ears.failNext({ type: 'reset' }), fix: 'engines.wyoming.baseUrl' },
  ])('says how to mend $name', async ({ set, fix }) => {
    set();
    const { fine, of } = await asked(written(settings()).env, { name: 'wyoming' });
    expect([fine, of('service')?.state]).toEqual([false, 'fail']);
    expect(of('service')?.fix).toContain(fix);
  });

  it('has it say and hear a sentence of ours in both languages', async () => {
    ears.otherwise = { text: 'when are you open tomorrow' };
    const { fine, of } = await asked(written(settings()).env, { name: 'wyoming', live: true });
    expect(fine).toBe(true);
    expect(of('says English')?.detail).toMatch(/^first sound after \d+ ms, 1\.4 s of sound in \d+ ms$/);
    expect(of('hears English')?.detail).toMatch(/heard "when are you open tomorrow", 80 % sure/);
    expect([of('says Arabic')?.state, of('hears Arabic')?.state]).toEqual(['ok', 'ok']);
  });
});
