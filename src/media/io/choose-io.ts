import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText, OperatorError } from '../../core/errors.ts';
import { DirectIo } from './direct-io.ts';
import { closeLeftSockets } from './left-sockets.ts';
import type { DatagramHandler, MediaSocket, SocketRefusal } from './media-io.ts';
import { loadSystemCalls, type SystemCalls } from './system-calls.ts';

/** `direct`: by calls of the C library. `dgram`: by Node. */
export const MEDIA_IO_KINDS = ['direct', 'dgram'] as const;
export type MediaIoKind = (typeof MEDIA_IO_KINDS)[number];

export interface ChosenIo {
  readonly kind: MediaIoKind;
  /** Why it is not `direct`, where that was to be tried. */
  readonly reason?: string;
}

/** The loopback takes microseconds, a machine that does something else a while. */
const TEST_LIMIT_MS = 1_000;
const TEST_TEXT = 'one datagram from one socket to the other';

/**
 * What the media threads are to use.
 *
 * @param wish - `auto`: direct where it works here.
 * @param now - monotonic ms.
 * @throws OperatorError where `direct` is wanted and does not work.
 */
export async function chooseMediaIo(
  wish: MediaIoKind | 'auto',
  now: () => number,
  load: () => SystemCalls = loadSystemCalls,
): Promise<ChosenIo> {
  if (wish === 'dgram') return { kind: 'dgram' };
  const reason = await directFault(now, load);
  if (reason === undefined) return { kind: 'direct' };
  if (wish === 'auto') return { kind: 'dgram', reason };
  throw new OperatorError(`media.io: direct does not work here: ${reason}`);
}

/** Has one socket send to another over the loopback, and leaves both as a thread that ends does. @returns what does not work. */
async function directFault(now: () => number, load: () => SystemCalls): Promise<string | undefined> {
  let io: DirectIo | undefined;
  try {
    io = new DirectIo(load(), '127.0.0.1', now);
    return await talk(io, now);
  } catch (error) {
    return errorText(error);
  } finally {
    if (io) closeLeftSockets(io.epoll);
  }
}

async function talk(io: DirectIo, now: () => number): Promise<string | undefined> {
  const startMs = now();
  let heard: { readonly text: string; readonly port: number; readonly atMs: number } | undefined;
  const opened: (MediaSocket | SocketRefusal)[] = [];
  const keep = (result: MediaSocket | SocketRefusal): void => void opened.push(result);
  io.open(0, () => {}, keep);
  const onDatagram: DatagramHandler = (datagram, _address, port, atMs) => {
    heard = { text: datagram.toString(), port, atMs };
  };
  io.open(0, onDatagram, keep);
  const refused = opened.find((one) => typeof one === 'string');
  if (refused !== undefined) return `no socket: ${refused}`;
  const [from, to] = opened as MediaSocket[] as [MediaSocket, MediaSocket];
  from.send(Buffer.from(TEST_TEXT), TEST_TEXT.length, { address: '127.0.0.1', port: to.localPort });
  while (!heard && now() - startMs < TEST_LIMIT_MS) {
    io.poll();
    await nextTurn();
  }
  if (!heard) return 'nothing came over the loopback';
  const asSent = heard.text === TEST_TEXT && heard.port === from.localPort && heard.atMs >= startMs;
  return asSent ? undefined : 'what came over the loopback is not what was sent';
}
