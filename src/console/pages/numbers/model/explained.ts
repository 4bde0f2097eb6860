/** What the gateway answers to "what happens when NUMBER is called from ADDRESS". */
export interface Explained {
  readonly taken: boolean;
  readonly sender: 'admitted' | 'challenge' | 'refused';
  readonly source: string | null;
  readonly called: string;
  readonly agent: string | null;
  readonly reason: string | null;
}
export interface Step {
  readonly kind: 'sender' | 'number' | 'agent' | 'answer';
  /** `open`: the call does not come so far. */
  readonly state: 'yes' | 'no' | 'open';
}

/** The way of a call, up to where it ends. Pure. */
export function stepsOf({ taken, sender, agent, reason }: Explained): readonly Step[] {
  const known = sender === 'admitted';
  const found = known && agent !== null && reason !== 'switched-off';
  const state = (isReached: boolean, isGood: boolean): Step['state'] => (!isReached ? 'open' : isGood ? 'yes' : 'no');
  return [
    { kind: 'sender', state: state(true, known) },
    { kind: 'number', state: state(known, found) },
    { kind: 'agent', state: state(found, taken) },
    { kind: 'answer', state: taken ? 'yes' : 'open' },
  ];
}

export const SOURCES = ['trunk', 'phone', 'stream', 'loopback', 'anonymous', 'unknown'] as const;
/** `trunk carrier` as its kind and its name; `loopback` has none. Pure. */
export function sourceParts(source: string | null): { readonly kind: (typeof SOURCES)[number]; readonly name: string } {
  const [first = '', ...rest] = (source ?? '').split(' ');
  return { kind: SOURCES.find((one) => one === first) ?? 'unknown', name: rest.join(' ') };
}
