import { callEnd } from '../../src/call/call-end.ts';
import { StreamConnection } from '../../src/streams/stream-connection.ts';
import type { StreamFrame, StreamProtocol } from '../../src/streams/stream-protocol.ts';
import { TalkProtocol } from '../../src/streams/talk-protocol.ts';
import { AGENT } from './conversation-rig.ts';
import { receptionRig, type Setup } from './reception-rig.ts';
import { tone } from './tones.ts';

/** A WebSocket whose other end is the test. */
export class FakeStreamSocket {
  bufferedAmount = 0;
  isPaused = false;
  readonly sent: StreamFrame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  terminated = false;
  pings = 0;
  send(data: StreamFrame): void {
    this.sent.push(data);
  }
  ping(): void {
    this.pings += 1;
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }
  terminate(): void {
    this.terminated = true;
  }
  /** JSON frames that were sent. */
  get frames(): { readonly type: string; readonly [field: string]: unknown }[] {
    return this.sent.filter((data) => typeof data === 'string').map((data) => JSON.parse(data as string));
  }
  types(): string[] {
    return this.frames.map(({ type }) => type);
  }
  get audioFrames(): number {
    return this.sent.filter((data) => typeof data !== 'string').length;
  }
}

/** A talk socket on a real reception; what touches network, money and engines is faked. */
export function streamRig(setup: Setup = {}, protocol?: StreamProtocol) {
  const reception = receptionRig(setup);
  const { clock, log, ticker } = reception;
  const socket = new FakeStreamSocket();
  const known = { sessionId: 'str_1', agentId: AGENT.id, from: 'web', variables: {}, hearingRateHz: 8000 };
  const talk = new TalkProtocol(() => known);
  const recorder = {
    start: () => ({ said: () => {}, heard: () => {}, stop: async () => {} }),
    close: async () => {},
  };
  const ends = { local: { address: '127.0.0.1', port: 1 }, remote: { address: '127.0.0.1', port: 2 } };
  const connection = new StreamConnection('str_1', socket, protocol ?? talk, ends, {
    ...{ recorder, clock, logger: log.logger, queueMs: 4_000, timeoutMs: 30_000 },
    receive: (leg, agent) => reception.reception.receive(leg, agent),
  });
  ticker.add(connection);
  const send = (frame: object): void => connection.receive(Buffer.from(JSON.stringify(frame)), false);
  /** The caller's microphone is on for so long. */
  const speak = async (ms: number, amplitude = 0): Promise<void> => {
    for (let at = 0; at < ms; at += 20) {
      const samples = tone(700, 160, { amplitude });
      connection.receive(Buffer.from(samples.buffer), true);
      await reception.run(20);
    }
  };
  const open = async (): Promise<void> => {
    connection.admit(AGENT);
    send({ type: 'start', sample_rate: 8000 });
    await reception.run(20);
  };
  return { ...reception, connection, socket, send, speak, open, shutdown: callEnd('gateway', 'shutdown') };
}
