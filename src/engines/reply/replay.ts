import { createHash } from 'node:crypto';
import type { SlotDefinition } from '../../core/agent.ts';
import { languageOfText } from '../../language/detect-language.ts';
import { clip, fold, MAX_INPUT_CHARS } from '../../language/fold.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { REFUSAL_PHRASES } from '../../language/values/refusal-phrases.ts';
import { type SlotValue, same } from '../../language/values/slot.ts';
import { readSlotText } from '../../language/values/slot-filling.ts';
import { saidText } from '../../language/values/text.ts';
import { wordsOf } from '../../language/words.ts';
import type { CompiledAgent, Question } from './compiled-agent.ts';
import { idByLabel } from './compiled-agent.ts';
import type { Turn } from './contract.ts';
import { certainWithout, hear, takeTurn } from './dialogue.ts';
import { type DialogueState, initialState } from './dialogue-state.ts';
import { quotedIn } from './document-quote.ts';
import { offersKeys } from './keypad.ts';
import { possibleProposals } from './proposal/possible.ts';
import { STOCK } from './stock-phrases.ts';
import { heardOf, matchTemplate } from './template.ts';
import type { TurnOutcome, TurnSetting } from './turn-draft.ts';

/** Only the last turns are used (as the public API says). */
export const MAX_HISTORY_TURNS = 20;
/** A question stands at the end of what was said. */
const LAST_SENTENCES = 6;
const LAST_CHARS = 800;

/** How the engine's key prompts and its asking back sound: only then those courses are tried. */
const KEY_TALK = /press|key it|key in|اضغط|ادخل/;
const DOUBT_TALK = [STOCK.didYouMeanOne, STOCK.didYouAsk]
  .flatMap(({ en, ar }) => [...en, ...ar])
  .map((text) => fold(text.split('{{')[0]!));
/** Said after a read-back, to whom has only keys. */
const PRESS_TALK: ReadonlySet<string> = new Set(
  [...STOCK.pressYesNo.en, ...STOCK.pressYesNo.ar].map((text) => fold(text)),
);
/** An hour that is over now was not when it was agreed. */
const PAST_TALK: ReadonlySet<string> = new Set(Object.values(REFUSAL_PHRASES.past));

export interface Replayed {
  readonly state: DialogueState;
  /** Whether the agent offered its keys so far. */
  readonly mode: TurnSetting['mode'];
}

/**
 * Rebuilds the dialogue from what was said. The caller's turns are taken again; what the agent really said decides
 * which of the possible courses was the real one (trusted or doubted, spoken or keyed, read with a model or without: no
 * model is asked again), and where none fits (the history was cut, or written by someone else) the question is recognised
 * by its words, with the values it read back.
 */
export function replay(
  agent: CompiledAgent,
  history: readonly Turn[],
  setting: TurnSetting,
  memo: ReplayMemo = new ReplayMemo(),
): Replayed {
  const start = initialState(agent.language);
  let progress: Progress = { state: start, mode: setting.mode, before: start, open: undefined };
  let key = memo.begin(agent, setting);
  for (const turn of history.slice(-MAX_HISTORY_TURNS)) {
    key = memo.next(key, turn);
    const known = memo.get(key);
    progress = known ?? takeHistoryTurn(agent, progress, turn, setting);
    if (!known) memo.put(key, progress);
  }
  return { state: progress.state, mode: progress.mode };
}

/** How far a replay has come. */
interface Progress extends Replayed {
  /** Before the caller's last turn. */
  readonly before: DialogueState;
  /** The caller's last turn and what was heard of the answer so far; `settled` once an answer was recognised. */
  readonly open: (OpenTurn & { readonly settled: boolean }) | undefined;
}
interface OpenTurn {
  readonly text: string;
  readonly heard: string;
  readonly expected: TurnOutcome;
}

const MAX_REMEMBERED = 2_000;

/**
 * Replays remembered by the history they are of: a call's next turn starts where its last one stopped. Only saves
 * time: what is not there is replayed. The oldest entries go first.
 */
export class ReplayMemo {
  readonly #entries = new Map<string, Progress>();
  readonly #agents = new WeakMap<CompiledAgent, number>();
  #agentCount = 0;

  begin(agent: CompiledAgent, setting: TurnSetting): string {
    const number = this.#agents.get(agent) ?? this.#agentCount++;
    this.#agents.set(agent, number);
    return hashOf(`${number} ${JSON.stringify([setting.today, setting.mode, setting.variables])}`);
  }
  next(key: string, turn: Turn): string {
    return hashOf(`${key} ${turn.role} ${clip(turn.text, MAX_INPUT_CHARS)}`);
  }
  get(key: string): Progress | undefined {
    return this.#entries.get(key);
  }
  put(key: string, progress: Progress): void {
    this.#entries.set(key, progress);
    if (this.#entries.size > MAX_REMEMBERED) this.#entries.delete(this.#entries.keys().next().value!);
  }
  clear(): void {
    this.#entries.clear();
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function takeHistoryTurn(agent: CompiledAgent, progress: Progress, turn: Turn, given: TurnSetting): Progress {
  const { state, mode, open } = progress;
  const setting = { ...given, mode, trusted: true };
  const text = clip(turn.text, MAX_INPUT_CHARS);
  if (turn.role === 'caller') {
    const expected = takeTurn(agent, state, text, setting);
    return { state: expected.state, mode, before: state, open: { text, heard: '', expected, settled: false } };
  }
  const silent = !open || open.settled ? takeTurn(agent, state, '', setting) : undefined;
  if (silent && heardOf(plannedText(silent), text) !== 'other') {
    return { state: silent.state, mode, before: state, open: undefined }; // the caller said nothing
  }
  if (open) return takeAnswer(agent, progress, { ...open, heard: `${open.heard} ${text}`.trim() }, setting);
  const recognised = recognise(agent, state, state, text, setting);
  const keyed = offersKeys(agent, text) ? 'keypad' : mode;
  return { ...progress, mode: keyed, state: recognised.turn === 0 ? { ...recognised, lastText: text } : recognised };
}

/** More of the answer to the caller's last turn. */
function takeAnswer(agent: CompiledAgent, progress: Progress, open: OpenTurn, setting: TurnSetting): Progress {
  const course = courseOf(agent, progress.before, open, setting);
  const mode = course?.mode ?? progress.mode;
  const settled = { ...open, settled: true };
  if (course?.whole) return { ...progress, mode, state: course.outcome.state, open: settled };
  const guessed = course?.outcome.state ?? wordsOnly(agent, progress.before, open, setting).state;
  const state = recognise(agent, progress.before, guessed, open.heard, setting);
  // Nobody says yes to a read-back that was not heard.
  const isUnread = !course && state.pending === guessed.pending && CONFIRMS.has(state.pending.kind);
  const { turn, lastText } = state;
  return { ...progress, mode, state: isUnread ? { ...progress.before, turn, lastText } : state, open: settled };
}

const CONFIRMS = new Set<DialogueState['pending']['kind']>(['confirm-flow', 'confirm-slot']);

/**
 * A turn that was answered with words which no reading explains: a model's or somebody else's, in the place of not having
 * understood. Where nothing is asked in them, nothing was begun.
 */
function wordsOnly(agent: CompiledAgent, before: DialogueState, open: OpenTurn, setting: TurnSetting): TurnOutcome {
  const asks = /[?؟]/.test(open.heard);
  const acts = asks ? [] : [{ type: 'other', words: open.text } as const];
  return takeTurn(agent, before, open.text, setting, { acts, say: open.heard });
}

function plannedText(outcome: TurnOutcome): string {
  return outcome.lines.map((line) => line.text).join(' ');
}

/** A way the turn may have gone. `whole`: nothing was heard beyond it. */
interface Course {
  readonly outcome: TurnOutcome;
  readonly mode: TurnSetting['mode'];
  readonly whole: boolean;
}

/** The course of a turn that leads to what was heard: the expected one, or the doubted or keyed one. */
function courseOf(
  agent: CompiledAgent,
  before: DialogueState,
  turn: OpenTurn,
  setting: TurnSetting,
): Course | undefined {
  const courseIf = (outcome: TurnOutcome, mode: TurnSetting['mode']): Course | undefined => {
    const planned = plannedText(outcome);
    const heard = heardOf(planned, turn.heard);
    // What a tool answered is not known here; it is said after what was planned.
    const tool = outcome.tool !== undefined && (planned === '' || heard === 'more');
    return heard === 'other' && !tool ? undefined : { outcome, mode, whole: heard === 'fits' || tool };
  };
  // Asked first: what a tool may have said fits everything.
  const isActed = before.pending.kind === 'confirm-flow' && turn.expected.done.length > 0;
  if (isActed && heardOf(plannedText(turn.expected), turn.heard) !== 'fits') {
    const asked = courseIf(takeTurn(agent, before, turn.text, { ...setting, trusted: false }), setting.mode);
    if (asked?.whole && asked.outcome.tool === undefined) return asked;
  }
  const expected = courseIf(turn.expected, setting.mode);
  if (expected?.whole) return expected;
  if (expected) return proposedCourse(agent, before, turn, setting, courseIf) ?? expected;
  const passage = turn.expected.unanswered ? quotedIn(turn.heard, before.language) : undefined;
  const quoted = passage && courseIf(takeTurn(agent, before, turn.text, { ...setting, passage }), setting.mode);
  if (quoted?.whole) return quoted;
  const earlier = turn.expected.lines.some(({ text }) => PAST_TALK.has(text))
    ? courseIf(takeTurn(agent, before, turn.text, { ...setting, minuteOfDay: undefined }), setting.mode)
    : undefined;
  if (earlier?.whole) return earlier;
  let beginning = earlier;
  const heard = fold(turn.heard);
  const modes = setting.mode === 'voice' && KEY_TALK.test(heard) ? (['keypad', 'voice'] as const) : [setting.mode];
  const doubted = DOUBT_TALK.some((opening) => heard.startsWith(opening.slice(0, heard.length)));
  for (const mode of modes) {
    for (const trusted of doubted ? [true, false] : [true]) {
      const outcome = takeTurn(agent, before, turn.text, { ...setting, mode, trusted });
      const course = courseIf(outcome, mode);
      if (course?.whole) return course;
      beginning ??= course;
    }
  }
  return proposedCourse(agent, before, turn, setting, courseIf) ?? beginning;
}

/** The course of a turn that was read with a model: the reading that leads to what the agent then said. */
function proposedCourse(
  agent: CompiledAgent,
  before: DialogueState,
  turn: OpenTurn,
  setting: TurnSetting,
  courseIf: (outcome: TurnOutcome, mode: TurnSetting['mode']) => Course | undefined,
): Course | undefined {
  const heard = hear(agent, before, turn.text, setting);
  if (certainWithout(agent, before, turn.text, setting, heard) !== undefined) return undefined;
  for (const proposal of possibleProposals(agent, before, turn.text, turn.heard)) {
    const course = courseIf(takeTurn(agent, before, turn.text, setting, proposal, heard), setting.mode);
    if (course?.whole) return course;
  }
  return undefined;
}

/** The state in which the agent would have asked what it asked. */
function recognise(
  agent: CompiledAgent,
  before: DialogueState,
  guessed: DialogueState,
  text: string,
  setting: TurnSetting,
): DialogueState {
  const said = sentencesOf(text.slice(-LAST_CHARS));
  const sentences = (PRESS_TALK.has(fold(said.at(-1) ?? '')) ? said.slice(0, -1) : said).slice(-LAST_SENTENCES);
  for (let from = 0; from < sentences.length; from += 1) {
    const spelt = sentences.slice(from).join(' ');
    const rest = fold(spelt);
    for (const question of inOrder(agent.questions, guessed.flow ?? guessed.left?.flow)) {
      const captured = matchTemplate(question.template, rest);
      if (!captured) continue;
      const state = stateAt(agent, before, guessed, question, { captured, spelt }, setting);
      if (state) return { ...state, language: spoken(agent, text, state), lastText: text };
    }
  }
  return { ...guessed, lastText: text === '' ? guessed.lastText : text };
}

function spoken(agent: CompiledAgent, text: string, state: DialogueState): DialogueState['language'] {
  const language = languageOfText(text);
  return language && agent.languages.includes(language) ? language : state.language;
}

function inOrder(questions: readonly Question[], flow: string | undefined): readonly Question[] {
  if (flow === undefined) return questions;
  return [
    ...questions.filter((question) => question.flow === flow),
    ...questions.filter((question) => question.flow !== flow),
  ];
}

/** The values of a question, folded, and what was said with them in. */
interface Captured {
  readonly captured: Readonly<Record<string, string>>;
  readonly spelt: string;
}

/** A value out of a read-back: a free text as the agent spelt it, since it was taken down from the caller's words before. */
function readBackValue(
  captured: string,
  spelt: string,
  slot: SlotDefinition,
  { today }: TurnSetting,
): SlotValue | undefined {
  if (slot.type !== 'text') return readSlotText(captured, slot, today);
  const words = wordsOf(spelt);
  const length = captured.split(' ').length;
  const at = words.findIndex(
    (_, start) =>
      words
        .slice(start, start + length)
        .map(({ text }) => text)
        .join(' ') === captured,
  );
  const text = at < 0 ? captured : saidText(words.slice(at, at + length));
  return { value: text, say: same(text) };
}

/** What was read back is what was held, whatever the words before make of it: a model may have heard something else in them. */
function isSaidIn(captured: string, held: SlotValue | undefined): boolean {
  return held !== undefined && Object.values(held.say).some((say) => ` ${captured} `.includes(` ${fold(say)} `));
}

const WHOLE = /[.!?؟]\s*$/;

function stateAt(
  agent: CompiledAgent,
  before: DialogueState,
  guessed: DialogueState,
  question: Question,
  { captured, spelt }: Captured,
  setting: TurnSetting,
): DialogueState | undefined {
  switch (question.kind) {
    case 'no-input':
      return { ...before, noInput: question.index + 1, turn: guessed.turn };
    case 'no-match':
      return { ...before, noMatch: question.index + 1, turn: guessed.turn };
    case 'change':
      return { ...guessed, pending: { kind: 'change' } };
    case 'choose': {
      const options = ['a', 'b']
        .map((key) => captured[key] && idByLabel(agent, captured[key]))
        .filter((id) => id !== undefined && id !== '');
      if (options.length === 0) return undefined;
      return {
        ...before,
        turn: guessed.turn,
        pending: { kind: 'choose', options: options as string[], utterance: '' },
      };
    }
  }
  const flow = agent.flows.get(question.flow ?? '');
  if (!flow) return undefined;
  const { left } = guessed; // a person was asked for, and nobody took the call
  const own = [guessed, left].find((one) => one?.flow === flow.name);
  const slots: Record<string, SlotValue> = { ...own?.slots };
  for (const slot of flow.slots) {
    const value =
      captured[slot.name] && !isSaidIn(captured[slot.name]!, slots[slot.name])
        ? readBackValue(captured[slot.name]!, spelt, slot, setting)
        : undefined;
    if (value) slots[slot.name] = value;
  }
  const base = { ...guessed, flow: flow.name, confirmed: own?.confirmed ?? [], left: undefined };
  const name = question.slot ?? '';
  if (question.kind === 'confirm-flow') {
    const isRead = flow.slots.some(({ name }) => captured[name] && slots[name] !== own?.slots[name]);
    const isCut = question.template.names.some((name) => captured[name] === undefined && slots[name] === undefined);
    if (isCut || (isRead && !WHOLE.test(spelt))) return undefined; // what was not heard to its end tells no values
    const agreed = flow.slots.filter((slot) => slots[slot.name] !== undefined).map((slot) => slot.name);
    return { ...base, slots, confirmed: agreed, pending: { kind: 'confirm-flow' }, attempts: 0 };
  }
  if (question.kind === 'confirm-slot') {
    if (slots[name] === undefined) return undefined;
    return { ...base, slots, pending: { kind: 'confirm-slot', slot: name }, attempts: 0 };
  }
  const { [name]: _, ...others } = slots;
  return { ...base, slots: others, pending: { kind: 'slot', slot: name }, attempts: question.index };
}
