import { leadsInside } from '../../core/guarded-request.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { CertificateRefused, type Flow, type FlowOpener } from '../transport/flow.ts';
import type { Target, TargetResolver } from '../transport/resolve-target.ts';
import type { Dialog } from './dialog.ts';
import { dialogHop } from './dialog-route.ts';

/** One place a request may be sent to, best first (RFC 3263). */
export type HopTarget = Target;

/** Whether one of these targets is not on the public internet. The addresses that were looked at are those that are sent to. */
export const leadInside = (targets: readonly HopTarget[]): boolean =>
  leadsInside(targets.map(({ address }) => address));

/** A peer that does not take a connection within this time is passed over. */
const OPEN_WITHIN_MS = 5_000;
const WAITING_PER_DIALOG_MAX = 32;

/** Turns URIs and dialogs into flows. */
export class HopFinder {
  /** Sends waiting for the flow of their dialog, in order: an ACK must not be overtaken by a BYE. */
  readonly #waiting = new Map<Dialog, ((flow: Flow | undefined) => void)[]>();

  constructor(
    private readonly transport: FlowOpener,
    private readonly resolver: Pick<TargetResolver, 'resolve'>,
    private readonly barrier: FaultBarrier,
  ) {}

  /** Where requests for `uri` go, best first; a large message goes by TCP first. Never rejects. */
  resolve(uri: string, messageBytes = 0): Promise<readonly HopTarget[]> {
    return this.resolver.resolve(uri, AbortSignal.timeout(OPEN_WITHIN_MS), messageBytes);
  }

  /**
   * The flow to one target, or undefined when it cannot be reached.
   *
   * @param onDistrust - it was reached, and its certificate was not taken for this reason.
   */
  async open(target: HopTarget, onDistrust?: (reason: string) => void): Promise<Flow | undefined> {
    const signal = AbortSignal.timeout(OPEN_WITHIN_MS);
    try {
      return await this.transport.open(target.transport, target.address, target.port, signal, target.serverName);
    } catch (error) {
      if (error instanceof CertificateRefused) onDistrust?.(error.message);
      return undefined;
    }
  }

  /** The first reachable flow of a URI. @param publicOnly - none where it leads elsewhere than to the public internet. */
  async openUri(uri: string, publicOnly = false): Promise<Flow | undefined> {
    const targets = await this.resolve(uri);
    if (publicOnly && leadInside(targets)) return undefined;
    for (const target of targets) {
      const flow = await this.open(target);
      if (flow) return flow;
    }
    return undefined;
  }

  /** Calls `use` with the flow for the next request of this dialog: at once where it is open, else in order of asking. */
  forDialog(dialog: Dialog, use: (flow: Flow | undefined) => void): void {
    const waiting = this.#waiting.get(dialog);
    if (waiting) {
      if (waiting.length < WAITING_PER_DIALOG_MAX) waiting.push(use);
      else use(undefined);
      return;
    }
    if (dialog.flow.unproven) return use(dialog.flow);
    const hop = dialogHop(dialog);
    if ('flow' in hop) return use(hop.flow);
    const queue = [use];
    this.#waiting.set(dialog, queue);
    const serve = (flow: Flow | undefined): void => {
      this.#waiting.delete(dialog);
      for (const next of queue.splice(0)) this.barrier.run('step', () => next(flow));
    };
    this.barrier.when(this.openUri(hop.uri, dialog.publicOnly), serve, () => serve(undefined));
  }
}
