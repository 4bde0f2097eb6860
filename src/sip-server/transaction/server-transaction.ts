import { randomToken } from '../../core/ids.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { makeResponse } from '../message/build-message.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import type { SipRequest, SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import type { TransactionState } from './machines.ts';
import type { MessageCore } from './message-core.ts';
import { MachineRunner } from './runner.ts';
import type { TimerBase } from './timers.ts';

export interface ServerTransactionHandlers {
  /** A refusal of ours was never acknowledged (timer H). */
  onTimeout?(): void;
  /** Handling the request failed inside: its holder gives it up and answers 500. */
  onFault?(): void;
}

/** What the layer lends a server transaction. */
export interface ServerTransactionHost {
  readonly barrier: FaultBarrier;
  readonly timerBase: TimerBase;
  /** Another way to the peer, where the connection of the request is gone (RFC 3261 §18.2.2). */
  reopen(request: SipRequest, flow: Flow): Promise<Flow | undefined>;
  terminated(transaction: ServerTransaction): void;
  completed(transaction: ServerTransaction): void;
}

/** One request received, and its answers. RFC 3261 §17.2. */
export class ServerTransaction {
  readonly #runner: MachineRunner<SipResponse>;
  #lastBytes: Buffer | undefined;
  #flow: Flow;
  handlers: ServerTransactionHandlers = {};
  /** Final status sent, 0 before that. */
  finalStatus = 0;

  constructor(
    readonly key: string,
    readonly request: SipRequest,
    readonly core: MessageCore,
    flow: Flow,
    private readonly host: ServerTransactionHost,
  ) {
    this.#flow = flow;
    this.#runner = new MachineRunner<SipResponse>(
      request.method === 'INVITE' ? 'invite-server' : 'server',
      flow.reliable,
      host.barrier.clock,
      host.timerBase,
      (action, response) => {
        if (action === 'send' && response) this.#send(serializeSipMessage(response));
        else if (action === 'resend' && this.#lastBytes) this.#send(this.#lastBytes);
        else if (action === 'timeout') this.handlers.onTimeout?.();
      },
      () => host.terminated(this),
    );
  }

  get flow(): Flow {
    return this.#flow;
  }
  get state(): TransactionState {
    return this.#runner.state;
  }

  /**
   * Sends an answer. A copy of a 2xx may be sent again in Accepted; nothing else follows a final answer.
   * @returns bytes sent, or 0 when the state does not allow it.
   */
  respond(response: SipResponse): number {
    const event = response.status < 200 ? 'sendProvisional' : response.status < 300 ? 'sendSuccess' : 'sendFailure';
    if (response.status >= 200) {
      if (this.finalStatus >= 200 && this.#runner.state !== 'accepted') return 0;
      if (this.finalStatus === 0) this.finalStatus = response.status;
    }
    if (!this.#runner.handle(event, response)) return 0;
    if (this.#runner.state === 'completed') this.host.completed(this);
    return this.#lastBytes?.length ?? 0;
  }

  /** A copy of the request arrived. */
  receiveCopy(): void {
    this.#runner.handle('request');
  }

  /** An ACK of the same branch arrived. @returns false where it means nothing here. */
  receiveAck(): boolean {
    return this.#runner.handle('ack');
  }

  /** Handling it failed inside: answered 500, by its holder or here, and in any case not left open. */
  breakOff(): void {
    const { barrier } = this.host;
    const open = (): boolean => this.finalStatus === 0;
    barrier.run('step', () => this.handlers.onFault?.());
    if (open()) {
      const toTag = randomToken(8);
      barrier.run('step', () => this.respond(makeResponse(this.request, 500, 'Server Internal Error', { toTag })));
    }
    if (open()) this.stop();
  }

  stop(): void {
    this.#runner.stop();
  }

  #send(bytes: Buffer): void {
    this.#lastBytes = bytes;
    if (!this.#flow.closed) {
      this.#flow.send(bytes, () => this.#failed());
      return;
    }
    const gone = (): void => this.#failed();
    const use = (flow: Flow | undefined): void => {
      if (!flow) return gone();
      this.#flow = flow;
      flow.send(bytes, gone);
    };
    this.host.barrier.when(this.host.reopen(this.request, this.#flow), use, gone);
  }

  /** An answer could not be sent. The machine knows what that means; the user is not told: there is nothing it could do. */
  #failed(): void {
    this.#runner.handle('transportError');
  }
}
