import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAgentTests } from '../../src/config/agent-tests.ts';
import { loadAgents } from '../../src/config/agents.ts';
import { SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { doneShare, placeOfLine, rowsOf } from '../../src/console/pages/tests/model/results.ts';

const VOICES = loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`);

describe('results of a run', () => {
  it('stand beside the dialogues of the text, and behind them those that have gone from it', () => {
    const dialogues = [{ name: 'b' }, { name: 'new' }, { name: 'a' }];
    const results = [{ name: 'a' }, { name: 'gone' }, { name: 'b' }];
    const rows = rowsOf(dialogues, results).map(({ name, dialogue, result }) => [name, !!dialogue, result?.name]);
    expect(rows).toEqual([
      ['b', true, 'b'],
      ['new', true, undefined],
      ['a', true, 'a'],
      ['gone', false, 'gone'],
    ]);
  });

  it.each([
    { run: { total: 4, passed: 1, failed: 1, skipped: 1 }, share: 0.75 },
    { run: { total: 0, passed: 0, failed: 0, skipped: 0 }, share: 1 },
    { run: { total: 2, passed: 3, failed: 0, skipped: 0 }, share: 1 },
  ])('are so far along: $share', ({ run, share }) => {
    expect(doneShare(run)).toBe(share);
  });
});

describe('the place of a line', () => {
  const text = 'first\n  second  \n\nlast';
  it.each([
    { line: 1, is: 'first' },
    { line: 2, is: 'second' },
    { line: 3, is: '' },
    { line: 4, is: 'last' },
    { line: 0, is: 'first' },
    { line: 9, is: 'first' },
    { line: -1, is: 'first' },
  ])('$line is what is written in it: "$is"', ({ line, is }) => {
    const { from, to } = placeOfLine(text, line);
    expect(text.slice(from, to)).toBe(is);
  });

  it('is there in a text without anything', () => {
    expect(placeOfLine('', 1)).toEqual({ from: 0, to: 0 });
  });
});

describe('the example to begin with', () => {
  it.each([
    { language: 'en', agent: 'delivery-en' },
    { language: 'ar', agent: 'clinic-ar' },
  ])('is a file of tests, $language', ({ language, agent }) => {
    const { definition } = loadAgents(`${SHIPPED_CONFIG_DIR}/agents/${agent}.yaml`, VOICES)[0]!;
    const yaml = readFileSync(
      new URL(`../../src/console/pages/tests/starter.${language}.yaml`, import.meta.url),
      'utf8',
    );
    const read = readAgentTests(yaml, definition);
    expect('tests' in read && read.tests.dialogues.length).toBe(2);
  });
});
