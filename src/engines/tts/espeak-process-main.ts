/**
 * The speech process: `node espeak-process-main.js <socket path>`. Starting a program copies the page tables of the process
 * that starts it, which takes a gateway of 700 MB more than 20 ms of standstill and this small one a single millisecond; so
 * sentences are made here. It lives as long as its standard input, and takes the folder of its socket with it.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { errorText, ServiceError } from '../../core/errors.ts';
import { isShortage } from '../../core/shortage.ts';
import type { TtsEngine, TtsRequest } from './contract.ts';
import { EspeakTts } from './espeak.ts';
import type { Failure } from './espeak-process.ts';
import { encodeFrame, encodeJson, encodeSamples, FRAME, FrameReader } from './speech-frames.ts';

/** One connection, one sentence; a connection that ends takes its sentence with it. */
function serve(socket: Socket, engine: TtsEngine): void {
  const abort = new AbortController();
  const reader = new FrameReader();
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => abort.abort());
  socket.write(encodeFrame(FRAME.hello));
  socket.on('data', (bytes: Buffer) => {
    try {
      for (const { kind, payload } of reader.push(bytes)) {
        if (kind === FRAME.order) void speak(socket, engine, JSON.parse(payload.toString('utf8')), abort.signal);
      }
    } catch {
      socket.destroy();
    }
  });
}

async function speak(socket: Socket, engine: TtsEngine, request: TtsRequest, signal: AbortSignal): Promise<void> {
  try {
    for await (const samples of engine.synthesize(request, signal)) {
      if (!socket.write(encodeSamples(samples))) await once(socket, 'drain', { signal });
    }
    socket.end(encodeFrame(FRAME.done));
  } catch (error) {
    if (signal.aborted) return;
    const code = error instanceof ServiceError ? error.code : 'synthesis_failed';
    const failure: Failure = { code, why: errorText(error), short: isShortage(error) };
    socket.end(encodeJson(FRAME.failed, failure));
  }
}

function main(path: string): void {
  const engine = new EspeakTts({ clock: systemClock });
  const server = createServer((socket) => serve(socket, engine));
  const leave = async (): Promise<void> => {
    await engine.close();
    rmSync(dirname(path), { recursive: true, force: true });
    process.exit();
  };
  // A signal to the whole group is for the gateway, which still has a goodbye to say.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  process.stdin.on('close', () => void leave()).resume();
  process.stdout.on('error', () => {}); // the gateway has gone: standard input says so as well
  server.on('error', () => void leave());
  server.listen(path, () => process.stdout.write('ready\n'));
}

main(process.argv[2]!);
