import { randomToken } from '../../core/ids.ts';
import { prependHeader } from '../message/build-message.ts';
import type { SipRequest, SipResponse } from '../message/sip-message.ts';
import { MAGIC_COOKIE } from '../message/via.ts';
import type { ClientTransaction } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import type { HopTarget } from './hop-finder.ts';
import type { UaContext } from './ua-context.ts';

export interface AttemptEvents {
  /** The request left, complete with Via. `first` is false for later targets. */
  onSent(request: SipRequest, flow: Flow, first: boolean): void;
  onResponse(response: SipResponse, flow: Flow, bytes: number): void;
  /** No target answered: 408 after silence, 503 when none could be reached; `distrust`: for this fault of a certificate. */
  onFailed(status: 408 | 503, distrust?: string): void;
}

/** What an application is told of a request that could not be sent: the last certificate that was not taken, if any. */
export function unsentReason(distrust: string | undefined): string {
  if (distrust === undefined) return 'requested protocol/transport not available';
  return `certificate refused: ${distrust}`;
}

/** Of one that may go to the public internet alone, where its next hop leads elsewhere. */
export const NOT_PUBLIC = 'next hop is not public';

export type RequestMaker = (flow: Flow) => SipRequest;

/** More targets than this are not tried: a caller does not wait for them. */
const TARGETS_MAX = 8;

/** Adds our Via, with a branch of its own. */
export function withVia(context: UaContext, request: SipRequest, flow: Flow): SipRequest {
  return prependHeader(request, 'Via', context.local.via(flow, `${MAGIC_COOKIE}${randomToken(12)}`));
}

/**
 * Sends one request to the first target that answers (RFC 3263 §4.3): silence, a transport error or 503 leads to the
 * next one, with a new branch. Exactly one of a final `onResponse` and `onFailed` ends it.
 */
export class OutboundAttempts {
  #targets: readonly HopTarget[] = [];
  #next = 0;
  #sentOnce = false;
  #stopped = false;
  #distrust: string | undefined;
  #current: ClientTransaction | undefined;

  constructor(
    private readonly context: UaContext,
    private make: RequestMaker,
    private readonly events: AttemptEvents,
  ) {}

  /** The transaction now under way. */
  get transaction(): ClientTransaction | undefined {
    return this.#current;
  }

  walk(targets: readonly HopTarget[]): void {
    this.#targets = targets.slice(0, TARGETS_MAX);
    this.#tryNext(503);
  }

  /** The way is known: a dialog's flow, or the one that has just answered. */
  sendOn(flow: Flow, make = this.make): void {
    this.make = make;
    this.context.barrier.run(
      'step',
      () => this.#send(flow),
      () => this.events.onFailed(503),
    );
  }

  #send(flow: Flow): void {
    const request = withVia(this.context, this.make(flow), flow);
    const first = !this.#sentOnce;
    this.#sentOnce = true;
    // The application must learn of the request before any answer to it.
    this.events.onSent(request, flow, first);
    const transaction = this.context.layer.request(request, flow, {
      onResponse: (response, bytes) => this.#onResponse(response, flow, bytes),
      onTimeout: () => this.#tryNext(408),
      onTransportError: () => this.#tryNext(503),
    });
    this.#current = transaction;
    if (!transaction) this.events.onFailed(503);
  }

  /** No further targets: the caller gave up. The transaction under way goes on. */
  stopSearching(): void {
    this.#stopped = true;
  }

  #onResponse(response: SipResponse, flow: Flow, bytes: number): void {
    if (response.status === 503 && this.#next < this.#targets.length && !this.#stopped) {
      return this.#tryNext(503);
    }
    this.events.onResponse(response, flow, bytes);
  }

  #tryNext(status: 408 | 503): void {
    this.#current = undefined;
    const target = this.#stopped ? undefined : this.#targets[this.#next];
    if (!target) return this.events.onFailed(status, this.#distrust);
    this.#next += 1;
    this.context.barrier.when(
      this.context.hops.open(target, (reason) => {
        this.#distrust = reason;
      }),
      (flow) => {
        if (flow && !this.#stopped) this.sendOn(flow);
        else this.#tryNext(status);
      },
      () => this.events.onFailed(503),
    );
  }
}
