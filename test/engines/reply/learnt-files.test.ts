import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompiledAgents, compileAgent, compiling } from '../../../src/engines/reply/compiled-agent.ts';
import { buildOf, LearntFiles, saidBuild, sayBuild } from '../../../src/engines/reply/learnt-files.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { plainAgent } from '../../support/reply-agents.ts';

const SAID = [
  ['where', 'is', 'my', 'order'],
  ['cancel', 'it', 'please'],
  ['وين', 'طلبي'],
  ['a', 'zeppelin', 'on', 'friday'],
];
const LEARNT = { words: new Map([['a', [1, 0.5]]]), terms: new Set(['=b']), weights: Float32Array.of(1, 2, 3), at: -0 };

describe('what agents learnt, on disk', () => {
  let folder = '';
  const notes: string[] = [];
  const logger = { debug: (...args: readonly unknown[]) => void notes.push(JSON.stringify(args)) } as never;
  const files = (options: { build?: string; bytesMax?: number; clock?: FakeClock } = {}): LearntFiles =>
    new LearntFiles({ folder, clock: new FakeClock(), logger, build: 'one', ...options });
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'nidaa-learnt-')), 'learnt');
    notes.length = 0;
  });
  afterEach(() => {
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  it('is found again as it was, by another process of the same build alone', () => {
    expect(files().find('from this')).toBeUndefined();
    files().keep('from this', LEARNT);
    expect(files().find('from this')).toEqual(LEARNT);
    expect(files().find('from that')).toBeUndefined();
    expect(files({ build: 'two' }).find('from this')).toBeUndefined();
    expect(notes).toEqual([]);
  });

  it.each(['engines/reply/stem.js', 'language/fold.js', 'language/names/data/lists.json'])(
    'is of another build where %s is another one',
    (file) => {
      for (const name of ['engines/reply', 'language/names/data']) mkdirSync(join(folder, name), { recursive: true });
      const built = buildOf(folder);
      writeFileSync(join(folder, file), '1');
      const first = buildOf(folder);
      writeFileSync(join(folder, file), '2');
      expect(new Set([built, first, buildOf(folder)]).size).toBe(3);
    },
  );

  it('is of the build that this says of itself, unless it was compiled again since', () => {
    for (const name of ['engines', 'language']) mkdirSync(join(folder, name), { recursive: true });
    expect(saidBuild(folder)).toBeUndefined();
    sayBuild(folder);
    expect(saidBuild(folder)).toBe(buildOf(folder));
    writeFileSync(join(folder, '.tsbuildinfo'), '');
    utimesSync(join(folder, '.tsbuildinfo'), new Date(), new Date(Date.now() + 60_000));
    expect(saidBuild(folder)).toBeUndefined();
  });

  it('that is damaged is learnt again', () => {
    files().keep('from this', LEARNT);
    const path = join(folder, readdirSync(folder)[0]!);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf(Buffer.from(LEARNT.weights.buffer))]! ^= 1;
    writeFileSync(path, bytes);
    expect(files().find('from this')).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    files().keep('from this', LEARNT);
    writeFileSync(path, bytes.subarray(0, 7));
    expect(files().find('from this')).toBeUndefined();
  });

  it('makes room: the longest unused go, and what a killed writer left behind', () => {
    const clock = new FakeClock();
    const value = new Float64Array(1_000);
    const bounded = files({ bytesMax: 20_000, clock });
    bounded.keep('first', value);
    const [first] = readdirSync(folder);
    bounded.keep('second', value);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, name === first ? 1 : 2);
    expect(bounded.find('first')).toEqual(value);
    writeFileSync(join(folder, 'killed.part'), 'half');
    utimesSync(join(folder, 'killed.part'), 1, 1);
    bounded.keep('third', value);
    expect([bounded.find('first'), bounded.find('second'), bounded.find('third')]).toEqual([value, undefined, value]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    bounded.keep('too much', new Float64Array(2_000));
    expect(bounded.find('too much')).toBeUndefined();
  });

  it('is no fault where it cannot be kept', () => {
    writeFileSync(folder, 'a file');
    chmodSync(folder, 0o400);
    files().keep('from this', LEARNT);
    expect(files().find('from this')).toBeUndefined();
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.join()).not.toContain('from this');
  });

  it('makes the same agent as learning does, in a few steps', () => {
    const { definition } = plainAgent('delivery-en');
    const plain = compileAgent(definition);
    compileAgent(definition, files());
    const steps = compiling(definition, files());
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    expect(count).toBeLessThan((definition.intents ?? []).length + (definition.knowledge ?? []).length + 12);
    for (const words of SAID) expect(step.value.guess(words)).toEqual(plain.guess(words));
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('is another for an agent that says something else', () => {
    const agent = plainAgent('delivery-en');
    const agents = new CompiledAgents(files());
    agents.get(agent);
    const before = readdirSync(folder).length;
    const { examples, ...intent } = agent.definition.intents![0]!;
    const other = { ...intent, examples: { en: [...examples.en!, 'zeppelin'] } };
    agents.get({
      ...agent,
      definition: { ...agent.definition, intents: [other, ...agent.definition.intents!.slice(1)] },
    });
    expect(readdirSync(folder).length).toBe(before + 1);
  });
});
