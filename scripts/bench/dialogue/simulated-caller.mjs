import { digitRuns } from '../../../dist/language/number-words.js';

/** A caller with a goal: says the next of its lines for whatever the agent asks, and judges what was done. */
const MAX_TURNS = 30;

export class SimulatedCaller {
  #row;
  #said = new Map();

  constructor(row) {
    this.#row = row;
  }

  /**
   * @param turn - (state, text) => outcome of `takeTurn`.
   * @param label - id of an option => how it is called.
   * @returns whether the goal was reached, why not, and the conversation line by line.
   */
  talk(start, turn, label) {
    const lines = this.lines(start, label);
    let line = lines.next();
    while (!line.done) line = lines.next(turn(line.value.state, line.value.text));
    return line.value;
  }

  /** What `talk` says line by line: yields `{state, text}`, is given the outcome, returns what `talk` returns. */
  *lines(start, label) {
    const { goal } = this.#row;
    const talk = [];
    const done = [];
    const meant = [];
    let state = start;
    let human = false;
    let text = this.#line('opening');
    let ended = false;
    let begun = false;
    for (let i = 0; i < MAX_TURNS && !ended; i += 1) {
      const outcome = yield { state, text };
      state = outcome.state;
      done.push(...doneOf(outcome));
      meant.push(...outcome.meant);
      const spoken = outcome.lines.map((line) => line.text).join(' ');
      talk.push(`  C: ${text}`, `  A: ${spoken}${outcome.action ? ` [${outcome.action.type}]` : ''}`);
      if (outcome.trace) talk.push(`     ${outcome.trace.map((step) => step.rule ?? step).join(' | ')}`);
      human ||= outcome.action?.type === 'transfer';
      ended = outcome.action?.type === 'transfer' || outcome.action?.type === 'hangup';
      const left = begun && state.flow === undefined;
      begun ||= state.flow !== undefined;
      text = left && this.#wantsNothing(meant) ? this.#bye(label) : this.#answer(state, done, label, meant);
    }
    const why = failure(goal, { done, human, meant, ended });
    return { ok: why === undefined, why, talk };
  }

  #answer(state, done, label, meant) {
    const { pending } = state;
    switch (pending.kind) {
      case 'slot':
        if (pending.slot === 'name') return this.#ownName(state) ?? this.#line('fallback') ?? this.#line('opening');
        return this.#line(SLOT_NAMES[pending.slot] ?? pending.slot) ?? this.#line('fallback') ?? this.#line('opening');
      case 'confirm-slot':
      case 'confirm-flow':
        return this.#line('confirm') ?? 'yes';
      case 'change':
        return this.#line('change') ?? this.#line('confirm') ?? this.#line('fallback') ?? 'nothing';
      case 'choose':
        return this.#chosen(pending.options, done, label);
      default:
        if (done.length > 0 || this.#isAnswered(meant)) return this.#bye(label);
        if ((this.#said.get('opening') ?? 0) < this.#row.opening.length) return this.#line('opening');
        return this.#line('help') ?? this.#line('fallback') ?? this.#line('opening');
    }
  }

  /** Who wanted nothing done in the end, and saw it left, does not begin anew, but asks what else there was to ask. */
  #wantsNothing(meant) {
    const { done = [], human, answered } = this.#row.goal;
    const more = (this.#row.answers['anything-else'] ?? []).length - (this.#said.get('anything-else') ?? 0);
    return done.length === 0 && !human && (!answered || more > 0 || meant.some(isQuestion));
  }

  #bye(label) {
    return this.#line('anything-else') ?? label('bye');
  }

  /** Who asked something, was told, and has said everything else, does not say it all again. */
  #isAnswered(meant) {
    const helped = (this.#said.get('help') ?? 0) >= (this.#row.answers.help ?? []).length;
    return this.#row.goal.answered && helped && meant.some(isQuestion);
  }

  /**
   * The name that a record is under, as the caller says it; who has no line for it knows it all the same. Who is to have nothing
   * done may be refused for a name, and says no other than his own.
   */
  #ownName({ slots }) {
    const { goal, answers } = this.#row;
    if ((goal.done ?? []).length === 0 && answers.name) return this.#line('name');
    const own = OWNERS[(slots.order ?? slots.phone)?.value];
    const lines = this.#row.answers.name ?? [];
    const names = Object.values(OWNERS).map((name) => fold(name).split(' ')[0]);
    const isSaid = own === undefined || lines.some((line) => names.some((name) => fold(line).includes(name)));
    return isSaid ? this.#line('name') : own;
  }

  /** Asked which of one or two is meant: the one of the goal that is still to be done. */
  #chosen(options, done, label) {
    const left = (this.#row.goal.done ?? []).filter(({ wish }) => !done.some((one) => isWish(one.wish, wish)));
    const wanted = options.find((id) => left.some(({ wish }) => id === `intent:${wish}`));
    if (wanted && options.length === 1) return this.#line('yes') ?? label('yes');
    if (wanted) return label(wanted);
    if (this.#row.goal.answered && options[0]?.startsWith('knowledge:'))
      return options.length === 1 ? label('yes') : label(options[0]);
    return this.#line('fallback') ?? label('no');
  }

  /** The next line for a question; the last one again beyond the end. */
  #line(key) {
    const lines = key === 'opening' ? this.#row.opening : this.#row.answers[key];
    if (!Array.isArray(lines) || lines.length === 0) return undefined;
    const at = this.#said.get(key) ?? 0;
    this.#said.set(key, at + 1);
    return lines[Math.min(at, lines.length - 1)];
  }
}

/** What a turn did: `{wish, slots}`, by the flow's name where the intent's is another. */
function doneOf(outcome) {
  return (outcome.done ?? []).map(({ flow, slots }) => ({
    wish: flow,
    slots: Object.fromEntries(
      Object.entries(slots).map(([name, value]) => [SLOT_NAMES[name] ?? name, value.value ?? value]),
    ),
  }));
}

/** Whose the records of the shipped agents are: their callers know it. */
const OWNERS = {
  ...{ 4521: 'Sami Haddad', 4522: 'Sara Naser', 7788: 'Omar Faleh', 3090: 'Huda Saleh', 6104: 'Majed Turki' },
  ...{ '0551234567': 'خالد', '0509876543': 'منيرة', '0533221100': 'عبدالله' },
  ...{ '0544445555': 'نوف', '0567890123': 'سلطان' },
};

/** Sets call the slot by what it is. */
const SLOT_NAMES = { patient: 'name' };
const isQuestion = (id) => id.startsWith('knowledge:');
const WISH_OF_FLOW = { cancel: ['cancel', 'cancel-appointment'], check: ['my-appointment'] };

function isWish(flow, wish) {
  return flow === wish || (WISH_OF_FLOW[flow] ?? []).includes(wish);
}

function failure(goal, { done, human, meant }) {
  const left = [...done];
  for (const { wish, slots = {} } of goal.done ?? []) {
    const at = left.findIndex(
      (one) =>
        isWish(one.wish, wish) &&
        Object.entries(slots).every(
          ([name, value]) => one.slots[name] !== undefined && sameValue(name, one.slots[name], value),
        ),
    );
    if (at < 0) return `not done: ${wish} ${JSON.stringify(slots)}; done: ${JSON.stringify(done)}`;
    left.splice(at, 1);
  }
  // Looking something up harms nobody; whatever changes something must have been wished for.
  const harmful = left.filter(({ wish }) => !['track', 'check'].includes(wish));
  if (harmful.length > 0) return `done without being wished for: ${JSON.stringify(harmful)}`;
  const never = left.find(({ wish }) => (goal.never ?? []).some((one) => isWish(wish, one)));
  if (never) return `forbidden and done: ${never.wish}`;
  if (goal.human && !human) return 'no person was called';
  if (!goal.human && human) return 'a person was called';
  if (goal.answered && !meant.some(isQuestion)) return 'the question was not answered';
  return undefined;
}

/** What went wrong, by kind: harm is what nobody forgives. */
export function kindOf(why) {
  if (why.startsWith('done without') || why.startsWith('forbidden')) return 'wrong act';
  if (!why.startsWith('not done')) return why;
  const [, wish, , done] = /^not done: (\S+) (.*); done: (.*)$/.exec(why);
  const flow = { 'cancel-appointment': 'cancel', 'my-appointment': 'check' }[wish] ?? wish;
  return JSON.parse(done).some((one) => one.wish === flow) ? 'other values' : 'not done';
}

const fold = (text) =>
  String(text)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Words with their numbers as digits: `building 70` is building seventy. */
function wordsIn(text) {
  const words = fold(text).split(' ');
  const runs = digitRuns(words);
  return words.flatMap((word, at) => {
    const run = runs.find(({ start, end }) => at >= start && at < end);
    return run ? (run.start === at ? [run.digits] : []) : [word];
  });
}

/** Names and addresses count as the same when either holds all words of the other. */
export function sameValue(name, value, wanted) {
  if (name !== 'name' && name !== 'patient' && name !== 'address') return String(value) === String(wanted);
  const [a, b] = [wordsIn(value), wordsIn(wanted)];
  const within = (few, many) => few.every((word) => many.includes(word));
  return within(a, b) || within(b, a);
}
