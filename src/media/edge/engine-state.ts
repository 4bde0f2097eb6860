/**
 * Whether one rtpengine answers. It is asked anew all the time, and takes calls while nobody knows better.
 *
 *   unknown --answered--> up --silent--> down --answered--> up
 *   unknown --silent--> down
 */
export const ENGINE_TRANSITIONS = {
  unknown: { answered: 'up', silent: 'down' },
  up: { silent: 'down' },
  down: { answered: 'up' },
} as const;

export type EngineState = keyof typeof ENGINE_TRANSITIONS;
export type EngineEvent = 'answered' | 'silent';

/** The state after `event`, or undefined where it changes nothing. */
export function nextEngineState(state: EngineState, event: EngineEvent): EngineState | undefined {
  return (ENGINE_TRANSITIONS[state] as Partial<Record<EngineEvent, EngineState>>)[event];
}

/** What is known of one rtpengine when a call looks for one. */
export interface Candidate {
  readonly state: EngineState;
  readonly weight: number;
}

/**
 * The order in which a call tries them: those that are not down, each before the others as often as its weight says; weight 0 comes
 * after all with one. Those that are down come last, for they may be back.
 *
 * @param random - 0 to 1, asked once for each.
 */
export function inTurn<T extends Candidate>(candidates: readonly T[], random: () => number): readonly T[] {
  const drawn = candidates.map((candidate) => ({
    candidate,
    rank: (candidate.state === 'down' ? 2 : 0) + (candidate.weight === 0 ? 1 : 0),
    // The smallest of exponentials with these rates comes first as often as its rate among all says.
    key: -Math.log(1 - random()) / Math.max(candidate.weight, 1),
  }));
  return drawn.sort((a, b) => a.rank - b.rank || a.key - b.key).map(({ candidate }) => candidate);
}
