/** Heights in CSS pixels; the style sheet of the map has the same. */
export const CARD = { sender: 64, number: 40, agent: 64 } as const;
const SPACE = { between: 8, groups: 20 } as const;
/** Width of what the lines have between the columns. */
export const GAP = { senders: 112, agents: 88 } as const;
/** Numbers of one agent; the rest are counted. */
export const NUMBERS_SHOWN_MAX = 8;

export interface MapNumber {
  readonly number: string;
  readonly agent_id: string;
}
export interface Placed<T> {
  readonly of: T;
  readonly top: number;
}
/** A line as the `d` of an SVG path, from the start of the page to its end. */
export interface Line {
  readonly key: string;
  readonly d: string;
}
export interface MapLayout<S, N, A> {
  readonly height: number;
  readonly senders: readonly Placed<S>[];
  readonly numbers: readonly Placed<N>[];
  /** How many numbers of an agent are not shown, where there are such. */
  readonly more: readonly (Placed<A> & { readonly count: number })[];
  readonly agents: readonly Placed<A>[];
  /** Where the lines of all senders meet: any of them reaches any number. */
  readonly hub: { readonly x: number; readonly y: number };
  readonly fromSenders: readonly Line[];
  readonly toNumbers: readonly Line[];
  readonly toAgents: readonly Line[];
}

/**
 * Places who calls, the numbers and the agents in three columns: numbers stand beside their agent, in order of the agents, so that
 * no two lines between them cross. Pure.
 */
export function layOut<S extends { readonly id: string }, N extends MapNumber, A extends { readonly id: string }>(
  senders: readonly S[],
  numbers: readonly N[],
  agents: readonly A[],
): MapLayout<S, N, A> {
  const of = (agent: A): N[] => numbers.filter(({ agent_id }) => agent_id === agent.id);
  const inOrder = [...agents].sort((one, other) => Math.sign(of(other).length) - Math.sign(of(one).length));
  const placedNumbers: Placed<N>[] = [];
  const placedAgents: Placed<A>[] = [];
  const more: (Placed<A> & { count: number })[] = [];
  let top = 0;
  for (const agent of inOrder) {
    const all = of(agent);
    const shown = all.slice(0, NUMBERS_SHOWN_MAX);
    const rows = shown.length + (all.length > shown.length ? 1 : 0);
    const column = columnHeight(rows, CARD.number);
    const group = Math.max(column, CARD.agent);
    const first = top + (group - column) / 2;
    const rowTop = (row: number): number => first + row * (CARD.number + SPACE.between);
    shown.forEach((number, row) => {
      placedNumbers.push({ of: number, top: rowTop(row) });
    });
    if (rows > shown.length) more.push({ of: agent, top: rowTop(shown.length), count: all.length - shown.length });
    placedAgents.push({ of: agent, top: top + (group - CARD.agent) / 2 });
    top += group + SPACE.groups;
  }
  const right = Math.max(0, top - SPACE.groups);
  const left = columnHeight(senders.length, CARD.sender);
  const height = Math.max(right, left, CARD.sender);
  const down = (height - left) / 2;
  const shift = (height - right) / 2;
  const placedSenders = senders.map((one, row) => ({
    of: one,
    top: down + row * (CARD.sender + SPACE.between),
  }));
  const moved = <T extends { readonly top: number }>(one: T): T => ({ ...one, top: one.top + shift });
  const layout = {
    ...{ height, senders: placedSenders, numbers: placedNumbers.map(moved), more: more.map(moved) },
    agents: placedAgents.map(moved),
  };
  return { ...layout, ...lines(layout) };
}

const columnHeight = (rows: number, card: number): number =>
  rows === 0 ? 0 : rows * card + (rows - 1) * SPACE.between;

type Columns<S, N, A> = Pick<MapLayout<S, N, A>, 'height' | 'senders' | 'numbers' | 'agents' | 'more'>;

function lines<S extends { readonly id: string }, N extends MapNumber, A extends { readonly id: string }>({
  height,
  senders,
  numbers,
  agents,
  more,
}: Columns<S, N, A>): Pick<MapLayout<S, N, A>, 'hub' | 'fromSenders' | 'toNumbers' | 'toAgents'> {
  const hub = { x: GAP.senders / 2, y: height / 2 };
  const rows = [
    ...numbers.map(({ of, top }) => ({ key: of.number, agentId: of.agent_id, y: top + CARD.number / 2 })),
    ...more.map(({ of, top }) => ({ key: `${of.id} more`, agentId: of.id, y: top + CARD.number / 2 })),
  ];
  const agentY = new Map(agents.map(({ of, top }) => [of.id, top + CARD.agent / 2]));
  return {
    hub,
    fromSenders: senders.map(({ of, top }) => ({ key: of.id, d: curve(0, top + CARD.sender / 2, hub.x, hub.y) })),
    toNumbers: rows.map(({ key, y }) => ({ key, d: curve(hub.x, hub.y, GAP.senders, y) })),
    toAgents: rows.map(({ key, agentId, y }) => ({ key, d: curve(0, y, GAP.agents, agentY.get(agentId) ?? y) })),
  };
}

/** Leaves and arrives level. */
function curve(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (x1 + x2) / 2;
  return `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
}
