import type { Dictionary } from '../../src/media/edge/bencode.ts';
import type { EdgeEngine } from '../../src/media/edge/edge-engine.ts';
import type { EngineState } from '../../src/media/edge/engine-state.ts';
import type { NgProblem, NgReply } from '../../src/media/edge/ng-client.ts';

/** An rtpengine that answers as the test says: what it was asked is kept. */
export class FakeEngine {
  readonly asked: { readonly command: string; readonly more: Dictionary }[] = [];
  losses = 0;
  state: EngineState = 'up';
  readonly weight = 1;
  readonly localAddress = '10.0.0.5';
  /** What comes in place of an `ok` with the description that was given. */
  reply: ((command: string) => NgReply | NgProblem) | undefined;

  constructor(readonly name: string) {}

  async ask(command: string, more: Dictionary = {}): Promise<NgReply | NgProblem> {
    this.asked.push({ command, more });
    return this.reply?.(command) ?? ok({ sdp: `${String(more['sdp'])}a=by:${this.name}\r\n` });
  }

  get commands(): string[] {
    return this.asked.map(({ command }) => command);
  }
  get last(): Dictionary {
    return this.asked.at(-1)!.more;
  }
  get engine(): EdgeEngine {
    return this as unknown as EdgeEngine;
  }
}

export const ok = (more: Readonly<Record<string, string>> = {}): NgReply =>
  new Map(Object.entries({ result: 'ok', ...more }));
export const refusedFor = (reason: string): NgReply =>
  new Map(Object.entries({ result: 'error', 'error-reason': reason }));
