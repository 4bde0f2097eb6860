import type { Timer } from '../../core/clock.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import type { SipRequest, SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { makeHopAck } from './hop-requests.ts';
import type { TransactionState } from './machines.ts';
import { MachineRunner } from './runner.ts';
import type { TimerBase } from './timers.ts';

export interface ClientTransactionHandlers {
  /** Provisionals above 100 too; for an INVITE every 2xx, also copies and other forks. `bytes` as received. */
  onResponse(response: SipResponse, bytes: number): void;
  /** Timer B, C or F: nobody answered. Nothing follows. */
  onTimeout(): void;
  /** Could not be sent. Nothing follows. */
  onTransportError(reason: string): void;
}

/** What the layer lends a client transaction. */
export interface ClientTransactionHost {
  readonly barrier: FaultBarrier;
  readonly timerBase: TimerBase;
  terminated(transaction: ClientTransaction): void;
}

/** One request of ours and its answers. RFC 3261 §17.1. ACK to a refusal is sent here; ACK to a 2xx by the user. */
export class ClientTransaction {
  readonly #runner: MachineRunner<SipResponse>;
  readonly bytes: Buffer;
  #ackBytes: Buffer | undefined;
  #responseBytes = 0;
  #cancelTimer: Timer | undefined;

  constructor(
    readonly key: string,
    readonly request: SipRequest,
    readonly flow: Flow,
    private readonly handlers: ClientTransactionHandlers,
    private readonly host: ClientTransactionHost,
  ) {
    this.bytes = serializeSipMessage(request);
    this.#runner = new MachineRunner<SipResponse>(
      request.method === 'INVITE' ? 'invite-client' : 'client',
      flow.reliable,
      host.barrier.clock,
      host.timerBase,
      (action, response) => {
        if (action === 'resend') this.#send(this.bytes);
        else if (action === 'pass' && response) this.handlers.onResponse(response, this.#responseBytes);
        else if (action === 'ack' && response) this.#acknowledge(response);
        else if (action === 'timeout') this.handlers.onTimeout();
      },
      () => {
        host.barrier.clock.clearTimer(this.#cancelTimer);
        host.terminated(this);
      },
    );
  }

  get state(): TransactionState {
    return this.#runner.state;
  }

  /** Sends the request and starts the timers. */
  start(): void {
    this.#runner.start();
    this.#send(this.bytes);
  }

  receive(response: SipResponse, bytes: number): void {
    this.#responseBytes = bytes;
    const event = response.status < 200 ? 'provisional' : response.status < 300 ? 'success' : 'failure';
    this.#runner.handle(event, response);
  }

  /** The flow failed under it. */
  fail(reason: string): void {
    const before = this.#runner.state;
    const active = before === 'calling' || before === 'trying' || before === 'proceeding';
    if (this.#runner.handle('transportError') && active) this.handlers.onTransportError(reason);
  }

  /** After a CANCEL: without a final answer in 64*T1 the INVITE counts as unanswered (RFC 3261 §9.1). */
  cancelled(): void {
    if (this.#cancelTimer || this.#runner.state !== 'proceeding') return;
    this.#cancelTimer = this.host.barrier.clock.setTimer(64 * this.host.timerBase.t1Ms, () => {
      if (this.#runner.state !== 'proceeding') return;
      this.#runner.stop();
      this.handlers.onTimeout();
    });
  }

  /** Handling this answer failed inside. A provisional one is lost; a final one ends the transaction, and its user is told. */
  breakOff(response: SipResponse): void {
    if (response.status < 200) return;
    this.#runner.stop();
    this.handlers.onTransportError('internal fault');
  }

  stop(): void {
    this.#runner.stop();
  }

  #acknowledge(response: SipResponse): void {
    this.#ackBytes ??= serializeSipMessage(makeHopAck(this.request, response));
    if (!this.flow.closed) this.flow.send(this.#ackBytes);
  }

  #send(bytes: Buffer): void {
    if (this.flow.closed) {
      // Reported later, so that the caller holds the transaction before it hears of its end.
      this.host.barrier.clock.setTimer(0, () => this.fail('connection closed'));
      return;
    }
    this.flow.send(bytes, (reason) => this.fail(reason));
  }
}
