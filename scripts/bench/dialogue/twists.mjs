/**
 * Conversations made by combination: what a caller wants, at which question something unexpected is said, and what. The
 * words are in `test/engines/reply/twists/*.yaml`; nothing of them comes from what the engine listens for. Each row has the
 * form of a written conversation (`test/engines/reply/unseen/README.md`) and its class: `twist`, `base` (the wish), `slot`;
 * `said` is the unexpected line.
 */

/** Small seeded generator (mulberry32): the same seed makes the same conversations. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const QUESTION_OF = { patient: 'name' };
const READ_BACK = new Set(['redeliver', 'change-address', 'damaged', 'cancel', 'book', 'move', 'cancel-appointment']);
/** Said before a look-up: what was begun is left; without it the look-up is only in between. */
const LEAVES = /forget|changed|instead|هونت|غيرت|بدالها/;
const CHOICES = new Set(['window', 'service', 'replace']);
const NUMBERS = new Set(['order', 'phone']);
const FREE = new Set(['address', 'patient']);
/** Whose number was said is asked next: a correction of it is answered with another name. */
const HAS_OWNER = { order: ['redeliver', 'change-address', 'cancel'], phone: ['move', 'cancel-appointment'] };

/**
 * @param data - a file of `twists/`, parsed.
 * @param seed - of the choice of values and wordings.
 * @returns every twist at every question of every wish, in each of its wordings, as rows.
 */
export function twistedRows(data, seed) {
  const random = randomOf(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const rows = [];
  for (const [base, { opening, slots }] of Object.entries(data.bases)) {
    for (const [twist, wordings] of Object.entries(data.twists)) {
      for (const make of makersOf(data, base, slots, twist, wordings)) {
        const caller = callerOf(data, base, opening, slots, pick);
        const slot = make(caller, pick);
        rows.push({
          kind: 'dialogue',
          id: `${base}/${slot}/${twist}/${rows.length}`,
          twist,
          base,
          slot,
          ...caller.row,
        });
      }
    }
  }
  return rows;
}

/** A caller who answers every question plainly; a twist changes some of the lines. */
function callerOf(data, base, opening, slots, pick) {
  const first = {};
  const second = {};
  for (const slot of slots) {
    const own = data.values[slot].filter((one) => one.own || base !== 'book' || slot !== 'phone');
    first[slot] = pick(own);
    second[slot] = pick(own.filter((one) => one !== first[slot]));
  }
  const say = (value) => pick(value.say);
  const answers = {
    confirm: [pick(data.yes)],
    'anything-else': [pick(data.bye)],
    fallback: [pick(data.bye)],
  };
  for (const slot of slots) answers[QUESTION_OF[slot] ?? slot] = [say(first[slot])];
  const goal = { done: [{ wish: base, slots: {} }] };
  for (const slot of slots) goal.done[0].slots[QUESTION_OF[slot] ?? slot] = first[slot].value;
  const row = { what: base, opening: [pick(opening)], answers, goal };
  return {
    row,
    first,
    second,
    say,
    /** The lines for a question. */
    answer: (slot, ...lines) => {
      answers[QUESTION_OF[slot] ?? slot] = lines;
    },
    /** The other value of a slot is what counts in the end. */
    means: (slot) => {
      goal.done[0].slots[QUESTION_OF[slot] ?? slot] = second[slot].value;
    },
    none: () => {
      row.goal = { done: [], never: [base] };
    },
  };
}

function fill(text, words) {
  return text.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? '');
}

/** One function per conversation of a twist; each changes a plain caller and returns the question it is about. */
function* makersOf(data, base, slots, twist, w) {
  const readsBack = READ_BACK.has(base);
  const both = ({ first, second, say }, slot) => ({
    a: say(first[slot]),
    b: say(second[slot]),
    slot: data.slotNames[slot],
  });
  const atSlot = function* (wordings, change, wanted = () => true) {
    for (const slot of slots.filter(wanted)) {
      for (const text of wordings) {
        yield (caller, pick) => {
          caller.row.said = fill(text, { ...both(caller, slot), q: pick(data.questions) });
          change(caller, slot, caller.row.said, pick);
          return slot;
        };
      }
    }
  };
  const thenPlain = (caller, slot, line) => caller.answer(slot, line, caller.say(caller.first[slot]));
  const isAsked = (slot) => HAS_OWNER[slot]?.includes(base) !== true;
  if (w.slot) {
    const corrects = w.slot.some((text) => text.includes('{b}'));
    yield* atSlot(w.slot, (caller, slot, line) => {
      caller.answer(slot, line, caller.say((corrects ? caller.second : caller.first)[slot]));
      if (corrects) caller.means(slot);
    });
  }
  if (w.later) {
    yield* atSlot(
      w.later,
      (caller, slot, line) => {
        const next = slots[slots.indexOf(slot) + 1];
        caller.answer(next, line, caller.say(caller.first[next]));
        caller.means(slot);
      },
      (slot) => slot !== slots.at(-1) && isAsked(slot) && !FREE.has(slots[slots.indexOf(slot) + 1]),
    );
  }
  if (w.readback && readsBack) {
    yield* atSlot(
      w.readback,
      (caller, slot, line, pick) => {
        caller.answer('confirm', line, pick(data.yes));
        caller.answer(slot, caller.say(caller.first[slot]), caller.say(caller.second[slot]));
        caller.answer('change', caller.say(caller.second[slot]));
        caller.means(slot);
      },
      (slot) => slot !== 'replace',
    );
  }
  if ((w.named || w.deny) && readsBack) {
    yield* atSlot(
      w.named ?? w.deny,
      (caller, slot, line, pick) => {
        caller.answer('confirm', line, pick(data.yes));
        caller.answer(slot, caller.say(caller.first[slot]), caller.say(caller.second[slot]));
        caller.answer('change', w.then ? fill(pick(w.then), both(caller, slot)) : caller.say(caller.second[slot]));
        caller.means(slot);
      },
      (slot) => slot !== 'replace',
    );
  }
  if (w.ask || w.both) {
    const change = (caller, slot, line) => {
      thenPlain(caller, slot, line);
      caller.row.goal.answered = true;
    };
    yield* atSlot(w.ask ?? w.both, change, (slot) => w.ask || !FREE.has(slot));
  }
  if (w.condition && readsBack) {
    for (const text of w.condition)
      yield (caller, pick) => {
        caller.row.said = fill(text, { q: pick(data.questions) });
        caller.answer('confirm', caller.row.said, pick(data.yes));
        caller.row.goal.answered = true;
        return 'confirm';
      };
  }
  for (const wordings of [w.hesitate, w.repeat, w.unknown].filter(Boolean)) yield* atSlot(wordings, thenPlain);
  if (w.options) yield* atSlot(w.options, thenPlain, (slot) => CHOICES.has(slot) && slot !== 'replace');
  if (w.halves) {
    for (const slot of slots.filter((one) => NUMBERS.has(one)))
      for (const value of data.values[slot].filter(({ halves }) => halves))
        yield (caller) => {
          caller.row.said = value.halves[0];
          caller.answer(slot, ...value.halves);
          caller.row.goal.done[0].slots[slot] = value.value;
          return slot;
        };
  }
  if (w.drop)
    yield* atSlot(w.drop, (caller, slot, line) => {
      caller.answer(slot, line);
      caller.none();
    });
  if (w.refuse && readsBack) {
    for (const text of w.refuse)
      yield (caller, pick) => {
        caller.row.said = text;
        caller.answer('confirm', text);
        caller.answer('change', pick(data.twists['changed mind'].drop));
        caller.none();
        return 'confirm';
      };
  }
  if (w.human)
    yield* atSlot(w.human, (caller, slot, line) => {
      caller.answer(slot, line);
      caller.none();
      caller.row.goal.human = true;
    });
  if (w.shut) {
    for (const slot of slots.filter((one) => data.shut[one]))
      for (const closed of data.shut[slot])
        yield (caller, pick) => {
          const b = caller.say(caller.second[slot]);
          caller.row.said = closed;
          caller.answer(slot, closed, fill(pick(data.shut.taken), { a: closed, b }));
          caller.means(slot);
          return slot;
        };
  }
  if (w.switch || w.openings) yield* otherWishes(data, base, slots, w);
  if (twist === 'plain') yield* severalAtOnce(data, base, slots);
}

/** Another wish instead of the one that was begun, or two in one sentence. */
function* otherWishes(data, base, slots, w) {
  for (const [other, { slots: theirs }] of Object.entries(data.bases)) {
    if (other === base) continue;
    for (const text of w.switch?.filter((one) => READ_BACK.has(other) || LEAVES.test(one)) ?? w.openings) {
      yield (caller, pick) => {
        const line = fill(text, { w: data.wishes[base], v: data.wishes[other] });
        caller.row.said = line;
        const more = callerOf(data, other, [''], theirs, pick);
        for (const [question, lines] of Object.entries(more.row.answers)) caller.row.answers[question] ??= lines;
        const wanted = Object.fromEntries(
          Object.keys(more.row.goal.done[0].slots).map((name) => [
            name,
            caller.row.goal.done[0].slots[name] ?? more.row.goal.done[0].slots[name],
          ]),
        );
        const done = { wish: other, slots: wanted };
        if (w.openings) {
          caller.row.opening = [line];
          caller.row.goal.done.push(done);
          return 'opening';
        }
        const slot = pick(slots.filter((one) => !FREE.has(one)));
        const question = QUESTION_OF[slot] ?? slot;
        caller.row.answers[question] = [line, ...caller.row.answers[question]];
        caller.row.goal = { done: [done], never: READ_BACK.has(base) ? [base] : [] };
        return slot;
      };
    }
  }
}

/** Values in the first sentence. */
function* severalAtOnce(data, base, slots) {
  for (const text of data.several[base] ?? []) {
    yield (caller) => {
      const words = Object.fromEntries(slots.map((slot) => [slot, caller.first[slot].say[0]]));
      caller.row.said = fill(text, words);
      caller.row.opening = [caller.row.said];
      return 'opening';
    };
  }
}
