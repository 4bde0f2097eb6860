import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TEST_VOICE } from '../conformance/tts.ts';
import { ROOT } from '../support/gateway.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { wavBytes } from '../support/wav-bytes.ts';

const ready = ['prlimit', 'espeak-ng'].every(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);
if (!ready) console.warn('\n!!! ENGINES WITHOUT DESCRIPTORS ARE NOT TESTED: prlimit or espeak-ng not installed !!!\n');

const folder = mkdtempSync(join(tmpdir(), 'nidaa-short-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CLIP = wavBytes({ frames: Array.from({ length: 8000 }, (_, n) => [n % 100]) });

/** What each part does once; throws what it throws. */
const WORK = {
  'speech in a process of its own': `
    const { EspeakTts } = await load('engines/tts/espeak.js');
    const { EspeakProcess } = await load('engines/tts/espeak-process.js');
    const direct = new EspeakTts({ clock });
    direct.available();
    const part = new EspeakProcess({ direct, clock, logger });
    const request = { text: 'Hello.', voice: ${JSON.stringify(TEST_VOICE)}, sampleRateHz: 8000, speed: 1, pitchSemitones: 0 };
    const work = async () => { for await (const chunk of part.synthesize(request, new AbortController().signal)) chunk; };
  `,
  'a document': `
    const { createDocumentReader } = await load('engines/document/retrieval-reader.js');
    const part = createDocumentReader({ clock, logger, limits: { threads: 1, idleMs: 1 } });
    const file = Buffer.from('The office opens at nine.');
    const question = { file, mimeType: 'text/plain', filename: 'a.txt', question: 'When does the office open?' };
    const work = () => part.ask(question, new AbortController().signal);
  `,
  'an uploaded clip': `
    const { ClipDecoder } = await load('audio/codecs/clip-decoder.js');
    const part = new ClipDecoder();
    const bytes = Buffer.from('${CLIP.toString('base64')}', 'base64');
    const work = () => part.decode({ bytes, type: 'wav' }, { sampleRateHz: 8000, maxSeconds: 60 }, new AbortController().signal);
  `,
  recognition: `
    const { createPocketsphinxStt } = await load('engines/stt/pocketsphinx.js');
    const part = createPocketsphinxStt({ cacheDir: process.argv[3], clock, logger, threads: 1 });
    const hints = { phrases: ['yes', 'no'], expect: [] };
    const work = async () => {
      const { ok, why } = part.available('en-US');
      if (!ok) throw Object.assign(new Error(why), { code: 'unavailable' }); // said before anybody is served
      const stream = part.open({ language: 'en-US', sampleRateHz: 8000, interim: true, hints }, new AbortController().signal);
      stream.write({ samples: new Int16Array(4000), sampleRateHz: 8000 });
      stream.end();
      for await (const event of stream) event;
    };
  `,
  'recognition of free speech': `
    const { createPocketsphinxStt } = await load('engines/stt/pocketsphinx.js');
    const part = createPocketsphinxStt({ cacheDir: process.argv[3], clock, logger, threads: 1 });
    setInterval(() => {}, 1000); // a gateway has more to do than to wait for a process
    const hints = { phrases: [], expect: ['free'] };
    const work = async () => {
      const { ok, why } = part.available('en-US');
      if (!ok) throw Object.assign(new Error(why), { code: 'unavailable' }); // said before anybody is served
      const stream = part.open({ language: 'en-US', sampleRateHz: 8000, interim: true, hints }, new AbortController().signal);
      stream.write({ samples: new Int16Array(4000), sampleRateHz: 8000 });
      stream.end();
      for await (const event of stream) event;
    };
  `,
};

const PROGRAM = `
  import { openSync, closeSync } from 'node:fs';
  const load = (path) => import(${JSON.stringify(`file://${ROOT}dist/`)} + path);
  const { systemClock: clock } = await load('core/clock.js');
  const { silentLogger: logger } = await load('core/logger.js');
  const { isShortage } = await load('core/shortage.js');
  const held = [];
  const fill = (left) => {
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    for (let n = 0; n < left; n += 1) closeSync(held.pop());
  };
  const free = () => { for (const fd of held.splice(0)) closeSync(fd); };
  const tried = async (work) => {
    try { await work(); return 'done'; } catch (error) {
      return isShortage(error) || error.code === 'unavailable' ? 'short' : String(error.cause ?? error.stack);
    }
  };
  const left = Number(process.argv[2]);
`;

function run(work: keyof typeof WORK, left: number): Promise<{ readonly code: number | null; readonly said: string }> {
  const script = `${PROGRAM}
    ${WORK[work]}
    fill(left);
    const outcomes = [];
    for (let n = 0; n < 3; n += 1) outcomes.push(await tried(work));
    free();
    const deadline = Date.now() + 20_000;
    let after;
    do {
      after = await tried(work);
      if (after !== 'done') await new Promise((resolve) => setTimeout(resolve, 100));
    } while (after !== 'done' && Date.now() < deadline);
    console.log(JSON.stringify({ outcomes, after }));
    await part.close();
    process.exit(0);
  `;
  const file = join(folder, `${work.replaceAll(' ', '-')}-${left}.mjs`);
  writeFileSync(file, script);
  const node = [process.execPath, file, String(left), folder];
  const child = spawn('prlimit', ['--nofile=96:96', ...node], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

describe.skipIf(!ready)('without descriptors', () => {
  describe.each(Object.keys(WORK) as (keyof typeof WORK)[])('%s', (work) => {
    it.each(EVERY_TEST ? [0, 2, 4, 6, 9, 12] : [0])(
      'with %i left: refused or served, and served afterwards',
      async (left) => {
        const { code, said } = await run(work, left);
        expect(code, said).toBe(0);
        const { outcomes, after } = JSON.parse(said.trim().split('\n').at(-1)!) as {
          outcomes: string[];
          after: string;
        };
        expect(outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'short')).toEqual([]);
        if (left === 0) expect(outcomes).toContain('short');
        expect(after).toBe('done');
      },
    );
  });
});
