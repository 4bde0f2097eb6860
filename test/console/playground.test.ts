import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import en from '../../src/console/i18n/locales/en/playground.json' with { type: 'json' };
import { actionOf, historyOf, inputOf, isOver } from '../../src/console/pages/agents/try/chat-state.ts';
import { curlOf } from '../../src/console/pages/playground/curl.ts';
import { foundInText } from '../../src/console/pages/playground/found-in-text.ts';
import { barsOf, barsPath, placed } from '../../src/console/pages/playground/strip-geometry.ts';
import { bodyOf, type V1Request } from '../../src/console/pages/playground/v1-request.ts';
import { KINDS } from '../../src/engines/text/redact/kinds.ts';

/** What a shell hands to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`], {
    env: { NIDAA_TOKEN: 'service_sk_x' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

describe('a request for a terminal', () => {
  it.each([`it's "quoted" $HOME \`id\` \\ ; rm -rf`, 'مرحبا\nسطر', '-o x', "''"])(
    'has the text %j as it is',
    (text) => {
      const request: V1Request = { path: '/v1/speech', json: { text }, savesAs: 'speech.mp3' };
      const given = argumentsOf(curlOf('http://127.0.0.1:8080', request));
      expect(given).toEqual([
        ...['http://127.0.0.1:8080/v1/speech', '-H', 'Authorization: Bearer service_sk_x'],
        ...['-H', 'Content-Type: application/json', '-d', JSON.stringify({ text }), '-o', 'speech.mp3'],
      ]);
    },
  );

  it('has files under names of any kind, and fields that begin with an at sign', () => {
    const name = `a"b\\c;type=x,'$(id)'.pdf`;
    const form = { file: { name, bytes: new Blob([]) }, fields: { question: '@/etc/passwd' } };
    const given = argumentsOf(curlOf('http://h', { path: '/v1/documents/ask', form }));
    expect(given).toEqual([
      ...['http://h/v1/documents/ask', '-H', 'Authorization: Bearer service_sk_x'],
      ...['-F', `file=@"a\\"b\\\\c;type=x,'$(id)'.pdf"`, '--form-string', 'question=@/etc/passwd'],
    ]);
  });

  it('says what it does where it sends nothing, and never holds a token', () => {
    const command = curlOf('http://h', { path: '/v1/transcribe/token' });
    expect(argumentsOf(command).slice(0, 3)).toEqual(['http://h/v1/transcribe/token', '-X', 'POST']);
    expect(command).toContain('$NIDAA_TOKEN');
  });

  it('leaves out what was not chosen', () => {
    expect(bodyOf({ text: 'a', voice: '', speed: undefined, pitch: 0 })).toEqual({ text: 'a', pitch: 0 });
  });
});

describe('what is marked in a text', () => {
  const cut = (text: string, ...words: readonly string[]): string[] =>
    foundInText(text, words, (word) => word).map(({ text: piece, found }) => (found ? `[${piece}]` : piece));

  it('stands where it is, in order, each once', () => {
    expect(cut('a b a b', 'b', 'b')).toEqual(['a ', '[b]', ' a ', '[b]']);
    expect(cut('غرفة MRI-204', 'MRI-204')).toEqual(['غرفة ', '[MRI-204]']);
  });

  it('is left out where the text has it not, and the text stays whole', () => {
    expect(cut('<b>x</b>', 'y', '', 'x')).toEqual(['<b>', '[x]', '</b>']);
    expect(cut('', 'y')).toEqual([]);
  });
});

describe('what the privacy boundary finds', () => {
  it('has a name for people, each kind of it', () => {
    expect(Object.keys(en.redact.kinds).sort()).toEqual(Object.keys(KINDS).sort());
  });
});

describe('words under their time', () => {
  const stretch = (startS: number, endS: number) => ({ text: 'x', startS, endS, confidence: undefined });

  it('stand where they were said, and below each other where there is no room', () => {
    const all = placed([stretch(1, 4), stretch(4.5, 4.7), stretch(5, 8), stretch(9, 10)]);
    expect(all.map(({ leftPx, row }) => [leftPx, row])).toEqual([
      [64, 0],
      [288, 0],
      [320, 1],
      [576, 0],
    ]);
  });

  it('have their loudness above them', () => {
    const samples = new Float32Array(8_000);
    samples[1_000] = -0.5;
    const bars = barsOf(samples, 8_000);
    expect(bars).toHaveLength(20);
    expect([bars[1], bars[2], bars[3]]).toEqual([0, 0.5, 0]);
    expect(barsPath([1], 20)).toBe('M1.6 1.0V19.0');
  });
});

describe('a typed conversation', () => {
  const tried = (action: object | null) => ({ action }) as never;

  it('brings what was said, and of silence nothing, the newest where there is more than may be brought', () => {
    const line = (id: number, text: string) => ({ id, role: id % 2 ? ('agent' as const) : ('caller' as const), text });
    expect(historyOf([line(1, 'Hello.'), line(2, ''), line(3, 'Still there?')])).toEqual([
      { role: 'agent', text: 'Hello.' },
      { role: 'agent', text: 'Still there?' },
    ]);
    const long = historyOf(Array.from({ length: 300 }, (_none, id) => line(id, `${id}`)));
    expect([long.length, long.at(-1)!.text]).toEqual([200, '299']);
  });

  it('sends keys where they are keys, and is over when the agent hangs up', () => {
    expect([inputOf('45#', true), inputOf('45#', false), inputOf('four', true), inputOf(' ', true)]).toEqual([
      ...['keypad', 'speech', 'speech', 'silence'],
    ]);
    expect(actionOf(tried({ type: 'hangup' }))).toBe('hangup');
    const last = (action: object | null) => isOver([{ id: 1, role: 'agent', text: 'Bye.', tried: tried(action) }]);
    expect([last({ type: 'hangup' }), last({ type: 'transfer' }), last({ type: 'collect' }), last(null)]).toEqual([
      ...[true, true, false, false],
    ]);
    expect(isOver([])).toBe(false);
  });
});
