import { type Clock, delay } from '../core/clock.ts';
import { type DescriptorSupply, withDescriptors } from '../core/descriptors.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { MediaEvent, MediaPlane, MediaPort } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type CallEnd, callEnd, endByCallee } from './call-end.ts';
import type { ClosePath } from './close-path.ts';
import { type Dialer, dialOn } from './dialer.ts';
import { type Leg, LegError } from './leg.ts';

/** Whoever dials has given up by itself long before: this is for one that forgot. */
const DIAL_SPARE_MS = 15_000;

export interface SecondLegDeps {
  readonly callId: string;
  readonly path: ClosePath;
  readonly media: MediaPlane;
  readonly dialer: Dialer;
  readonly sessionOf: (port: MediaPort) => MediaSession;
  readonly descriptors: Pick<DescriptorSupply, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The end of the call: nobody is waited for any more. */
  readonly signal: AbortSignal;
}

export interface SecondLegOrder {
  readonly target: string; // a SIP URI
  readonly from: string;
  /** Ours, as the target reaches it. */
  readonly localAddress: string | undefined;
  /** Of the clock: it rings no longer. */
  readonly deadlineMs: number;
}

/**
 * Somebody who is dialled into a call that is up. Port, dialog and bridge are on the close path of the call, under names of
 * their own; `giveUp` gives them back before that.
 */
export class SecondLeg {
  #leg: Leg | undefined;
  #port: MediaPort | undefined;
  #given: CallEnd | undefined;
  readonly #over = new AbortController();

  /** `failed`: its media cannot go on. */
  constructor(
    private readonly deps: SecondLegDeps,
    private readonly failed: (end: CallEnd) => void,
  ) {}

  /** @returns why there is nobody; undefined once it is answered, with media. Never rejects. */
  async dial(order: SecondLegOrder): Promise<CallEnd | undefined> {
    const { path, logger } = this.deps;
    try {
      const end = await this.#dial(order);
      return path.end ?? this.#given ?? end;
    } catch (error) {
      if (error instanceof LegError) return this.#given ?? error.end;
      logger.error({ error: errorText(error) }, 'dialling a second leg failed');
      return callEnd('gateway', 'internal', errorText(error));
    } finally {
      this.#over.abort();
    }
  }

  /** Both hear each other, and nothing else. @returns false where their media cannot be joined. */
  join(first: MediaPort): boolean {
    const { media, path } = this.deps;
    if (!this.#port) return false;
    const bridge = media.bridge(first, this.#port);
    if (bridge) path.holds('bridge', () => bridge.close());
    return bridge !== undefined;
  }

  /** Offers and keys of this side reach the other as audio and keys alone; its end is told, also one that came before. */
  listen(first: MediaPort, guard: (act: () => void) => void, ended: (end: CallEnd) => void): void {
    this.#leg?.setHandlers({
      onMedia: (media) => guard(() => this.#port?.configure(media)),
      onDtmf: (digit) => guard(() => first.sendDtmf(digit)),
      onEnd: (end) => ended(endByCallee(end)),
    });
  }

  /** A key that the other side pressed, and that did not come as audio does. */
  press(digit: string): void {
    this.#port?.sendDtmf(digit);
  }

  /** CANCEL or BYE, and the port goes back. Nobody waits for that. Idempotent. */
  giveUp(end: CallEnd): void {
    const { path } = this.deps;
    this.#given ??= end;
    this.#over.abort();
    for (const step of ['bridge', 'secondSignalling', 'secondMedia'] as const) void path.release(step, end);
  }

  async #dial(order: SecondLegOrder): Promise<CallEnd | undefined> {
    const { callId, media, descriptors, path, dialer, sessionOf, clock } = this.deps;
    const { target, from, deadlineMs, localAddress } = order;
    const port = await withDescriptors(descriptors, () =>
      media.open({ callId, localAddress, onEvent: (event) => this.#onMediaEvent(event) }),
    );
    if (typeof port === 'string') return callEnd('gateway', 'busy', `no second port: ${port}`);
    path.holds('secondMedia', () => port.close());
    if (path.end) return path.end;
    if (this.#given) {
      this.giveUp(this.#given); // It was given up before there was a port.
      return this.#given;
    }
    const ringTimeoutMs = deadlineMs - clock.nowMs();
    if (ringTimeoutMs <= 0) return callEnd('network', 'no-answer', 'no time was left to ring');
    this.#port = port;
    const options = { uri: target, from, media: sessionOf(port), ringTimeoutMs };
    const leg = await this.#inTime(dialOn({ path, step: 'secondSignalling' }, dialer, options), ringTimeoutMs);
    if (!leg) return callEnd('gateway', 'internal', 'dialling did not end');
    if (!leg.media) return callEnd('gateway', 'internal', 'answered without media');
    this.#leg = leg;
    port.configure(leg.media);
    return undefined;
  }

  /** @returns undefined when it is given up, or takes longer than it may. */
  async #inTime(dialled: Promise<Leg>, ringTimeoutMs: number): Promise<Leg | undefined> {
    const { clock, signal } = this.deps;
    const over = AbortSignal.any([this.#over.signal, signal]);
    const late = delay(clock, ringTimeoutMs + DIAL_SPARE_MS, over).then(() => undefined);
    return Promise.race([dialled, late]);
  }

  #onMediaEvent(event: MediaEvent): void {
    if (event.type === 'timeout') this.failed(callEnd('network', 'media-timeout'));
    else if (event.type === 'keys') this.#leg?.press?.(event.digits);
    else if (event.type === 'failed') this.failed(callEnd('gateway', 'media-failed', event.reason));
  }
}
