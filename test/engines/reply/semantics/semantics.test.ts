import { describe, expect, it, vi } from 'vitest';
import { createScriptedReplyEngine } from '../../../../src/engines/reply/scripted-dialogue.ts';
import type { SentenceEncoder } from '../../../../src/engines/reply/semantics/encoder.ts';
import { SemanticIndex } from '../../../../src/engines/reply/semantics/semantic-index.ts';
import { Semantics } from '../../../../src/engines/reply/semantics/semantics.ts';
import { withSense } from '../../../../src/engines/reply/semantics/with-sense.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { agentFromConfig, compiledAgents } from '../../../support/reply-agents.ts';

const shipped = agentFromConfig('delivery-en');
const agent = compiledAgents.get(shipped);
const live = new AbortController().signal;

/** A model that knows what three sentences mean: like the examples of `track`, of `cancel`, of nothing. */
const MEANT: Readonly<Record<string, string>> = {
  'any joy with the thing my nan bought': 'intent:track',
  'i found the very same one for half the price elsewhere': 'intent:cancel',
};
class KnowingEncoder implements SentenceEncoder {
  readonly languages = ['en'] as const;
  readonly asked: string[] = [];
  broken = false;
  async encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.asked.push(...texts);
    if (this.broken) throw new Error('no model');
    return texts.map((text) => {
      const id =
        MEANT[text] ?? [...agent.examples].find(([, all]) => all.some((one) => one.toLowerCase() === text))?.[0];
      return unit([...agent.examples.keys()].map((one) => (one === id ? 1 : 0)));
    });
  }
  async close(): Promise<void> {}
}
function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (x) => x / length);
}
async function semanticsOf(encoder: SentenceEncoder): Promise<Semantics> {
  const made = new Semantics({ encoder, clock: new FakeClock() });
  await made.learn(agent);
  return made;
}

describe('the semantic index', () => {
  const index = new SemanticIndex(
    new Map([
      ['a', [unit([1, 0.1, 1]), unit([1, -0.1, 1]), unit([0, 1, 1])]],
      ['b', [unit([-1, 0, 1])]],
    ]),
  );
  it('leaves out what all examples share, and takes the nearest of each meaning', () => {
    const near = index.near(unit([-0.9, 0, 1]));
    expect(near.get('b')).toBeGreaterThan(0.9);
    expect(near.get('a')).toBeLessThan(0);
  });
});

describe('guesses with their sense', () => {
  const guesses = agent.guess(['where', 'is', 'it']);
  const [top] = guesses;
  const scoreOf = (id: string, near: Readonly<Record<string, number>>): number | undefined =>
    withSense(agent, guesses, new Map(Object.entries(near))).find((guess) => guess.id === id)?.score;
  it('come nearer, go farther, or stay where nothing is known of them', () => {
    expect(scoreOf(top!.id, { [top!.id]: 0.9 })).toBeGreaterThan(top!.score);
    expect(scoreOf(top!.id, { [top!.id]: -0.2 })).toBeLessThan(top!.score);
    expect(scoreOf(top!.id, {})).toBe(top!.score);
  });
  it('of an example itself stay as they are', () => {
    const itself = agent.guess(['track', 'my', 'order']);
    expect(withSense(agent, itself, new Map([['intent:track', -1]]))[0]).toMatchObject({
      id: 'intent:track',
      score: 1,
    });
  });
  it('are joined by a meaning that shares no word, and by none that is not near', () => {
    expect(guesses.some(({ id }) => id === 'intent:redeliver')).toBe(false);
    expect(scoreOf('intent:redeliver', { 'intent:redeliver': 0.9 })).toBeGreaterThan(0.2);
    expect(scoreOf('intent:redeliver', { 'intent:redeliver': 0.3 })).toBeUndefined();
  });
});

describe('semantics of an agent', () => {
  const [said, wish] = Object.entries(MEANT)[0]!;
  it('know a sentence once it was heard, however it is written', async () => {
    const semantics = await semanticsOf(new KnowingEncoder());
    expect(semantics.near(agent, said)).toBeUndefined();
    await semantics.hear(agent, [said], live);
    const near = semantics.near(agent, ` ${said.replace('any', 'Any')}?`)!;
    expect([...near].sort((a, b) => b[1] - a[1])[0]![0]).toBe(wish);
  });
  it('ask the model once for a sentence, and never for another language', async () => {
    const encoder = new KnowingEncoder();
    const semantics = await semanticsOf(encoder);
    encoder.asked.length = 0;
    await semantics.hear(agent, [said, 'وين طلبي', '4521', ''], live);
    await semantics.hear(agent, [said], live);
    expect(encoder.asked).toEqual([said]);
  });
  it('of a model that fails are none', async () => {
    const encoder = new KnowingEncoder();
    encoder.broken = true;
    const unread = await semanticsOf(encoder);
    await unread.hear(agent, [said], live);
    expect(unread.near(agent, said)).toBeUndefined();
    encoder.broken = false;
    const read = await semanticsOf(encoder);
    encoder.broken = true;
    await read.hear(agent, [said], live);
    expect(read.near(agent, said)).toBeUndefined();
  });
  it('are not waited for longer than a caller would', async () => {
    const clock = new FakeClock();
    const encoder = new KnowingEncoder();
    const semantics = new Semantics({ encoder, clock });
    await semantics.learn(agent);
    let answer: (vectors: Float32Array[]) => void = () => {};
    vi.spyOn(encoder, 'encode').mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const heard = semantics.hear(agent, [said], live);
    clock.advance(150);
    await heard;
    expect(semantics.near(agent, said)).toBeUndefined();
    answer([unit([...agent.examples.keys()].map((id) => (id === wish ? 1 : 0)))]);
    await vi.waitFor(() => expect(semantics.near(agent, said)).toBeDefined()); // for the replay of the next turn
  });
});

describe('a scripted agent with a sentence model', () => {
  const [, [said]] = Object.entries(MEANT) as [string, string][];
  const answerTo = async (encoder: SentenceEncoder | undefined): Promise<string> => {
    const semantics = encoder && (await semanticsOf(encoder));
    const engine = createScriptedReplyEngine({
      ...{ clock: new FakeClock(), agents: compiledAgents },
      ...(semantics && { semantics }),
    });
    const request = { agent: shipped, text: said!, input: 'speech', mode: 'voice', confidence: 1 } as const;
    let text = '';
    for await (const event of engine.reply({ ...request, history: [], variables: {} }, live))
      if (event.type === 'text') text += event.text;
    await engine.close();
    return text;
  };
  it('understands what shares no word with its examples', async () => {
    expect(await answerTo(undefined)).not.toContain('Which order shall I cancel?');
    expect(await answerTo(new KnowingEncoder())).toContain('Which order shall I cancel?');
  });
});
