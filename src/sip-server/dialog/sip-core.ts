import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from '../../core/logger.ts';
import type { AppPort } from '../control/app-port.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { makeResponse } from '../message/build-message.ts';
import { topVia, toTag } from '../message/header-values.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import { header, type SipHeader, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import { type RequestPolicy, responseFault, validateRequest } from '../message/validate-request.ts';
import { repairedResponse } from '../transaction/repair-response.ts';
import { RFC_TIMER_BASE, type TimerBase } from '../transaction/timers.ts';
import { TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Flow, FlowOpener, TransportLayer } from '../transport/flow.ts';
import type { TargetResolver } from '../transport/resolve-target.ts';
import { portOr } from '../transport/transports.ts';
import { UnprovenFlow } from '../transport/unproven-flow.ts';
import { CallerWindows, callerLimits } from './caller-windows.ts';
import type { Dialog } from './dialog.ts';
import { DialogStore } from './dialog-store.ts';
import { HopFinder } from './hop-finder.ts';
import { LocalAddresses } from './local-addresses.ts';
import type { AppTransaction, UaContext, UaSettings } from './ua-context.ts';
import { UserAgent } from './user-agent.ts';

export interface SipCoreLimits {
  readonly dialogsMax: number;
  /** Dialogs and open transactions at which new INVITEs get 503. */
  readonly callsMax: number;
  readonly serverTransactionsMax: number;
  readonly retryAfterSeconds: number;
  /** Answered calls of one source address that wait for its ACK, to begin with (`CallerLimits`). */
  readonly unacknowledgedMax: number;
}

export interface SipCoreOptions {
  readonly barrier: FaultBarrier;
  readonly logger: Logger;
  readonly settings: UaSettings;
  readonly timerBase?: TimerBase;
  readonly limits: SipCoreLimits;
  readonly policy: RequestPolicy;
  readonly opener: FlowOpener;
  readonly resolver: Pick<TargetResolver, 'resolve'>;
  readonly listening: () => TransportLayer['listening'];
  readonly externalAddress: string | undefined;
  readonly pickApp: (method: string) => AppPort | undefined;
  /** Sources by configuration, such as trunks: not limited. */
  readonly trusted?: ((address: string) => boolean) | undefined;
}

/** Everything between sockets and applications: checks, transactions, dialogs. Opens nothing itself. */
export class SipCore {
  readonly counters = { refused: 0, dropped: 0, withheld: 0 };
  readonly callers: CallerWindows;
  readonly layer: TransactionLayer;
  readonly dialogs: DialogStore;
  readonly agent: UserAgent;
  readonly transactions = new Map<string, AppTransaction>();
  readonly #secret = randomBytes(16);

  constructor(private readonly options: SipCoreOptions) {
    const { barrier, logger, settings, limits } = options;
    const timerBase = options.timerBase ?? RFC_TIMER_BASE;
    this.dialogs = new DialogStore(limits.dialogsMax, (dialog) => this.agent.dialogEnded(dialog));
    this.callers = new CallerWindows(callerLimits(limits.unacknowledgedMax), barrier.clock, options.trusted);
    const hops = new HopFinder(options.opener, options.resolver, barrier);
    this.layer = new TransactionLayer(
      {
        barrier,
        timerBase,
        serverTransactionsMax: limits.serverTransactionsMax,
        refuse: (request, flow, status) => this.#refuse(request, flow, status),
        reopen: (request, flow) => reopen(hops, request, flow),
      },
      {
        onRequest: (...args) => this.agent.onRequest(...args),
        onAck: (...args) => this.agent.onAck(...args),
        onStraySuccess: () => this.agent.onStraySuccess(),
      },
    );
    const context: UaContext = {
      barrier,
      clock: barrier.clock,
      logger,
      settings,
      timerBase,
      layer: this.layer,
      dialogs: this.dialogs,
      local: new LocalAddresses(options.listening, options.externalAddress),
      hops,
      callers: this.callers,
      transactions: this.transactions,
      release: (dialog: Dialog, reason: string, tellApp = true) => this.agent.release(dialog, reason, tellApp),
    };
    const { retryAfterSeconds, callsMax } = limits;
    this.agent = new UserAgent(context, { pickApp: options.pickApp, retryAfterSeconds, callsMax });
  }

  /** One message from the network. Never throws: a fault of ours ends this message alone, a request with 500. */
  receive(message: SipMessage, flow: Flow, bytes: number): void {
    this.options.barrier.run(
      'message',
      () => this.#take(message, flow, bytes),
      () => {
        if (!this.layer.breakOff(message) && message.kind === 'request') {
          this.#answer(message, flow, 500, 'Server Internal Error', []);
        }
      },
    );
  }

  #take(message: SipMessage, flow: Flow, bytes: number): void {
    if (message.kind === 'response') {
      const response = repairedResponse(message);
      if (responseFault(response) !== undefined) this.counters.dropped += 1;
      else this.layer.receive(response, flow, bytes);
      return;
    }
    // Copies of what is already held were checked when they came first.
    const known = this.layer.knows(message);
    const verdict = known ? undefined : validateRequest(message, this.options.policy);
    if (verdict?.verdict === 'drop') {
      this.counters.dropped += 1;
    } else if (verdict?.verdict === 'refuse') {
      this.counters.refused += 1;
      this.#answer(message, flow, verdict.status, verdict.reason, verdict.headers);
    } else if (known || message.method !== 'INVITE' || toTag(message) !== undefined) {
      this.layer.receive(message, flow, bytes);
    } else if (!this.callers.admits(flow.remoteAddress)) this.#refuse(message, flow, 503);
    else this.layer.receive(message, this.#limited(flow, bytes), bytes);
  }

  /** The way back to the sender of a new INVITE, of whom nobody knows yet whether it is there. */
  #limited(flow: Flow, bytes: number): Flow {
    const isProven = (): boolean => this.callers.isProven(flow.remoteAddress);
    if (flow.reliable || isProven()) return flow;
    const onWithheld = (): void => {
      this.counters.withheld += 1;
    };
    return new UnprovenFlow(flow, bytes, isProven, onWithheld);
  }

  close(): void {
    this.agent.close();
    this.layer.close();
  }

  #refuse(request: SipRequest, flow: Flow, status: 482 | 503): void {
    const later = { name: 'Retry-After', value: String(this.options.limits.retryAfterSeconds) };
    if (status === 482) this.#answer(request, flow, 482, 'Loop Detected', []);
    else this.#answer(request, flow, 503, 'Service Unavailable', [later]);
  }

  /** One answer, nothing kept, the same To tag for every copy of the request (RFC 3261 §8.2.7). */
  #answer(request: SipRequest, flow: Flow, status: number, reason: string, headers: readonly SipHeader[]): void {
    if (request.method === 'ACK' || flow.closed) return;
    const key = `${header(request, 'Via')}\n${header(request, 'Call-ID')}\n${header(request, 'CSeq')}`;
    const tag = createHmac('sha256', this.#secret).update(key).digest('hex').slice(0, 16);
    flow.send(serializeSipMessage(makeResponse(request, status, reason, { toTag: tag, headers })));
  }
}

/** The connection is gone: a new one to the address the request came from, at its sent-by port (RFC 3261 §18.2.2). */
async function reopen(hops: HopFinder, request: SipRequest, flow: Flow): Promise<Flow | undefined> {
  const port = portOr(topVia(request)?.port, flow.transport);
  return hops.open({ transport: flow.transport, address: flow.remoteAddress, port, serverName: undefined });
}
