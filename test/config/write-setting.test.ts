import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { withRemoteSpeech } from '../../src/config/write-setting.ts';

describe('withRemoteSpeech', () => {
  it.each([
    {
      name: 'in the place of what was written',
      text: 'engines:\n  tts: espeak # ours\n  speechPrivacy: local # so far\nhttp: { port: 1 }\n',
      written: 'engines:\n  tts: espeak # ours\n  speechPrivacy: remote # so far\nhttp: { port: 1 }\n',
    },
    {
      name: 'first of the section',
      text: '# mine\nengines:\n    # ears\n    stt: { ar: openai }\n',
      written: '# mine\nengines:\n    # ears\n    speechPrivacy: remote\n    stt: { ar: openai }\n',
    },
    {
      name: 'in braces',
      text: 'engines: { tts: espeak }\n',
      written: 'engines: { speechPrivacy: remote, tts: espeak }\n',
    },
    {
      name: 'as a section of its own',
      text: 'sip: { port: 1 }',
      written: 'sip: { port: 1 }\nengines:\n  speechPrivacy: remote\n',
    },
    { name: 'into an empty file', text: '', written: 'engines:\n  speechPrivacy: remote\n' },
  ])('$name', ({ text, written }) => {
    expect(withRemoteSpeech(text)).toBe(written);
    expect(withRemoteSpeech(written)).toBe(written);
  });

  it('into the shipped file: one word of it is another', () => {
    const text = readFileSync(join(SHIPPED_CONFIG_DIR, 'nidaa.yaml'), 'utf8');
    const written = withRemoteSpeech(text);
    expect((parse(written) as { engines: { speechPrivacy: string } }).engines.speechPrivacy).toBe('remote');
    const [before, after] = [text.split('\n'), written.split('\n')];
    expect(after.filter((line, i) => line !== before[i])).toEqual(['  speechPrivacy: remote']);
  });

  it('leaves to people what it does not understand', () => {
    for (const text of ['engines:\n', 'engines: [a]\n', 'engines: {\n']) {
      expect(() => withRemoteSpeech(text)).toThrow('by hand');
    }
  });
});
