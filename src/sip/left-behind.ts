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
