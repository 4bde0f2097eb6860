import type { Pattern } from './pattern.ts';
import { mergeStates, type Transition } from './state-merging.ts';

/** Far more than 500 sentences need; a grammar beyond it would take longer to search than speech lasts. */
export const STATES_MAX = 20_000;

/** Thrown for more than `STATES_MAX` states: the caller gives fewer phrases. */
export class GrammarTooLarge extends Error {}

/**
 * A pattern as the finite-state grammar text that the recogniser reads. It is made here and not by the library's own JSGF
 * compiler, which loses weights before rules and lets a leading repetition run on into its neighbours.
 *
 * @throws GrammarTooLarge
 */
export function finiteStateText(pattern: Pattern): string {
  return networkText([{ from: START, to: END, pattern }]);
}

/** A step between two named places, of which a network is made; every sentence leads from `START` to `END`. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly pattern: Pattern;
}
export const START = 'start';
export const END = 'end';

/**
 * The same for patterns between places that several of them lead to, so that what follows is there once.
 *
 * @throws GrammarTooLarge
 */
export function networkText(steps: readonly Step[]): string {
  const builder = new Builder();
  const places = new Map([
    [START, 0],
    [END, 1],
  ]);
  const stateOf = (place: string): number => {
    const state = places.get(place) ?? builder.state();
    places.set(place, state);
    return state;
  };
  for (const { from, to, pattern } of steps) builder.add(pattern, stateOf(from), stateOf(to), 1);
  const { states, transitions } = mergeStates(builder);
  const lines = transitions.map(({ from, to, weight, token }) =>
    `TRANSITION ${from} ${to} ${weight} ${token}`.trimEnd(),
  );
  return ['FSG_BEGIN <said>', `NUM_STATES ${states}`, 'START_STATE 0', 'FINAL_STATE 1', ...lines, 'FSG_END', ''].join(
    '\n',
  );
}

/** The words that the pattern can hold. */
export function tokensOf(pattern: Pattern, into = new Set<string>()): Set<string> {
  if (pattern.type === 'token') into.add(pattern.token);
  else if (pattern.type === 'sequence') for (const part of pattern.parts) tokensOf(part, into);
  else if (pattern.type === 'choice') for (const option of pattern.options) tokensOf(option.pattern, into);
  else tokensOf(pattern.pattern, into);
  return into;
}

class Builder {
  states = 2;
  readonly transitions: Transition[] = [];

  /** Adds ways from `from` to `to` that say `pattern`; the first step of each costs `weight`. */
  add(pattern: Pattern, from: number, to: number, weight: number): void {
    switch (pattern.type) {
      case 'token':
        this.transitions.push({ from, to, weight, token: pattern.token });
        return;
      case 'choice':
        for (const option of pattern.options) this.add(option.pattern, from, to, weight * option.weight);
        return;
      case 'repeat':
        return this.#addRepeat(pattern.pattern, pattern.min, from, to, weight);
      case 'sequence':
        return this.#addSequence(pattern.parts, from, to, weight);
    }
  }

  #addSequence(parts: readonly Pattern[], from: number, to: number, weight: number): void {
    if (parts.length === 0) {
      this.transitions.push({ from, to, weight, token: '' });
      return;
    }
    let at = from;
    parts.forEach((part, i) => {
      const next = i === parts.length - 1 ? to : this.state();
      this.add(part, at, next, i === 0 ? weight : 1);
      at = next;
    });
  }

  /** A state of its own to turn in, so that nothing before or after can be entered from the loop. */
  #addRepeat(pattern: Pattern, min: 0 | 1, from: number, to: number, weight: number): void {
    const loop = this.state();
    if (min === 0) this.transitions.push({ from, to: loop, weight, token: '' });
    else this.add(pattern, from, loop, weight);
    this.add(pattern, loop, loop, 1);
    this.transitions.push({ from: loop, to, weight: 1, token: '' });
  }

  state(): number {
    if (this.states >= STATES_MAX) throw new GrammarTooLarge(`more than ${STATES_MAX} states`);
    this.states += 1;
    return this.states - 1;
  }
}
