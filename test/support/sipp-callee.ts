import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './gateway.ts';
import { freeSipPort, freeUdpRange } from './ports.ts';

/** One call as a callee saw it. */
export interface SeenCall {
  readonly callId: string;
  readonly number: string; // user part of the Request-URI
  readonly fromMs: number; // its first INVITE
  readonly untilMs: number; // its end, or the last of it that was seen
}

/** A sipp that takes whatever comes, talks for a while and hangs up; what it saw is in the log that it keeps. */
export class SippCallee {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(talkMs: number): Promise<SippCallee> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-sipp-'));
    const port = await freeSipPort();
    const args = [
      ...['-sf', join(ROOT, 'test/fixtures/sipp/callee.xml'), '-i', '127.0.0.1', '-p', String(port)],
      ...['-mi', '127.0.0.1', '-mp', String(await freeUdpRange(8)), '-d', String(talkMs), '-nostdin'],
      ...['-trace_msg', '-message_file', join(folder, 'messages.log'), '-message_overwrite', 'false'],
    ];
    return new SippCallee(port, folder, spawn('sipp', args, { cwd: folder, stdio: 'ignore' }));
  }

  /** Every call that came, the first first. */
  calls(): readonly SeenCall[] {
    const seen = new Map<string, { callId: string; number: string; fromMs: number; untilMs: number; over: boolean }>();
    for (const { atMs, text } of this.#messages()) {
      const callId = /^Call-ID: *(\S+)/im.exec(text)?.[1];
      if (callId === undefined) continue;
      const invite = /^INVITE sips?:([^@;]+)/.exec(text)?.[1];
      const call = seen.get(callId);
      if (invite && !call) seen.set(callId, { callId, number: invite, fromMs: atMs, untilMs: atMs, over: false });
      if (!call || call.over) continue;
      call.untilMs = atMs;
      call.over = text.startsWith('BYE ') || text.startsWith('CANCEL ');
    }
    return [...seen.values()];
  }

  stop(): void {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Every message, as sipp writes it down. */
  log(): string {
    return readFileSync(join(this.folder, 'messages.log'), 'latin1').replaceAll('\r', '');
  }

  #messages(): { readonly atMs: number; readonly text: string }[] {
    return this.log()
      .split(/^-{20,} /m)
      .flatMap((part) => {
        const [, day, time, fraction] = /^(\S+) ([\d:]+)\.(\d+)/.exec(part) ?? [];
        const text = part.slice(part.indexOf('\n\n') + 2);
        return day ? [{ atMs: Date.parse(`${day}T${time}Z`) + Number(`0.${fraction}`) * 1000, text }] : [];
      });
  }
}

/** Most calls at one moment. */
export function mostAtOnce(calls: readonly SeenCall[]): number {
  return Math.max(0, ...calls.map(({ fromMs: at }) => calls.filter((c) => c.fromMs <= at && at < c.untilMs).length));
}

/** Most calls that began within one second, whichever. */
export function mostInASecond(calls: readonly SeenCall[]): number {
  return Math.max(
    0,
    ...calls.map(({ fromMs: at }) => calls.filter((c) => c.fromMs >= at && c.fromMs < at + 1000).length),
  );
}
