import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavAudio } from '../../src/cli/live-audio.ts';
import { type ApiRig, apiRig, clip, TOKEN } from '../support/api-rig.ts';
import { type CommandResult, runHere, runNidaa } from '../support/command-line.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

let rig: ApiRig;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  rig = apiRig();
  env = { NIDAA_URL: await rig.app.listen({ port: 0, host: '127.0.0.1' }), NIDAA_TOKEN: TOKEN };
  folder = mkdtempSync(join(tmpdir(), 'nidaa-cli-'));
});
afterAll(async () => {
  await rig.app.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);
const run = (args: readonly string[], input?: string): Promise<CommandResult> =>
  input === undefined ? runHere(env, args) : runNidaa(env, args, input);
/** The JSON a command prints, which is all that it prints. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

describe('commands over the API', () => {
  it('say: writes the audio and tells what it cost', async () => {
    const made = await json('say', 'Hello there.', '--voice', 'emma', '--format', 'wav', '--out', file('a.wav'));
    expect(made).toEqual({
      ...{ file: file('a.wav'), content_type: 'audio/wav', duration_ms: 60, cost_cents: 1 },
      bytes: readFileSync(file('a.wav')).length,
    });
    expect(readFileSync(file('a.wav')).toString('latin1', 0, 4)).toBe('RIFF');
  });

  it('say --stream: the same audio as it is produced, to a file or to standard output', async () => {
    const order = ['say', 'Hello there.', '--format', 'pcm', '--stream', '--out'];
    const made = await json<{ bytes: number }>(...order, file('b.pcm'));
    expect(made.bytes).toBe(2 * 24 * 60);
    expect(readFileSync(file('b.pcm'))).toHaveLength(made.bytes);
    const piped = await run([...order, '-']);
    expect([piped.code, piped.stderr, piped.stdout.length > 0]).toEqual([0, '', true]);
    expect(piped.stdout).not.toContain('cost');
  });

  it('say --stream: what is refused leaves no file', async () => {
    const { code, stderr } = await run(['say', 'Hi', '--format', 'mp3', '--stream', '--out', file('c.mp3')]);
    expect([code, stderr]).toEqual([3, 'error: Unknown format mp3\n']);
    expect(existsSync(file('c.mp3'))).toBe(false);
  });

  it('transcribe: text, length and cost', async () => {
    writeFileSync(file('clip.wav'), clip(1));
    expect(await json('transcribe', file('clip.wav'), '--language', 'en')).toMatchObject({
      ...{ text: 'hello there', seconds: 1, cost_cents: 3 },
    });
  });

  it('transcribe: says what the installation lacks', async () => {
    const { code, stderr } = await run(['transcribe', file('clip.wav'), '--timeout', '20']);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/at capacity.*\(.*engines\.stt/)]);
  });

  it('reply: by id or by name, with variables', async () => {
    const answer = { reply: 'How can I help you?', audio: null, content_type: null, cost_cents: 2 };
    expect(await json('reply', 'agt_one', 'hi', '--var', 'name=Sara')).toMatchObject(answer);
    expect(rig.replies.requests.at(-1)?.variables).toEqual({ name: 'Sara' });
    expect((await run(['reply', 'AGENT AGT_ONE', '-'], 'hi\n')).stdout).toMatch(
      /^reply {2}How can I help you\?\ncost {3}2 cents\n$/,
    );
  });

  it('reply --audio: spoken into a file', async () => {
    const answer = await json<object>('reply', 'agt_one', 'hi', '--audio', file('r.mp3'));
    expect(answer).toMatchObject({ file: file('r.mp3'), content_type: 'audio/mpeg' });
    expect(answer).not.toHaveProperty('audio');
    expect(readFileSync(file('r.mp3')).length).toBeGreaterThan(100);
  });

  it('voices: filtered, or one', async () => {
    const { voices } = await json<{ voices: { gender: string }[] }>('voices', '--gender', 'male');
    expect(new Set(voices.map(({ gender }) => gender))).toEqual(new Set(['male']));
    expect(await json('voices', 'noura')).toMatchObject({ id: 'noura', dialect: 'najdi' });
    expect((await run(['voices'])).stdout).toMatch(/^id +name +gender +age +language +dialect +models\n/);
  });

  it.runIf(EVERY_TEST)('redact, normalize, coverage: an argument or standard input', async () => {
    expect((await run(['redact', '-'], 'a text\n')).stdout).toMatch(/^a text\n\nverdict {2}allow\ncost {5}4 cents\n$/);
    expect((await run(['normalize', 'as it is', '--language', 'en'])).stdout).toBe('as it is\n');
    expect(await json('coverage', 'abc')).toMatchObject({ token_count: 3, coverage: 1 });
  });

  it.runIf(EVERY_TEST)('redact: a text that was cut is noted', async () => {
    const { code, stderr } = await run(['redact', '-'], 'a'.repeat(6_001));
    expect([code, stderr]).toEqual([0, 'note: the text was too long and was cut\n']);
  });

  it('ask: the answer and the lines it rests on', async () => {
    writeFileSync(file('policy.txt'), 'Leave is thirty days.');
    expect(await json('ask', file('policy.txt'), 'How long?')).toMatchObject({ answered: true, cost_cents: 4 });
    const { stdout } = await run(['ask', file('policy.txt'), 'How long?']);
    expect(stdout).toBe('Thirty days.\n  > Leave is thirty days.\ncost 4 cents\n');
  });

  it('--key: paid once', async () => {
    const before = rig.ledger.spent();
    for (let time = 0; time < 2; time += 1) await json('redact', 'once', '--key', 'one');
    expect(rig.ledger.spent() - before).toBe(4);
  });
});

describe('what goes wrong', () => {
  it.each([
    ['no token', { NIDAA_TOKEN: '' }, ['voices'], 1, /^error: No token\. Set NIDAA_TOKEN/],
    ['an address that is none', { NIDAA_URL: 'example.com' }, ['voices'], 1, /^error: Not an address: example\.com/],
    ['a wrong token', { NIDAA_TOKEN: 'wrong' }, ['voices'], 3, /^error: Invalid or missing API token\.\n$/],
    [
      'a file that is not there',
      {},
      ['ask', '/nowhere/a.pdf', 'q'],
      1,
      /^error: \/nowhere\/a\.pdf cannot be read: ENOENT/,
    ],
    ['a folder', {}, ['transcribe', '/tmp'], 1, /^error: \/tmp is not a file/],
    [
      'an agent that is not there',
      {},
      ['reply', 'Nobody', 'hi'],
      1,
      /No single agent Nobody\. There are: Agent agt_one/,
    ],
    ['a variable without a value', {}, ['reply', 'agt_one', 'hi', '--var', 'name'], 1, /Expected name=value/],
    ['a speed out of bounds', {}, ['say', 'hi', '--out', 'x', '--speed', '9'], 1, /Expected a number 0\.5\.\.2/],
  ] as const)('%s', async (_name, more, args, code, sentence) => {
    const result = await runHere({ ...env, ...more }, args);
    expect(result.stderr).toMatch(sentence);
    expect([result.code, result.stdout]).toEqual([code, '']);
  });

  it('a service that is not there has an exit code of its own, and a code in JSON', async () => {
    const gone = apiRig();
    const url = await gone.app.listen({ port: 0, host: '127.0.0.1' });
    await gone.app.close();
    const { code, stderr } = await runHere({ ...env, NIDAA_URL: url }, ['redact', 'a', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toEqual({
      ...{ error: 'The service cannot be reached: ECONNREFUSED.', code: 'unreachable' },
    });
  });

  it.each(['say', 'transcribe', 'reply', 'voices', 'redact', 'normalize', 'coverage', 'ask'])(
    '%s has help with an example',
    async (command) => {
      const { code, stdout } = await run([command, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(`$ ./scripts/nidaa ${command}`);
      expect(stdout).toContain('NIDAA_TOKEN');
    },
  );
});

describe('a WAV file to send live', () => {
  it('is cut into tenths of a second, whole', async () => {
    writeFileSync(file('live.wav'), clip(0.25, 16_000));
    const { start, pieces } = wavAudio(file('live.wav'));
    const lengths: number[] = [];
    for await (const piece of pieces) lengths.push(piece.length);
    expect([start, lengths]).toEqual([{ sample_rate: 16_000, encoding: 'pcm' }, [3_200, 3_200, 1_600]]);
  });

  it('is refused when it is none', () => {
    writeFileSync(file('no.wav'), 'no sound');
    expect(() => wavAudio(file('no.wav'))).toThrow(/not a WAV file.*not-wav/);
  });
});
