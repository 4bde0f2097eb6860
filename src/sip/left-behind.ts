import type { CallEnd } from '../call/call-end.ts';
import type { Logger } from '../core/logger.ts';
import type { SrfDialog, SrfResponse } from './drachtio.ts';
import type { ServerTies } from './leg-context.ts';
import { byeHeadersOf, type Refusal, refusalOf } from './status.ts';

/** Calls that ended while the SIP server was away: more than any server of ours carries at once. */
const LEFT_BEHIND_MAX = 10_000;
/** By then every caller has noticed by itself. */
const KEPT_MS = 600_000;

/** What the SIP server must be told when it is back; the oldest go first when there is no more room. */
export class LeftBehind {
  #waiting: { readonly sinceMs: number; readonly tell: () => void }[] = [];
  constructor(private readonly nowMs: () => number) {}

  get count(): number {
    return this.#waiting.length;
  }

  add(tell: () => void): void {
    if (this.#waiting.length === LEFT_BEHIND_MAX) this.#waiting.shift();
    this.#waiting.push({ sinceMs: this.nowMs(), tell });
  }

  /** The server is back. @returns how many it was told. */
  flush(): number {
    const due = this.#waiting.splice(0).filter(({ sinceMs }) => this.nowMs() - sinceMs <= KEPT_MS);
    for (const { tell } of due) tell();
    return due.length;
  }
}

/** What of a call that ended the SIP server still holds. */
export interface Remains {
  readonly dialog: SrfDialog | undefined;
  readonly unanswered: SrfResponse | undefined;
}

/** The SIP server is away and still holds our side of the call: the caller is told when it is back. */
export function leaveBehind(
  server: ServerTies,
  end: CallEnd,
  { dialog, unanswered }: Remains,
  send: (res: SrfResponse, reply: Refusal) => void,
): void {
  if (server.isConnected()) return;
  if (dialog) {
    const { id } = dialog;
    server.whenBack(() => server.bye(id, byeHeadersOf(end)));
  } else if (unanswered) {
    server.whenBack(() => {
      server.adopt(unanswered);
      send(unanswered, refusalOf(end));
    });
  }
}

/** What legs ask of the connection. Without a wire (the server of this process) nothing outlives it, and nothing is kept. */
export function tiesTo(
  wire: Pick<ServerTies, 'adopt' | 'bye'> | undefined,
  isConnected: () => boolean,
  leftBehind: LeftBehind,
  logger: Logger,
): ServerTies {
  return {
    isConnected,
    whenBack: (tell) => {
      if (wire) leftBehind.add(tell);
    },
    adopt: (what) => wire?.adopt(what),
    bye: (dialogId, headers) => {
      try {
        wire?.bye(dialogId, headers);
      } catch (error) {
        logger.debug({ err: error }, 'BYE could not be sent');
      }
    },
  };
}
