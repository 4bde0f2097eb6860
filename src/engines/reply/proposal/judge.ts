import { firstPhrase, type Span } from '../../../language/phrases/phrases-in.ts';
import { NEGATES, scopeOf } from '../../../language/phrases/scope.ts';
import { type Word, wordsOf } from '../../../language/words.ts';
import { type Act, actOf, type Heard } from '../acts/act.ts';
import { tellsNot } from '../acts/forbidden.ts';
import { certainly, type Guess, type Meaning } from '../compiled-agent.ts';
import { isOwnIntent } from '../corrections.ts';
import { fits } from '../fitting.ts';
import { isPleasantry } from '../sureness.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { decide, NEARNESS, openGuesses } from '../understanding.ts';
import type { Proposal, ProposedAct, ProposedType } from './proposal.ts';

/** A sentence with what a model was right to add, and what became of each of its acts, for the trace. */
export interface Judged {
  readonly heard: Heard;
  readonly notes: readonly string[];
}

/** The sentence with the act in it, or why the act is refused. */
type Judge = (draft: TurnDraft, heard: Heard, act: ProposedAct, span: Span) => Heard | string;

const JUDGES: Readonly<Record<ProposedType, Judge>> = {
  emergency: (_, heard, { type }, span) => inTrouble(heard, type, span),
  complaint: (_, heard, { type }, span) => inTrouble(heard, type, span),
  forbid: forbidden,
  deny: denied,
  wrong: notRight,
  affirm: affirmed,
  hesitate: (draft, heard, _, span) =>
    fits(draft, heard) ? 'a value of the question' : withAct(heard, { type: 'hesitate', span }),
  leave: left,
  question: asked,
  request: (draft, heard, { of }, span) => wished(draft, heard, of, span),
  human: (draft, heard, _, span) => wished(draft, heard, own(draft, 'human'), span),
  repeat: (draft, heard, _, span) => wished(draft, heard, own(draft, 'repeat'), span),
  help: (draft, heard, _, span) => wished(draft, heard, own(draft, 'help'), span),
  hello: (draft, heard, _, span) => wished(draft, heard, own(draft, 'hello'), span),
  thanks: (draft, heard, _, span) => wished(draft, heard, own(draft, 'thanks'), span),
  goodbye,
  other: nothingOfTheAgent,
};
/** What holds something back is judged before what begins something, and the words are all there until nothing was found in them. */
const ORDER = Object.keys(JUDGES);

/**
 * Lets the acts of a proposal in that the caller's words allow. A model may hold back (a doubt about a yes, a prohibition,
 * a person) and may find a wish in words that are not clear without it; it makes no yes, no value and no second reading
 * of what is clear.
 */
export function judged(draft: TurnDraft, heard: Heard, { acts, leftOut = [] }: Proposal): Judged {
  const notes = leftOut.map((why) => `left out ${why}`);
  let current = heard;
  for (const act of [...acts].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))) {
    const span = spanOf(act.words, heard.words);
    const result = span ? JUDGES[act.type](draft, current, act, span) : 'not in the words of the caller';
    const name = `${act.type}${act.of === undefined ? '' : `(${act.of.slice(0, 40)})`}${act.but ? ' but' : ''}`;
    notes.push(typeof result === 'string' ? `refused ${name}: ${result}` : `took ${name}`);
    if (typeof result !== 'string') current = result;
  }
  return { heard: current, notes };
}

/** Where words stand in a sentence: together, or one after the other with others between them. */
function spanOf(quote: string, words: readonly Word[]): Span | undefined {
  const quoted = wordsOf(quote).map(({ text }) => text);
  if (quoted.length === 0) return undefined;
  const plain = words.map(({ text }) => text);
  const start = plain.findIndex((_, at) => quoted.every((word, i) => plain[at + i] === word));
  if (start >= 0) return { start, end: start + quoted.length };
  const places: number[] = [];
  for (const word of quoted) {
    const at = plain.indexOf(word, (places.at(-1) ?? -1) + 1);
    if (at < 0) return undefined;
    places.push(at);
  }
  return { start: places[0]!, end: places.at(-1)! + 1 };
}

function withAct(heard: Heard, act: Act): Heard {
  return heard.acts.some(({ type }) => type === act.type) ? heard : { ...heard, acts: [...heard.acts, act] };
}

function withoutYes(heard: Heard): Heard {
  return { ...heard, acts: heard.acts.filter(({ type }) => type !== 'affirm') };
}

function inTrouble(heard: Heard, type: ProposedType, span: Span): Heard {
  const kind = type === 'emergency' ? 'emergency' : 'complaint';
  return { ...heard, acts: [{ type: 'trouble', kind, span }, ...heard.acts.filter((act) => act.type !== 'trouble')] };
}

/** A prohibition beside a yes is a doubt about the yes. */
function forbidden(draft: TurnDraft, heard: Heard, { of = '' }: ProposedAct, span: Span): Heard | string {
  if (draft.agent.meaning(of)?.kind !== 'intent') return 'the agent has no such wish';
  if (actOf(heard, 'affirm')) return withoutYes(heard);
  return {
    ...heard,
    acts: [...heard.acts.filter(({ type }) => type !== 'request'), { type: 'forbid', span, id: of, sure: true }],
    forbidden: new Set([...heard.forbidden, of]),
    guesses: heard.guesses.filter(({ id }) => id !== of),
  };
}

const ASKS_YES_OR_NO = new Set(['confirm-flow', 'confirm-slot', 'change']);

/** A no beside a yes is neither: it is asked again. */
function denied(draft: TurnDraft, heard: Heard, _: ProposedAct, span: Span): Heard | string {
  if (!ASKS_YES_OR_NO.has(draft.state.pending.kind)) return 'nothing is asked with yes or no';
  return actOf(heard, 'affirm') ? withoutYes(heard) : withAct(heard, { type: 'deny', span });
}

function notRight(draft: TurnDraft, heard: Heard, { of = '' }: ProposedAct): Heard | string {
  if (!ASKS_YES_OR_NO.has(draft.state.pending.kind)) return 'nothing was read back';
  const isHeld = draft.flow?.slots.some(({ name }) => name === of) && draft.state.slots[of] !== undefined;
  return isHeld ? { ...withoutYes(heard), wrong: of } : 'no value of this name is held';
}

/** A model may put a condition to a yes; the yes itself has to be heard. */
function affirmed(_: TurnDraft, heard: Heard, { but = false }: ProposedAct): Heard | string {
  const yes = actOf(heard, 'affirm');
  if (!yes) return 'no yes was heard';
  if (!but) return heard;
  return { ...heard, acts: heard.acts.map((act) => (act === yes ? { ...yes, conditional: true } : act)) };
}

function left(draft: TurnDraft, heard: Heard, _: ProposedAct, span: Span): Heard | string {
  if (draft.state.flow === undefined) return 'there is nothing to leave';
  return wished(draft, heard, 'stock:cancel', span);
}

/** Said to somebody else, or for something that the agent is not for: then it is none of what it resembles. */
function nothingOfTheAgent(draft: TurnDraft, heard: Heard): Heard | string {
  if (fits(draft, heard)) return 'a value of the question';
  if (heard.doubts || heard.guesses[0]?.score === 1) return 'one wish a turn';
  return { ...heard, aside: true, guesses: [], acts: heard.acts.filter(({ type }) => type !== 'request') };
}

/** A question that nobody has an answer for is at least no answer to what was asked. */
function asked(draft: TurnDraft, heard: Heard, { of }: ProposedAct, span: Span): Heard | string {
  if (of !== undefined) return wished(draft, heard, of, span);
  return fits(draft, heard) ? 'a value of the question' : { ...heard, aside: true };
}

function goodbye(draft: TurnDraft, heard: Heard, _: ProposedAct, span: Span): Heard | string {
  if (draft.state.pending.kind !== 'open') return 'something is being asked';
  const other = heard.guesses.find(({ meaning, score }) => meaning.kind !== 'stock' && score >= NEARNESS.accept);
  return other ? 'the words are clear without it' : wished(draft, heard, own(draft, 'goodbye'), span);
}

/** The engine's own meaning of this name, or the agent's that took its place. */
function own(draft: TurnDraft, name: string): string {
  return draft.agent.meaning(`stock:${name}`) ? `stock:${name}` : `intent:${name}`;
}

/** Something that is wished for: the first meaning of the sentence, or one of two that are asked about. */
function wished(draft: TurnDraft, heard: Heard, id = '', span: Span): Heard | string {
  const meaning = draft.agent.meaning(id);
  if (!meaning) return 'the agent has no such wish';
  const isOpen = draft.state.pending.kind === 'open';
  const guess = certainly(id, meaning);
  const why = notNow(draft, heard, guess);
  if (why !== undefined) return why;
  const other = clearOf(heard, isOpen);
  if (other && other.id !== id) {
    const choice = isOpen && other.meaning.kind === 'intent' && meaning.kind === 'intent';
    return choice ? { ...heard, doubts: [other, guess] } : 'the words are clear without it';
  }
  if (!other && mustAskBack(draft, heard, guess, span)) {
    return isOpen ? { ...heard, doubts: [guess] } : 'not sure enough to leave what is being done';
  }
  const guesses = [guess, ...heard.guesses.filter((one) => one.id !== id)];
  return {
    ...heard,
    guesses,
    acts: [...heard.acts.filter(({ type }) => type !== 'request'), { type: 'request', guess, span }],
  };
}

function notNow(draft: TurnDraft, heard: Heard, guess: Guess): string | undefined {
  const { flow, state } = draft;
  if (heard.forbidden.has(guess.id)) return 'the caller forbids it';
  if (heard.doubts || heard.guesses[0]?.score === 1) return 'one wish a turn';
  if (fits(draft, heard)) return 'a value of the question';
  const yes = state.pending.kind === 'open' ? undefined : actOf(heard, 'affirm');
  if (yes && !yes.conditional && guess.meaning.kind !== 'knowledge') return 'a yes was heard';
  return flow && isOwnIntent(guess, flow) ? 'it is being done' : undefined;
}

/** What the words say clearly without a model. */
function clearOf({ guesses }: Heard, isOpen: boolean): Guess | undefined {
  if (!isOpen) return guesses[0] && guesses[0].score >= NEARNESS.surelyElse ? guesses[0] : undefined;
  const decision = decide(openGuesses(guesses), true);
  return decision.kind === 'take' && !isPleasantry(decision.guess) ? decision.guess : undefined;
}

/** A wish found where somebody is told not to do it, or one that would act without being read back, is asked about first. */
function mustAskBack(draft: TurnDraft, { words, guesses }: Heard, { id, meaning }: Guess, span: Span): boolean {
  if (meaning.kind !== 'intent') return false;
  if (actsUnasked(draft, meaning)) return true;
  const known = guesses.find((one) => one.id === id)?.score ?? 0;
  return known < NEARNESS.accept && isToldNotTo(words, span);
}

function actsUnasked(draft: TurnDraft, { intent }: Extract<Meaning, { kind: 'intent' }>): boolean {
  const flow = draft.agent.flows.get(intent.flow ?? '');
  const actions = [
    ...(intent.action ? [intent.action] : []),
    ...(flow && flow.confirm === undefined ? flow.actions : []),
  ];
  return actions.some(({ type }) => type === 'http' || type === 'tool' || type === 'hangup');
}

function isToldNotTo(words: readonly Word[], { start, end }: Span): boolean {
  const negation = firstPhrase(words, NEGATES);
  if (!negation || !tellsNot(words, negation)) return false;
  const reach = scopeOf(words, negation);
  return reach.start < end && reach.end > start;
}
