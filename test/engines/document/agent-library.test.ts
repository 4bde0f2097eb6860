import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agent.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import type { Passage } from '../../../src/engines/document/contract.ts';
import { LinesBuilder } from '../../../src/engines/document/document-lines.ts';
import { AgentLibrary, type LibraryLimits } from '../../../src/engines/document/library/agent-library.ts';
import { IndexShelf } from '../../../src/engines/document/library/index-shelf.ts';
import { textOf } from '../../../src/engines/document/packed-lines.ts';
import { chatAgent } from '../../support/chat-engines.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { until } from '../../support/until.ts';

const never = new AbortController().signal;
/** Longer than anything takes here. */
const PATIENT = { limit: 1, withinMs: 60_000 };

class Source {
  readonly loads: string[] = [];
  documents: Record<string, Record<string, string>> = {
    agt_a: { doc_1: 'A new brake cable costs 40 riyals.', doc_2: 'We close at nine in the evening.' },
    agt_b: { doc_3: 'A new brake cable costs 55 riyals.' },
  };
  failing = false;
  gate: Promise<void> = Promise.resolve();

  async ready(_account: string, agent: string) {
    if (this.failing) throw new Error('the database is away');
    return Object.keys(this.documents[agent] ?? {}).map((id) => ({ id, name: `${id}.txt` }));
  }
  async lines(id: string): Promise<Uint8Array> {
    this.loads.push(id);
    await this.gate;
    const text = Object.assign({}, ...Object.values(this.documents))[id] as string | undefined;
    if (text === undefined) return new Uint8Array();
    const out = new LinesBuilder();
    for (const line of text.split('\n')) out.add(line);
    return textOf(out.build()).lines;
  }
}

const agentOf = (id: string): Agent => ({ ...chatAgent(), id });
const opened: AgentLibrary[] = [];
const open = (source: Source, limits: Partial<LibraryLimits> = {}, clock = systemClock as typeof systemClock) => {
  const library = new AgentLibrary({ clock, logger: silentLogger, source: async () => source, limits });
  opened.push(library);
  return library;
};
afterEach(() => Promise.all(opened.splice(0).map((library) => library.close())));

const ask = (library: AgentLibrary, agent: string, question: string, wish = PATIENT): Promise<readonly Passage[]> =>
  library.find(agentOf(agent), question, wish, never);

describe('documents of agents', () => {
  it('are loaded by the first question, and asked by all others; each agent has its own', async () => {
    const source = new Source();
    const library = open(source);
    const [a] = await ask(library, 'agt_a', 'what does a brake cable cost');
    const [b] = await ask(library, 'agt_b', 'what does a brake cable cost');
    expect([a!.text, a!.name, b!.text]).toEqual([
      'A new brake cable costs 40 riyals.',
      'doc_1.txt',
      'A new brake cable costs 55 riyals.',
    ]);
    expect((await ask(library, 'agt_a', 'when do you close'))[0]!.document).toBe('doc_2');
    expect(source.loads).toEqual(['doc_1', 'doc_2', 'doc_3']);
  });

  it.runIf(EVERY_TEST)('are asked as they are now: added, and taken away', async () => {
    const source = new Source();
    const library = open(source);
    await ask(library, 'agt_b', 'what does a brake cable cost');
    source.documents['agt_b'] = { doc_3: source.documents['agt_b']!['doc_3']!, doc_4: 'Tyres cost 80 riyals.' };
    expect((await ask(library, 'agt_b', 'what do tyres cost'))[0]!.document).toBe('doc_4');
    source.documents['agt_b'] = { doc_4: 'Tyres cost 80 riyals.' };
    expect((await ask(library, 'agt_b', 'what does a brake cable cost'))[0]?.document).not.toBe('doc_3');
    source.documents['agt_b'] = {};
    expect(await ask(library, 'agt_b', 'what do tyres cost')).toEqual([]);
  });

  it('are ready before the first question where a call rings', async () => {
    const source = new Source();
    const library = open(source);
    library.prepare(agentOf('agt_a'));
    await until(() => source.loads.length === 2);
    await ask(library, 'agt_a', 'when do you close');
    expect(source.loads).toHaveLength(2);
  });

  it.runIf(EVERY_TEST)('find nothing where it takes too long, and the next question all the same', async () => {
    const source = new Source();
    let go = (): void => {};
    source.gate = new Promise((resolve) => {
      go = resolve;
    });
    const library = open(source);
    expect(await ask(library, 'agt_a', 'when do you close', { limit: 1, withinMs: 20 })).toEqual([]);
    expect(library.counters).toMatchObject({ late: 1 });
    go();
    expect(await ask(library, 'agt_a', 'when do you close')).toHaveLength(1);
  });

  it('find nothing for who has gone, without being asked', async () => {
    const source = new Source();
    expect(await open(source).find(agentOf('agt_a'), 'when do you close', PATIENT, AbortSignal.abort())).toEqual([]);
    expect(source.loads).toEqual([]);
  });

  it.runIf(EVERY_TEST)('take no more questions than may wait', async () => {
    const source = new Source();
    let go = (): void => {};
    source.gate = new Promise((resolve) => {
      go = resolve;
    });
    const library = open(source, { queue: 2 });
    const all = Array.from({ length: 6 }, () => ask(library, 'agt_a', 'when do you close'));
    await until(() => library.counters.refused === 3); // one is worked on, two wait
    go();
    expect((await Promise.all(all)).filter((found) => found.length > 0)).toHaveLength(3);
  });

  it.runIf(EVERY_TEST)('find nothing while the database is away, and fail nobody', async () => {
    const source = new Source();
    const library = open(source);
    source.failing = true;
    expect(await ask(library, 'agt_a', 'when do you close')).toEqual([]);
    source.failing = false;
    expect(await ask(library, 'agt_a', 'when do you close')).toHaveLength(1);
  });

  it('with which the thread is lost rest for a while; those of others are loaded again', async () => {
    const source = new Source();
    const clock = new FakeClock();
    // A heap in which the thread starts, and cannot load what it needs. In a smaller one Node 24 ends the whole process.
    const library = open(source, { heapMb: 5, timeLimitMs: 1_000_000 }, clock);
    expect(await ask(library, 'agt_a', 'when do you close', { limit: 1, withinMs: 1e9 })).toEqual([]);
    expect(library.counters.lost).toBe(1);
    const loads = source.loads.length;
    expect(await ask(library, 'agt_a', 'when do you close', { limit: 1, withinMs: 1e9 })).toEqual([]);
    expect([library.counters.lost, source.loads.length]).toEqual([1, loads]);
    await ask(library, 'agt_b', 'what does a brake cable cost', { limit: 1, withinMs: 1e9 });
    expect(library.counters.lost).toBe(2); // it was tried
    await clock.advance(600_001);
    await ask(library, 'agt_a', 'when do you close', { limit: 1, withinMs: 1e9 });
    expect(library.counters.lost).toBe(3);
  });

  it('that are gone or cannot be unpacked are left out', async () => {
    const source = new Source();
    const library = open(source);
    source.lines = async (id) => (id === 'doc_1' ? Buffer.from('no gzip') : new Source().lines(id));
    expect((await ask(library, 'agt_a', 'when do you close'))[0]!.document).toBe('doc_2');
    expect(await ask(library, 'agt_a', 'what does a brake cable cost')).not.toContainEqual(
      expect.objectContaining({ document: 'doc_1' }),
    );
  });

  it('find nothing any more when they are closed', async () => {
    const library = open(new Source());
    await library.close();
    expect(await ask(library, 'agt_a', 'when do you close')).toEqual([]);
  });
});

describe('the shelf of indexes', () => {
  it('lets the least recently used go first, and holds what is larger than itself alone', () => {
    const shelf = new IndexShelf<string>(100);
    shelf.put('a', 'A', 40);
    shelf.put('b', 'B', 40);
    expect(shelf.get('a')).toBe('A');
    shelf.put('c', 'C', 40);
    expect(shelf.keys).toEqual(['a', 'c']);
    shelf.put('a', 'A2', 60);
    expect(shelf.keys).toEqual(['c', 'a']);
    shelf.put('whale', 'W', 500);
    expect(shelf.keys).toEqual(['whale']);
    shelf.put('d', 'D', 1);
    expect(shelf.keys).toEqual(['d']);
    expect(shelf.get('whale')).toBeUndefined();
  });
});
