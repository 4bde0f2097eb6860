import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { DialError, type Dialer, type DialOptions } from '../../src/call/dialer.ts';
import type { Leg } from '../../src/call/leg.ts';
import { FakeLeg } from './fake-leg.ts';

/** One call out, ringing until the test says more. Cancelled, it ends as the signalling does it. */
export class FakeDial {
  readonly leg = new FakeLeg();
  readonly outcome: Promise<Leg>;
  answer: () => void = () => undefined;
  #refuse: (error: unknown) => void = () => undefined;

  constructor(
    readonly options: DialOptions,
    deaf: boolean,
  ) {
    this.outcome = new Promise((resolve, reject) => {
      this.answer = () => resolve(this.leg);
      this.#refuse = reject;
    });
    if (!deaf) options.signal?.addEventListener('abort', () => this.refuse(callEnd('gateway', 'cancelled'), 487));
  }
  get cancelled(): boolean {
    return this.options.signal?.aborted === true;
  }
  refuse(end: CallEnd, status = 486): void {
    this.#refuse(new DialError(end, status));
  }
  fail(error: Error): void {
    this.#refuse(error);
  }
}

export class FakeDialer implements Dialer {
  readonly dialled: FakeDial[] = [];
  /** Every phone rings at once. */
  rings = false;
  /** CANCEL changes nothing. */
  deaf = false;
  dial(options: DialOptions): Promise<Leg> {
    const dial = new FakeDial(options, this.deaf);
    if (this.rings) options.onProgress?.(180, 'Ringing');
    this.dialled.push(dial);
    return dial.outcome;
  }
  localAddressTo(uri: string): string | undefined {
    return uri.includes('127.0.0.1') ? '127.0.0.9' : undefined;
  }
  get last(): FakeDial {
    const dial = this.dialled.at(-1);
    if (!dial) throw new Error('nobody was called');
    return dial;
  }
}
