import type { ProviderDeps } from '../../src/engines/providers/provider.ts';
import type { ServiceFault, SttService } from '../conformance/stt-service.ts';
import { FakeClock } from './fake-clock.ts';
import { LogCapture } from './log-capture.ts';
import type { failing, SocketFault } from './service-sockets.ts';

export const KEY = 'sk-canary-0123456789';

export function parts(): { clock: FakeClock; log: LogCapture; deps: ProviderDeps } {
  const clock = new FakeClock();
  const log = new LogCapture();
  return { clock, log, deps: { clock, logger: log.logger, used: () => {} } };
}

/** All that a stand-in of a service with connections has. */
export const CONNECTED_PARTS: SttService['has'] = [
  ...(['audio', 'busy', 'keptAlive', 'hangUp', 'breakNext', 'silenceNext', 'deafenNext', 'redirectNext'] as const),
  ...(['told', 'faults', 'secret', 'without'] as const),
];

/** How ears over WebSockets take what goes wrong. @param odd - messages of the service that are of no use. */
export function earFaults(fail: ReturnType<typeof failing>, odd: readonly string[]): ServiceFault[] {
  const times = (count: number, fault: SocketFault): SocketFault[] => Array.from({ length: count }, () => fault);
  const say = (...messages: string[]): SocketFault => ({ type: 'say', messages });
  const afterBytes = 4_000;
  return [
    { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'transcription_failed' },
    { name: '401', set: fail({ type: 'refuse', status: 401 }), code: 'unavailable' },
    { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
    { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
    { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'transcription_failed' },
    { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
    { name: 'reset, once', set: fail({ type: 'reset' }), code: undefined },
    { name: 'reset, for ever', set: fail(...times(4, { type: 'reset' })), code: 'unavailable' },
    { name: 'a handshake without an answer', set: fail(...times(4, { type: 'never' })), code: 'unavailable' },
    { name: 'silence', set: fail({ type: 'silent' }), code: 'transcription_failed' },
    { name: 'closed with 1000', set: fail({ type: 'close', code: 1000, afterBytes }), code: undefined },
    { name: 'closed with 1011', set: fail({ type: 'close', code: 1011, afterBytes }), code: undefined },
    { name: 'closed with 1008', set: fail({ type: 'close', code: 1008, afterBytes }), code: 'transcription_failed' },
    { name: 'odd messages', set: fail(say(...odd)), code: undefined },
    {
      name: 'odd messages without an end',
      set: fail(say(...Array.from({ length: 30 }, () => 'no JSON'))),
      code: 'transcription_failed',
    },
    { name: 'a message of 1 MB', set: fail(say('x'.repeat(1_000_000))), code: undefined },
    { name: 'a message of 3 MB', set: fail(say('x'.repeat(3_000_000))), code: 'transcription_failed' },
  ];
}
