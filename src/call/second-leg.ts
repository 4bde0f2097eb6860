import { type Clock, delay } from '../core/clock.ts';
import { type DescriptorSupply, withDescriptors } from '../core/descriptors.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { CallerAudio, MediaBridge, MediaEvent, MediaPlane, MediaPort, MediaRefusal } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type CallEnd, callEnd, endByCallee } from './call-end.ts';
import type { CallRoute, CallRouter, DialAttempt } from './call-router.ts';
import type { ClosePath } from './close-path.ts';
import { dialRoute, type HostNotes } from './dial-route.ts';
import type { Dialer } from './dialer.ts';
import { type KeyMeans, KeyPresses } from './key-presses.ts';
import { holdsUs, type Leg, LegError, mediaTimeout } from './leg.ts';
import { TAKEN, takeOverLeg } from './leg-takeover.ts';

/** Whoever dials has given up by itself long before: this is for one that forgot. */
const DIAL_SPARE_MS = 15_000;

export interface SecondLegDeps {
  readonly callId: string;
  readonly accountId: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly path: ClosePath;
  readonly media: MediaPlane;
  readonly dialer: Dialer;
  readonly router: CallRouter;
  readonly hosts?: HostNotes;
  readonly sessionOf: (port: MediaPort) => MediaSession;
  readonly descriptors: Pick<DescriptorSupply, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The end of the call: nobody is waited for any more. */
  readonly signal: AbortSignal;
  /** What is reported from outside may throw: that is the fault of this call alone. */
  readonly guard: (act: () => void) => void;
}

export interface SecondLegOrder {
  readonly target: string; // as the router takes it
  readonly from: string;
  /** Ours, where the target does not tell which address of ours it reaches. */
  readonly localAddress: string | undefined;
  /** Of the clock: it rings no longer. */
  readonly deadlineMs: number;
}

export interface SecondLegHandlers {
  /** Its dialog or its media is over; also one that was so before anybody listened. */
  ended(end: CallEnd): void;
  /** Key presses, while it is not joined to the other side: then they go there. */
  key(digit: string): void;
  /** It has put us on hold, or taken us back. */
  held(isHeld: boolean): void;
}

interface Dialling {
  readonly cancel: AbortController;
  dialled: Promise<Leg> | undefined;
}

/**
 * Somebody who is dialled into a call that is up. Route, port, dialog and bridge are on the close path of the call, under
 * names of their own; `giveUp` gives them back before that.
 */
export class SecondLeg {
  #leg: Leg | undefined;
  #port: MediaPort | undefined;
  #joinedTo: MediaPort | undefined;
  #bridge: MediaBridge | undefined;
  #given: CallEnd | undefined;
  readonly #keys = new KeyPresses();
  readonly #over = new AbortController();

  constructor(
    private readonly deps: SecondLegDeps,
    private readonly handlers: SecondLegHandlers,
  ) {}

  /** Once it is answered. */
  get leg(): Leg | undefined {
    return this.#leg;
  }
  get port(): MediaPort | undefined {
    return this.#port;
  }

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
    if (!bridge) return false;
    this.#joinedTo = first;
    this.#bridge = bridge;
    path.holds('bridge', () => bridge.close());
    return true;
  }

  /** Where what either says can be listened to while they are joined: the other side, then this one. */
  earsWith(first: MediaPort): readonly [CallerAudio, CallerAudio] | undefined {
    const port = this.#port;
    return port && [this.#bridge?.earOf?.(first) ?? first, this.#bridge?.earOf?.(port) ?? port];
  }

  /** A key that the other side pressed, and that did not come as audio does. */
  press(digit: string): void {
    this.#port?.sendDtmf(digit);
  }

  /** Another takes the place of who was dialled. @returns false where it is not this leg. Never rejects. */
  async takeOver(replaced: Leg, next: Leg): Promise<boolean> {
    const { path, sessionOf, logger } = this.deps;
    if (replaced !== this.#leg || !this.#port || this.#given) return false;
    const attach = (leg: Leg): void => {
      this.#leg = leg;
      this.#listen(leg);
      if (leg.media) this.#onMedia(leg.media);
    };
    const over = (): CallEnd | undefined => path.end ?? this.#given ?? (replaced === this.#leg ? undefined : TAKEN);
    await takeOverLeg({ replaced, next, port: this.#port, sessionOf, logger, over, attach });
    return true;
  }

  /** CANCEL or BYE, and the port goes back. Nobody waits for that. Idempotent. */
  giveUp(end: CallEnd): void {
    const { path } = this.deps;
    this.#given ??= end;
    this.#over.abort();
    for (const step of ['bridge', 'secondSignalling', 'secondMedia'] as const) void path.release(step, end);
  }

  async #dial({ target, from, deadlineMs, localAddress }: SecondLegOrder): Promise<CallEnd | undefined> {
    const { accountId, variables, callId, router, dialer, sessionOf, clock } = this.deps;
    const route = await router.route({ accountId, target, from, ...(variables && { variables }) });
    if ('reason' in route) return route;
    const dialling = this.#take(route);
    if (this.#isGivenUp()) return this.#given;
    const [{ uri, nextHop }] = route.attempts as [DialAttempt, ...DialAttempt[]];
    const port = await this.#open(dialer.localAddressTo(nextHop ?? uri) ?? localAddress);
    if (typeof port === 'string') return callEnd('gateway', 'busy', `no second port: ${port}`);
    if (this.#isGivenUp()) return this.#given; // before there was a port
    const ringTimeoutMs = deadlineMs - clock.nowMs();
    if (ringTimeoutMs <= 0) return callEnd('network', 'no-answer', sentence('end.no-time-to-ring'));
    this.#port = port;
    const call = { callId, media: sessionOf(port), ringTimeoutMs, signal: dialling.cancel.signal };
    dialling.dialled = dialRoute(this.deps, route, call);
    const leg = await this.#inTime(dialling.dialled, ringTimeoutMs);
    if (!leg) return callEnd('gateway', 'internal', 'dialling did not end');
    if (!leg.media) return callEnd('gateway', 'internal', 'answered without media');
    this.#leg = leg;
    port.configure(leg.media);
    this.#listen(leg);
    return undefined;
  }

  /** The way and whoever is dialled on it are on the close path from the first moment. */
  #take(route: CallRoute): Dialling {
    const dialling: Dialling = { cancel: new AbortController(), dialled: undefined };
    this.deps.path.holds('secondSignalling', async (end) => {
      dialling.cancel.abort();
      const dialled = await dialling.dialled?.catch(() => undefined); // Why it was not answered is told to who dialled.
      const leg = this.#leg ?? dialled; // Another may have taken its place.
      try {
        await leg?.hangup(end);
      } finally {
        route.release();
      }
    });
    return dialling;
  }

  async #open(localAddress: string | undefined): Promise<MediaPort | MediaRefusal | 'no-descriptors'> {
    const { callId, media, descriptors, path } = this.deps;
    const port = await withDescriptors(descriptors, () =>
      media.open({ callId, localAddress, onEvent: (event) => this.#onMediaEvent(event) }),
    );
    if (typeof port !== 'string') path.holds('secondMedia', () => port.close());
    return port;
  }

  /** What was taken since then goes back, too. */
  #isGivenUp(): boolean {
    this.#given ??= this.deps.path.end;
    if (this.#given) this.giveUp(this.#given);
    return this.#given !== undefined;
  }

  /** Offers and keys of this side reach the other as audio and keys alone. */
  #listen(leg: Leg): void {
    const { guard } = this.deps;
    leg.setHandlers({
      onMedia: (media) => guard(() => this.#onMedia(media)),
      onDtmf: (digit) => guard(() => this.#onKey(digit, 'info')),
      onEnd: (end) => this.handlers.ended(endByCallee(end)),
    });
  }

  #onMedia(media: NegotiatedMedia): void {
    this.#port?.configure(media);
    this.handlers.held(holdsUs(media));
  }

  #onKey(digit: string, means: KeyMeans): void {
    if (!this.#keys.isNew(digit, means, this.deps.clock.nowMs())) return;
    if (!this.#joinedTo) this.handlers.key(digit);
    else if (means === 'info') this.#joinedTo.sendDtmf(digit); // Events and tones go over the bridge by themselves.
  }

  /** @returns undefined when it is given up, or takes longer than it may. */
  async #inTime<T>(dialled: Promise<T>, ringTimeoutMs: number): Promise<T | undefined> {
    const { clock, signal } = this.deps;
    const over = AbortSignal.any([this.#over.signal, signal]);
    const late = delay(clock, ringTimeoutMs + DIAL_SPARE_MS, over).then(() => undefined);
    return Promise.race([dialled, late]);
  }

  #onMediaEvent(event: MediaEvent): void {
    if (event.type === 'timeout') this.handlers.ended(mediaTimeout(this.#leg));
    else if (event.type === 'keys') this.#leg?.press?.(event.digits);
    else if (event.type === 'failed') this.handlers.ended(callEnd('gateway', 'media-failed', event.reason));
    else if (event.type === 'dtmf') this.deps.guard(() => this.#onKey(event.digit, event.means ?? 'event'));
  }
}
