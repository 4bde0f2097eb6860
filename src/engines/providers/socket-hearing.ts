import type { PcmFrame } from '../../audio/pcm.ts';
import type { Clock } from '../../core/clock.ts';
import { AudioTimes } from '../stt/audio-times.ts';
import { HearingSocket } from './hearing-socket.ts';
import type { Hearing, HearingEvents } from './listen-stream.ts';
import type { SocketRequest } from './remote-socket.ts';

/** A WebSocket over which a service hears, one connection of a stream; a service adds its messages. */
export abstract class SocketHearing implements Hearing {
  readonly times = new AudioTimes();
  readonly openedAtMs: number;
  protected readonly clock: Clock;
  protected readonly socket: HearingSocket;

  /** @param keepAliveMs - how long a line may be quiet before `onQuiet`. */
  constructor(
    request: SocketRequest,
    keepAliveMs: number,
    protected readonly events: HearingEvents,
  ) {
    this.clock = request.clock;
    this.openedAtMs = this.clock.nowMs();
    this.socket = new HearingSocket(
      { ...request, keepAliveMs },
      {
        opened: () => this.onOpen(),
        text: (message) => this.onText(message),
        quiet: () => this.onQuiet(),
        ended: (failure) => {
          this.waitNoMore();
          events.ended(failure);
        },
      },
    );
  }

  get isOpen(): boolean {
    return this.socket.isOpen;
  }

  abstract write(frame: PcmFrame): void;
  abstract flush(): void;

  close(): void {
    this.waitNoMore();
    this.leave();
    this.socket.close();
  }

  destroy(): void {
    this.waitNoMore();
    this.socket.destroy();
  }

  protected onOpen(): void {
    this.events.opened();
  }
  /** @returns whether it could be read. */
  protected abstract onText(message: string): boolean;
  /** The service is given a sign of life. */
  protected abstract onQuiet(): void;
  /** No answer is waited for any more. */
  protected abstract waitNoMore(): void;
  /** What the service is told last. */
  protected leave(): void {}
}
