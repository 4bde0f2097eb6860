import { describe, expect, it } from 'vitest';
import type { TurnNotes } from '../../../src/core/turn-details.ts';
import type { AgentDocuments, Passage } from '../../../src/engines/document/contract.ts';
import type { ReplyEngine, ReplyRequest, Turn } from '../../../src/engines/reply/contract.ts';
import { QUOTED_FROM, quotedPassage, spokenName } from '../../../src/engines/reply/document-quote.ts';
import { replay } from '../../../src/engines/reply/replay.ts';
import { createScriptedReplyEngine, type ScriptedReplyDeps } from '../../../src/engines/reply/scripted-dialogue.ts';
import type { TurnOutcome } from '../../../src/engines/reply/turn-draft.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { compiledAgents, plainAgent, unruled } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const delivery = unruled(plainAgent('delivery-en'));
const clinic = unruled(plainAgent('clinic-ar'));
const PASSAGE: Passage = {
  ...{ document: 'doc_1', name: 'liability_terms-2026.pdf', page: 3, score: 0.94 },
  ...{ text: 'Glass and ceramics travel at your own risk.', quote: 'Glass and ceramics travel at your own risk.' },
};
const QUESTION = 'what about porcelain vases and ceramics';
const SAID = 'It says in liability terms 2026: Glass and ceramics travel at your own risk.';

class Documents implements Pick<AgentDocuments, 'find'> {
  readonly asked: string[] = [];
  constructor(private readonly found: readonly Passage[]) {}
  async find(_agent: unknown, question: string): Promise<readonly Passage[]> {
    this.asked.push(question);
    return this.found;
  }
}
function engineWith(
  documents: Documents,
  more: Partial<ScriptedReplyDeps> = {},
): { readonly engine: ReplyEngine; readonly outcomes: TurnOutcome[] } {
  const outcomes: TurnOutcome[] = [];
  const onTurn = (outcome: TurnOutcome): void => void outcomes.push(outcome);
  const engine = createScriptedReplyEngine({
    ...{ clock: new FakeClock(), agents: compiledAgents, documents, onTurn },
    ...more,
  });
  return { engine, outcomes };
}

describe('what the documents of an agent say', () => {
  it('is quoted where the agent has nothing of its own to say, and kept in the record of the turn', async () => {
    const documents = new Documents([PASSAGE]);
    const { engine, outcomes } = engineWith(documents);
    const notes: TurnNotes[] = [];
    const request: ReplyRequest = {
      ...{ agent: delivery, text: QUESTION, input: 'speech', mode: 'voice', confidence: 1, history: [], variables: {} },
      note: (note) => notes.push(note),
    };
    const texts: string[] = [];
    for await (const event of engine.reply(request, new AbortController().signal)) {
      if (event.type === 'text') texts.push(event.text);
    }
    expect(texts.join(' ')).toBe(SAID);
    expect(documents.asked).toEqual([QUESTION]);
    expect(notes).toEqual([
      expect.objectContaining({
        ...{ understood: true, rule: 'document', meant: ['document:liability_terms-2026.pdf'] },
        documents: [{ id: 'doc_1', name: PASSAGE.name, page: 3, score: 0.94, quote: PASSAGE.quote, said: true }],
      }),
    ]);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]!.state).toMatchObject({ served: true, noMatch: 0, pending: { kind: 'open' } });
  });

  it.each([
    ['a wish of the agent', ['track my order']],
    ['a question of the agent', ['when are you open']],
    ['a goodbye', ['goodbye']],
    ['an answer to a question', ['track my order', QUESTION]],
    ['keys', ['9']],
    ['silence', ['']],
    ['speech of which nothing was recognised', ['   ']],
  ])('is not asked for at %s', async (_what, turns) => {
    const documents = new Documents([PASSAGE]);
    const { engine } = engineWith(documents);
    const talk = new Conversation(engine, delivery);
    for (const text of turns) expect((await talk.say(text)).text).not.toContain('Glass');
    expect(documents.asked).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['something that is not sure', [{ ...PASSAGE, score: QUOTED_FROM - 0.01 }]],
  ])('changes nothing where it is %s', async (_what, found) => {
    const without = await new Conversation(engineWith(new Documents([])).engine, delivery).say(QUESTION);
    const { text } = await new Conversation(engineWith(new Documents(found)).engine, delivery).say(QUESTION);
    expect(text).toBe(without.text);
  });

  it('goes before the words of a model', async () => {
    const proposer = { propose: async () => ({ acts: [], say: 'How lovely.' }) };
    const quoted = await new Conversation(engineWith(new Documents([PASSAGE]), { proposer }).engine, delivery).say(
      QUESTION,
    );
    expect(quoted.text).toBe(SAID);
    const none = await new Conversation(engineWith(new Documents([]), { proposer }).engine, delivery).say(QUESTION);
    expect(none.text).toBe('How lovely.');
  });

  it('is led in and said each in its language', () => {
    const { lines } = quotedPassage({ ...PASSAGE, name: 'السياسة.pdf' }, 'ar');
    expect(lines).toEqual([
      { text: 'مكتوب في السياسة:', language: 'ar' },
      { text: PASSAGE.text, language: 'en' },
    ]);
  });

  it('is cut at a sentence where it is long, and names no more of a file than can be said', () => {
    const long = `${'One sentence of the many that stand here. '.repeat(20)}`;
    const [lead, said] = quotedPassage({ ...PASSAGE, name: `${'word '.repeat(50)}.txt`, text: long }, 'en').lines;
    expect(said!.text.length).toBeLessThanOrEqual(320);
    expect(said!.text.endsWith('stand here.')).toBe(true);
    expect(lead!.text.length).toBeLessThan(80);
  });

  it.each([
    ['Return_policy-2026.pdf', 'Return policy 2026'],
    ['<script>alert(1)</script>.html', 'script alert 1 script'],
    ['{{name}}.txt', 'name'],
    ['$& $1.txt', ''],
    ['12345.pdf', ''],
    ['قائمة الأسعار.docx', 'قائمة الأسعار'],
    ['.txt', ''],
  ])('a file %j is called %j', (name, spoken) => {
    expect(spokenName(name)).toBe(spoken);
  });

  it('of a file without a name to say is said to be in the documents', () => {
    expect(quotedPassage({ ...PASSAGE, name: '12345.pdf' }, 'en').lines[0]!.text).toBe('It says in our documents:');
    expect(quotedPassage({ ...PASSAGE, name: '$&.pdf' }, 'ar').lines[0]!.text).toBe('مكتوب في مستنداتنا:');
  });
});

describe('a conversation in which documents were quoted', () => {
  const setting = { today: { year: 2026, month: 1, day: 1 }, mode: 'voice', variables: {}, trusted: true } as const;
  const stateAfter = (history: readonly Turn[], agent = delivery) =>
    replay(compiledAgents.get(agent), history, setting).state;

  it('is rebuilt from its words alone as it was', async () => {
    const { engine, outcomes } = engineWith(new Documents([PASSAGE]));
    const talk = new Conversation(engine, delivery);
    await talk.say('zork blimp');
    await talk.say(QUESTION);
    expect(stateAfter(talk.history)).toEqual(outcomes.at(-1)!.state);
    await talk.say('track my order');
    expect(stateAfter(talk.history)).toMatchObject({ pending: { kind: 'slot', slot: 'order' } });
  });

  it.each([
    ['in the middle of the passage', SAID.slice(0, 50)],
    ['in the middle of what leads it in', 'It says in'],
  ])('and was cut short %s', (_what, heard) => {
    const state = stateAfter([
      { role: 'caller', text: 'zork blimp' },
      { role: 'agent', text: 'Sorry, I did not get that. Could you say it another way?' },
      { role: 'caller', text: QUESTION },
      { role: 'agent', text: heard },
    ]);
    expect(state).toMatchObject({ served: true, noMatch: 0, lastText: heard, pending: { kind: 'open' } });
  });

  it('in Arabic, with a passage in English, goes on in Arabic', async () => {
    const { engine } = engineWith(new Documents([{ ...PASSAGE, name: 'Terms.pdf' }]));
    const talk = new Conversation(engine, clinic);
    const { text } = await talk.say('وش عن المزهريات والسيراميك والبورسلان');
    expect(text).toBe('مكتوب في Terms: Glass and ceramics travel at your own risk.');
    expect(stateAfter(talk.history, clinic)).toMatchObject({ language: 'ar', served: true });
  });

  it('says it once more where it is asked to', async () => {
    const talk = new Conversation(engineWith(new Documents([PASSAGE])).engine, delivery);
    await talk.say(QUESTION);
    expect((await talk.say('can you repeat that')).text).toContain('travel at your own risk');
  });

  it('an answer of the agent that begins like a quotation is its own', () => {
    const state = stateAfter([
      { role: 'caller', text: 'track my order' },
      { role: 'agent', text: 'It says in our documents: nothing.' },
    ]);
    expect(state.lastText).toContain('It says');
    expect(state.served).toBe(true); // the wish was served, as it would have been
  });
});
