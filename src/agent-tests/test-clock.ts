import type { Clock } from '../core/clock.ts';
import { momentOf } from '../language/calendar/calendar.ts';

/** The clock of conversations that are tried: it begins where a dialogue wants it, and goes on with what the dialogue waits for. */
export class TestClock implements Clock {
  #startMs: number | undefined;
  #waitedMs = 0;

  constructor(private readonly base: Clock) {}

  /** @param now - undefined: the moment it is. */
  begin(now: Date | undefined): void {
    this.#startMs = now?.getTime();
    this.#waitedMs = 0;
  }
  wait(ms: number): void {
    this.#waitedMs += ms;
  }

  utc(): Date {
    return new Date((this.#startMs ?? this.base.utc().getTime()) + this.#waitedMs);
  }
  nowMs(): number {
    return this.base.nowMs();
  }
  setTimer(delayMs: number, callback: () => void): object {
    return this.base.setTimer(delayMs, callback);
  }
  clearTimer(timer: object | undefined): void {
    this.base.clearTimer(timer);
  }
}

/** The instant of `2026-11-22T10:00`, which is a local time of `timeZone` where it has no offset. */
export function instantOf(text: string, timeZone: string): Date {
  if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text)) return new Date(text);
  const asUtc = new Date(`${text}Z`);
  const { today, minuteOfDay } = momentOf(asUtc, timeZone);
  const localMs = Date.UTC(today.year, today.month - 1, today.day, 0, minuteOfDay);
  const offsetMs = localMs - Math.floor(asUtc.getTime() / 60_000) * 60_000;
  return new Date(asUtc.getTime() - offsetMs);
}
