/** A dialog as the gateway kept it. */
export interface Dialog {
  readonly sip_call_id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly started_at: string;
  readonly messages: readonly {
    readonly at: string;
    readonly direction: 'in' | 'out';
    readonly peer: string;
    readonly line: string;
    readonly text: string;
    readonly again?: true;
    readonly skipped?: number;
  }[];
}

/** One line of a ladder: from a column to its neighbour or farther. */
export interface Rung {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** Since the first message. */
  readonly ms: number;
  /** `INVITE`, `200 OK`. */
  readonly label: string;
  /** The method that an answer belongs to. */
  readonly of: string;
  readonly grade: 'request' | 'provisional' | 'good' | 'bad';
  readonly hasSdp: boolean;
  readonly isAgain: boolean;
  /** So many before it were not kept. */
  readonly skipped: number;
  readonly line: string;
  readonly text: string;
  readonly peer: string;
}

export interface Ladder {
  /** Peers of the calls in, the gateway, those of the calls out. */
  readonly columns: readonly { readonly name: string; readonly isGateway: boolean }[];
  readonly rungs: readonly Rung[];
}

/** Each dialog is a column beside the gateway: those that came in before it, those that it made after it. */
export function ladderOf(dialogs: readonly Dialog[]): Ladder {
  const sides = (['inbound', 'outbound'] as const).map((side) => dialogs.filter(({ direction }) => direction === side));
  const [inbound, outbound] = [sides[0]!, sides[1]!];
  const gateway = inbound.length;
  const columns = [
    ...inbound.map((dialog) => ({ name: peerOf(dialog), isGateway: false })),
    { name: '', isGateway: true },
    ...outbound.map((dialog) => ({ name: peerOf(dialog), isGateway: false })),
  ];
  const columnOf = (dialog: Dialog): number =>
    dialog.direction === 'inbound' ? inbound.indexOf(dialog) : gateway + 1 + outbound.indexOf(dialog);
  const all = dialogs.flatMap((dialog, n) =>
    dialog.messages.map((message, at) => ({
      message,
      key: `${n}-${at}`,
      column: columnOf(dialog),
      time: Date.parse(message.at),
    })),
  );
  all.sort((a, b) => a.time - b.time);
  const first = all[0]?.time ?? 0;
  const rungs = all.map(({ message, key, column, time }): Rung => {
    const { line, text, peer, direction, again, skipped } = message;
    const [from, to] = direction === 'in' ? [column, gateway] : [gateway, column];
    return {
      ...{ key, from, to, ms: time - first, line, text, peer, ...readLine(line, text) },
      ...{ hasSdp: /\r?\n\r?\nv=0\b/.test(text), isAgain: again === true, skipped: skipped ?? 0 },
    };
  });
  return { columns, rungs };
}

/** `udp/192.0.2.7:5060`: without the transport. */
const peerOf = ({ messages }: Dialog): string =>
  messages.find(({ peer }) => peer !== '')?.peer.replace(/^\w+\//, '') ?? '';

/** RFC 3261 §7.1 and §7.2. */
function readLine(line: string, text: string): Pick<Rung, 'label' | 'of' | 'grade'> {
  const of = /^CSeq:\s*\d+\s+(\w+)/im.exec(text)?.[1] ?? '';
  const [, status, phrase] = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(line) ?? [];
  if (status === undefined) {
    const method = line.split(' ', 1)[0] ?? '';
    return { label: method, of: method, grade: 'request' };
  }
  const grade = status < '200' ? 'provisional' : status < '300' ? 'good' : 'bad';
  return { label: `${status} ${phrase}`.trim(), of, grade };
}
