import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type SpeechModel, writeFreeDictionary } from '../../../src/engines/stt/model-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'nidaa-dictionary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const dictionary = join(folder, 'all.dict');
writeFileSync(dictionary, "read R EH D\nread(2) R IY D\nreader R IY D ER\nwe're W IH R\nzebra Z IY B R AH\n");
const model = (of: string): SpeechModel => ({ folder: of, dictionary, seedDictionary: '', languageModel: undefined });

it('keeps the words that the language model knows, with all their pronunciations, in their order', () => {
  const file = writeFreeDictionary(model(folder), () => ['zebra', '<s>', "we're", 'read']);
  expect(readFileSync(file, 'utf8')).toBe("read R EH D\nread(2) R IY D\nwe're W IH R\nzebra Z IY B R AH\n");
});

it('is the whole dictionary where it cannot be written', () => {
  expect(writeFreeDictionary(model(join(folder, 'nowhere')), () => ['read'])).toBe(dictionary);
});

it.each([
  { what: 'newer than both models', madeS: 3_600, made: 1 },
  { what: 'older than a model that came since, whatever time that one carries', madeS: -3_600, made: 2 },
])('one that is $what is made $made times', ({ madeS, made }) => {
  const languageModel = join(folder, 'model.bin');
  writeFileSync(languageModel, '');
  for (const file of [dictionary, languageModel]) utimesSync(file, 0, 0);
  let times = 0;
  const write = (): string =>
    writeFreeDictionary({ ...model(folder), languageModel }, () => {
      times += 1;
      return ['zebra'];
    });
  rmSync(join(folder, 'free.dict'), { force: true });
  const atS = Date.now() / 1_000 + madeS;
  utimesSync(write(), atS, atS);
  expect(readFileSync(write(), 'utf8')).toBe('zebra Z IY B R AH\n');
  expect(times).toBe(made);
});
