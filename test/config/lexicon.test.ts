import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/config/lexicon.ts';
import type { Language } from '../../src/core/agent.ts';
import { isStop } from '../../src/engines/document/retrieval/stop-words.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import { createRedactor } from '../../src/engines/text/redact/redactor.ts';
import { NO_OWN_WORDS, useOwnWords } from '../../src/language/own-words.ts';
import { parseName } from '../../src/language/values/name.ts';
import type { SlotContext } from '../../src/language/values/slot.ts';
import { wordsOf } from '../../src/language/words.ts';

const folders: string[] = [];
afterEach(() => {
  useOwnWords(NO_OWN_WORDS);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder with files of rows, whose columns are parted by `|` here. */
function folderOf(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lexicon-'));
  folders.push(folder);
  for (const [name, rows] of Object.entries(files)) {
    writeFileSync(join(folder, name), rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join(''));
  }
  return folder;
}

function use(...rows: string[]): void {
  useOwnWords(loadLexicon(folderOf({ 'own.tsv': rows })));
}

describe('the lexicon of an installation', () => {
  it('is empty where there is no folder, and in the shipped example', () => {
    expect(loadLexicon('/nowhere/lexicon')).toEqual(NO_OWN_WORDS);
    expect(loadLexicon(new URL('../../config/lexicon', import.meta.url).pathname)).toEqual(NO_OWN_WORDS);
  });

  it('joins all files of rows', () => {
    const folder = folderOf({
      'a.tsv': ['# ours', '', 'name|Quillon Brandtsson', 'pronunciation-en|Qwik|quick'],
      'b.tsv': ['stop-word|حبيبي', 'product|Zanzo Max', 'never-name|سارة', 'pronunciation-ar|Qwik|كويك'],
      'notes.txt': ['nothing of this is read'],
    });
    mkdirSync(join(folder, 'old'));
    expect(loadLexicon(folder)).toEqual({
      pronunciations: { ar: new Map([['Qwik', 'كويك']]), en: new Map([['Qwik', 'quick']]) },
      names: ['Quillon Brandtsson'],
      neverNames: ['سارة'],
      products: ['Zanzo Max'],
      stopWords: ['حبيبي'],
    });
  });

  it.each([
    ['nmae|Quillon', 'own.tsv:1 expected one of pronunciation-ar', '(did you mean name?)'],
    ['name', 'own.tsv:1 expected a word or up to 5 behind name'],
    ['name|one two three four five six', 'own.tsv:1 expected a word or up to 5 behind name'],
    ['name|Quillon|Quill', 'own.tsv:1 expected nothing behind Quillon'],
    ['pronunciation-en|Qwik', 'own.tsv:1 expected how Qwik is said behind it'],
    ['pronunciation-en|Qwik|quick 24', 'own.tsv:1 expected words without digits'],
    ['pronunciation-en|Qwik|the Qwik app', 'own.tsv:1 pronunciation-en: Qwik is said with Qwik in it'],
  ])('says what is wrong with «%s», by file and line', (row, ...said) => {
    const folder = folderOf({ 'own.tsv': [row] });
    for (const part of said) expect(() => loadLexicon(folder)).toThrow(part);
  });

  it('takes nothing twice, however it is spelled', () => {
    const folder = folderOf({ 'a.tsv': ['# head', 'name|سارة'], 'b.tsv': ['name|ساره'] });
    expect(() => loadLexicon(folder)).toThrow('b.tsv:1 name: ساره stands in');
    expect(() => loadLexicon(folder)).toThrow('a.tsv:2 already');
  });
});

describe('words of an installation', () => {
  it('are said as it says them, once and in their language', () => {
    use('pronunciation-en|Qwik|quick', 'pronunciation-en|Qwik 5|quick five', 'pronunciation-ar|Qwik|كويك');
    const normalize = (text: string, language: Language) => createNormalizer().normalize(text, language);
    expect(normalize('Use QWIK for SAR 5, not Qwikly.', 'en')).toMatchObject({
      normalized: 'Use quick for five riyals, not Qwikly.',
      replacements: [
        { from: 'QWIK', to: 'quick' },
        { from: 'SAR 5', to: 'five riyals' },
      ],
    });
    expect(normalize('Qwik 5 is out', 'en').normalized).toBe('quick five is out');
    expect(normalize('حمّل تطبيق Qwik الآن', 'ar').normalized).toBe('حمّل تطبيق كويك الآن');
    const { normalized } = normalize('Use QWIK for SAR 5', 'en');
    expect(normalize(normalized, 'en').normalized).toBe(normalized);
  });

  it('are names, or never', () => {
    const redact = (text: string): string => createRedactor().redact(text).redacted;
    expect(redact('so zorblat kept the parcel')).toBe('so zorblat kept the parcel');
    expect(redact('my name is Sara')).toBe('my name is [Person Name]');
    use('name|Zorblat', 'never-name|Sara');
    expect(redact('so zorblat kept the parcel')).toBe('so [Person Name] kept the parcel');
    expect(redact('my name is Sara')).toBe('my name is Sara');
    expect(redact('my name is Sara Alharbi')).toBe('my name is [Person Name]');
  });

  it('are no name of a caller, and no word of a question', () => {
    const name = (text: string) => parseName(wordsOf(text), { asked: true } as SlotContext)?.value.value;
    expect(name('zanzo')).toBe('Zanzo');
    expect(isStop('zanzo')).toBe(false);
    use('product|Zanzo', 'stop-word|Zanzo');
    expect(name('zanzo')).toBeUndefined();
    expect(isStop('zanzo')).toBe(true);
  });
});
