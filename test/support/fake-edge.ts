import type { EdgeCall, EdgeFailure, EdgeMessage, MediaEdge, OuterMedia } from '../../src/media/edge/media-edge.ts';

/** Where media is inside, and the marks that tell what passed. */
export const INNER = '10.7.7.7';
export const OUTER = '198.51.100.77';

/** A media edge without rtpengine: what goes in gets its inner address, what goes out its outer one. */
export class FakeEdge implements MediaEdge {
  readonly calls: FakeEdgeCall[] = [];
  problem: string | undefined;
  /** What comes in place of a description. */
  failure: EdgeFailure | undefined;

  open(): FakeEdgeCall {
    const call = new FakeEdgeCall(this);
    this.calls.push(call);
    return call;
  }
  get last(): FakeEdgeCall {
    return this.calls.at(-1)!;
  }
}

export class FakeEdgeCall implements EdgeCall {
  readonly steps: string[] = [];
  readonly messages: EdgeMessage[] = [];
  closed = 0;
  lost: string | undefined;
  /** Waits for the test. */
  hold: Promise<void> | undefined;
  constructor(private readonly edge: FakeEdge) {}

  offer(message: EdgeMessage): Promise<string | EdgeFailure> {
    return this.#pass('offer', message);
  }
  answer(message: EdgeMessage): Promise<string | EdgeFailure> {
    return this.#pass('answer', message);
  }
  rollback(): void {
    this.steps.push('rollback');
  }
  async close(): Promise<OuterMedia | undefined> {
    this.closed += 1;
    return { edge: 'fake', outerPacketsReceived: 5 };
  }

  async #pass(kind: 'offer' | 'answer', message: EdgeMessage): Promise<string | EdgeFailure> {
    this.steps.push(`${kind} from ${message.from}`);
    this.messages.push(message);
    await this.hold;
    if (this.edge.failure) return this.edge.failure;
    const [address, protocol] = message.from === 'outer' ? [INNER, 'RTP/AVP'] : [OUTER, 'RTP/SAVP'];
    return message.sdp
      .replace(/^c=.*$/gm, `c=IN IP4 ${address}`)
      .replace(/^(m=audio \d+) \S+/gm, `$1 ${protocol}`)
      .replace(/^a=crypto.*\r\n/gm, '');
  }
}
