import type { FaultBarrier } from '../fault-barrier.ts';
import type { SipMessage, SipRequest, SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { ClientTransaction, type ClientTransactionHandlers } from './client-transaction.ts';
import { type MessageCore, messageCore } from './message-core.ts';
import { ServerTransaction } from './server-transaction.ts';
import { RFC_TIMER_BASE, type TimerBase } from './timers.ts';
import { clientKey, mergeKey, serverKey } from './transaction-key.ts';

/** What the user agent core gives the layer. */
export interface TransactionUser {
  /** A request that starts a transaction; never an ACK. A CANCEL too, with the INVITE transaction it names, if any. */
  onRequest(transaction: ServerTransaction, bytes: number, cancels: ServerTransaction | undefined): void;
  /** An ACK that is not the hop-by-hop ACK of a refusal. It cannot be answered. */
  onAck(request: SipRequest, core: MessageCore, flow: Flow, bytes: number): void;
  /** A 2xx to an INVITE whose transaction is gone: a late copy, to which the stored ACK is repeated. */
  onStraySuccess(response: SipResponse, core: MessageCore): void;
}

export interface TransactionLayerOptions {
  readonly barrier: FaultBarrier;
  readonly timerBase?: TimerBase;
  /** Server transactions held at once; above it answered ones make room, then requests get a stateless 503. */
  readonly serverTransactionsMax?: number;
  readonly clientTransactionsMax?: number;
  /** Answers without keeping state. `status` 482 or 503. */
  readonly refuse: (request: SipRequest, flow: Flow, status: 482 | 503) => void;
  readonly reopen: (request: SipRequest, flow: Flow) => Promise<Flow | undefined>;
}

/** 1,000 requests a second for the 32 s that an answer over UDP is kept would be 32,000; memory stays near 40 MB. */
const SERVER_TRANSACTIONS_MAX = 10_000;
const CLIENT_TRANSACTIONS_MAX = 10_000;

/** Matches messages to transactions and starts new ones. RFC 3261 §17.1.3, §17.2.3. */
export class TransactionLayer {
  readonly #server = new Map<string, ServerTransaction>();
  readonly #client = new Map<string, ClientTransaction>();
  readonly #merge = new Map<string, ServerTransaction>();
  /**
   * Requests with their final answer, oldest first: the ones given up when room is short, since a copy that comes later is
   * answered anew. Refused INVITEs too, or whoever never acknowledges a refusal would fill the table. An accepted one is a call.
   */
  readonly #answered = new Set<ServerTransaction>();
  readonly #timerBase: TimerBase;
  readonly counters = { merged: 0, overflow: 0, evicted: 0, copies: 0, strayResponses: 0, strayAcks: 0 };

  constructor(
    private readonly options: TransactionLayerOptions,
    private readonly user: TransactionUser,
  ) {
    this.#timerBase = options.timerBase ?? RFC_TIMER_BASE;
  }

  get timerBase(): TimerBase {
    return this.#timerBase;
  }
  get size(): { readonly server: number; readonly client: number } {
    return { server: this.#server.size, client: this.#client.size };
  }

  /** True when the request is a copy or an ACK of something already held: it costs nothing to take. */
  knows(request: SipRequest): boolean {
    const core = messageCore(request);
    return core !== undefined && this.#server.has(serverKey(core, request.uri, request.method));
  }

  receive(message: SipMessage, flow: Flow, bytes: number): void {
    const core = messageCore(message);
    if (!core) return;
    if (message.kind === 'response') this.#receiveResponse(message, core, bytes);
    else this.#receiveRequest(message, core, flow, bytes);
  }

  /**
   * Sends a request of ours on `flow`. Its top Via must carry a branch nobody used before (an ACK to a 2xx is no
   * transaction and does not come here).
   * @returns undefined when the table is full.
   */
  request(request: SipRequest, flow: Flow, handlers: ClientTransactionHandlers): ClientTransaction | undefined {
    const core = messageCore(request);
    if (!core || this.#client.size >= (this.options.clientTransactionsMax ?? CLIENT_TRANSACTIONS_MAX)) {
      this.counters.overflow += 1;
      return undefined;
    }
    const transaction = new ClientTransaction(clientKey(core.branch, request.method), request, flow, handlers, {
      barrier: this.options.barrier,
      timerBase: this.#timerBase,
      terminated: (ended) => void this.#client.delete(ended.key),
    });
    this.#client.set(transaction.key, transaction);
    transaction.start();
    return transaction;
  }

  /** The peer of this flow is gone: every request still unanswered on it fails. */
  flowFailed(flow: Flow, reason: string): void {
    const failed = flowKey(flow);
    for (const transaction of [...this.#client.values()]) {
      if (flowKey(transaction.flow) === failed) this.options.barrier.run('step', () => transaction.fail(reason));
    }
  }

  /**
   * Handling this message failed inside: its transaction ends, a request with 500.
   * @returns false for a request that no transaction holds: it is answered without one.
   */
  breakOff(message: SipMessage): boolean {
    const core = messageCore(message);
    if (!core) return false;
    if (message.kind === 'response') {
      this.#client.get(clientKey(core.branch, core.cseqMethod))?.breakOff(message);
      return true;
    }
    if (message.method === 'ACK') return true; // Never answered; the 2xx or refusal is repeated, and the ACK with it.
    const held = this.#server.get(serverKey(core, message.uri, message.method));
    held?.breakOff();
    return held !== undefined;
  }

  close(): void {
    for (const transaction of [...this.#client.values(), ...this.#server.values()]) {
      this.options.barrier.run('step', () => transaction.stop());
    }
  }

  #receiveResponse(response: SipResponse, core: MessageCore, bytes: number): void {
    const transaction = this.#client.get(clientKey(core.branch, core.cseqMethod));
    if (transaction) return transaction.receive(response, bytes);
    this.counters.strayResponses += 1;
    if (core.cseqMethod === 'INVITE' && response.status >= 200 && response.status < 300) {
      this.user.onStraySuccess(response, core);
    }
  }

  #receiveRequest(request: SipRequest, core: MessageCore, flow: Flow, bytes: number): void {
    const key = serverKey(core, request.uri, request.method);
    const known = this.#server.get(key);
    if (request.method === 'ACK') {
      // In Accepted, an RFC 2543 client's ACK to the 2xx matches the INVITE; it belongs to the dialog like any other.
      if (known && known.state !== 'accepted') {
        if (!known.receiveAck()) this.counters.strayAcks += 1;
        return;
      }
      return this.user.onAck(request, core, flow, bytes);
    }
    if (known) {
      this.counters.copies += 1;
      known.flow.received?.(bytes);
      return known.receiveCopy();
    }
    if (core.toTag === undefined && this.#merge.has(mergeKey(core))) {
      this.counters.merged += 1;
      return this.options.refuse(request, flow, 482);
    }
    if (!this.#makeRoom()) {
      this.counters.overflow += 1;
      return this.options.refuse(request, flow, 503);
    }
    const transaction = this.#open(key, request, core, flow);
    const cancels = request.method === 'CANCEL' ? this.#server.get(serverKey(core, request.uri, 'INVITE')) : undefined;
    this.user.onRequest(transaction, bytes, cancels);
  }

  #open(key: string, request: SipRequest, core: MessageCore, flow: Flow): ServerTransaction {
    const transaction = new ServerTransaction(key, request, core, flow, {
      barrier: this.options.barrier,
      timerBase: this.#timerBase,
      reopen: this.options.reopen,
      terminated: (ended) => this.#serverEnded(ended),
      completed: (answered) => void this.#answered.add(answered),
    });
    this.#server.set(key, transaction);
    if (core.toTag === undefined && request.method !== 'CANCEL') this.#merge.set(mergeKey(core), transaction);
    return transaction;
  }

  #makeRoom(): boolean {
    if (this.#server.size < (this.options.serverTransactionsMax ?? SERVER_TRANSACTIONS_MAX)) return true;
    const [oldest] = this.#answered;
    if (!oldest) return false;
    this.counters.evicted += 1;
    oldest.stop();
    return true;
  }

  #serverEnded(ended: ServerTransaction): void {
    this.#answered.delete(ended);
    if (this.#server.get(ended.key) === ended) this.#server.delete(ended.key);
    const merged = mergeKey(ended.core);
    if (this.#merge.get(merged) === ended) this.#merge.delete(merged);
  }
}

function flowKey(flow: Flow): string {
  return `${flow.transport} ${flow.remoteAddress} ${flow.remotePort}`;
}
