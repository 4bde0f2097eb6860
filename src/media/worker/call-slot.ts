import { errorText } from '../../core/errors.ts';
import type { DatagramHandler, MediaIo, MediaSocket, SocketRefusal } from '../io/media-io.ts';
import { NO_MEDIA_STATS } from '../media-port.ts';
import type { FromMediaWorker, MediaEnding, ToMediaWorker } from '../plane/media-protocol.ts';
import type { TickWheel, WheelMember } from './tick-wheel.ts';
import type { OpenRtcp, WorkerCall } from './worker-call.ts';

export type SlotState = 'opening' | 'live' | 'failed' | 'closed';
export type SlotEvent = 'opened' | 'refused' | 'fault' | 'close';

/** What is absent means nothing. A failed call waits for its `close`, which fetches its figures. */
export const SLOT_TRANSITIONS: Readonly<Record<SlotState, Partial<Record<SlotEvent, SlotState>>>> = {
  opening: { opened: 'live', refused: 'closed', fault: 'closed', close: 'closed' },
  live: { fault: 'failed', close: 'closed' },
  failed: { close: 'closed' },
  closed: {},
};

export type CallMessage = Extract<ToMediaWorker, { readonly call: number }>;
type OpenMessage = Extract<CallMessage, { type: 'open' }>;

/** What every call of a thread shares. */
export interface SlotDeps {
  readonly wheel: TickWheel;
  readonly post: (message: FromMediaWorker) => void;
  readonly io: Pick<MediaIo, 'open'>;
  readonly makeCall: (
    socket: MediaSocket,
    message: OpenMessage,
    onEvent: WorkerCall['deps']['onEvent'],
    openRtcp: OpenRtcp,
  ) => WorkerCall;
  /** A call has joined the wheel. */
  readonly onJoined: () => void;
  /** The call has ended and nothing more comes of it. */
  readonly onClosed: (call: number) => void;
}

/**
 * One call's place on its media thread. Everything that enters the call - ticks, datagrams, messages - comes through here,
 * and what it throws ends this call and no other: it leaves the wheel, frees its sockets and says `failed`.
 */
export class CallSlot implements WheelMember {
  #state: SlotState = 'opening';
  #call: WorkerCall | undefined;
  #ending: MediaEnding = { stats: NO_MEDIA_STATS, streams: [] };

  constructor(
    readonly id: number,
    readonly deps: SlotDeps,
  ) {}

  get state(): SlotState {
    return this.#state;
  }

  /** Opens the port and makes the call, or says why not. Throws nothing. */
  open(message: OpenMessage): void {
    const onDatagram: DatagramHandler = (datagram, address, port, atMs) =>
      this.#datagram(datagram, address, port, atMs);
    try {
      this.deps.io.open(message.port, onDatagram, (result) => this.#opened(message, result));
    } catch (error) {
      this.#report('open', error);
      this.#refuse('failed');
    }
  }

  #opened(message: OpenMessage, result: MediaSocket | SocketRefusal): void {
    const { deps, id } = this;
    if (this.#state === 'closed') return closeSocket(result);
    if (typeof result === 'string') return this.#refuse(result);
    try {
      this.#call = deps.makeCall(
        result,
        message,
        (event) => deps.post({ type: 'event', call: id, event }),
        (port, onDatagram, opened) => this.#openRtcp(port, onDatagram, opened),
      );
      deps.wheel.join(this, this.#call.period);
      deps.onJoined();
      this.#become('opened');
      deps.post({ type: 'opened', call: id, port: result.localPort });
    } catch (error) {
      this.#report('open', error);
      closeSocket(result);
      deps.wheel.leave(this);
      this.#refuse('failed');
    }
  }

  onTick(tick: number, dueMs: number): void {
    try {
      this.#call?.onTick(tick, dueMs);
    } catch (error) {
      this.#fail('tick', error);
    }
  }

  /** Any message but `open`. */
  receive(message: Exclude<CallMessage, OpenMessage>): void {
    if (message.type === 'close') return this.close();
    if (message.type === 'stats') return this.#postStats();
    if (message.type === 'part') return this.#part();
    const call = this.#call;
    if (this.#state !== 'live' || !call) return;
    try {
      if (message.type === 'configure') this.#configure(call, message);
      else if (message.type === 'expect') call.expect();
      else if (message.type === 'keys') call.sender.sendKeys(message.digits, message.after);
      else if (message.type === 'join') call.join(message.lanes);
      else if (message.type === 'music') call.sender.play(message.music);
      else if (message.type === 'listen') call.listen(message.ring);
      else call.record(message.ring);
    } catch (error) {
      this.#fail(message.type, error);
    }
  }

  /** Frees the sockets and tells the final figures. Idempotent. */
  close(): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'live') this.#release();
    this.#become('close');
    this.deps.post({ type: 'closed', call: this.id, ending: this.#ending });
  }

  #configure(call: WorkerCall, { media, keys }: Extract<CallMessage, { type: 'configure' }>): void {
    const before = call.period;
    call.configure(media, keys);
    if (call.period === before) return;
    this.deps.wheel.leave(this);
    call.restartTicks();
    this.deps.wheel.join(this, call.period);
  }

  #datagram(datagram: Buffer, address: string, port: number, atMs: number): void {
    if (this.#state !== 'live') return;
    try {
      this.#call?.onDatagram(datagram, address, port, atMs);
    } catch (error) {
      this.#fail('datagram', error);
    }
  }

  /** The port may be held by another program: the peer's reports are lost then, ours need not be. */
  #openRtcp(port: number, onDatagram: DatagramHandler, opened: (socket: MediaSocket) => void): void {
    const guarded: DatagramHandler = (datagram, address, from, atMs) => {
      if (this.#state !== 'live') return;
      try {
        onDatagram(datagram, address, from, atMs);
      } catch (error) {
        this.#fail('rtcp', error);
      }
    };
    const tell = (result: MediaSocket | SocketRefusal): void => {
      if (typeof result === 'object') opened(result);
    };
    const { io } = this.deps;
    try {
      io.open(port, guarded, (result) => (result === 'address-in-use' ? io.open(0, guarded, tell) : tell(result)));
    } catch (error) {
      this.#report('open-rtcp', error); // a call without reports is a call
    }
  }

  #part(): void {
    this.#call?.join(undefined);
    this.deps.post({ type: 'parted', call: this.id });
  }

  #postStats(): void {
    if (this.#state === 'live') this.#look();
    this.deps.post({ type: 'stats', call: this.id, stats: this.#ending.stats });
  }

  /** What is to be told of the call, now and when it is over. */
  #look(): void {
    const call = this.#call;
    if (!call) return;
    try {
      this.#ending = { stats: call.stats(), streams: call.receiver.latching.streams(), timeline: call.timeline() };
    } catch (error) {
      this.#report('stats', error);
    }
  }

  #refuse(reason: SocketRefusal): void {
    this.#become('refused');
    this.deps.post({ type: 'refused', call: this.id, reason });
  }

  #fail(step: string, error: unknown): void {
    if (this.#state !== 'live') return;
    this.#report(step, error);
    this.#release();
    this.#become('fault');
    const reason = `${step}: ${errorText(error)}`;
    this.deps.post({ type: 'event', call: this.id, event: { type: 'failed', reason } });
  }

  #release(): void {
    this.deps.wheel.leave(this);
    try {
      this.#call?.close();
    } catch (error) {
      this.#report('close', error);
    }
    this.#look();
    this.#call = undefined;
  }

  #report(step: string, error: unknown): void {
    this.deps.post({ type: 'fault', call: this.id, step, reason: errorText(error) });
  }

  #become(event: SlotEvent): void {
    const next = SLOT_TRANSITIONS[this.#state][event];
    if (!next) return;
    this.#state = next;
    if (next === 'closed') this.deps.onClosed(this.id);
  }
}

function closeSocket(socket: MediaSocket | SocketRefusal | undefined): void {
  if (typeof socket === 'object') socket.close();
}
