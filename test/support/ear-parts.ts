import { decodeMulaw, encodeMulaw } from '../../src/audio/g711.ts';
import type { ProviderDeps } from '../../src/engines/providers/provider.ts';
import type { ServiceAnswer, ServiceFault, SttService, SttStandIn } from '../conformance/stt-service.ts';
import { FakeClock } from './fake-clock.ts';
import { LogCapture } from './log-capture.ts';
import { closingsOf } from './service-rows.ts';
import { failing, type SocketFault } from './service-sockets.ts';
import type { Listening, SpeechService } from './speech-service.ts';

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

interface ToldWords {
  readonly text: string;
  readonly as?: string;
}

/** The parts that are alike, whichever service is behind. */
type SocketEars = Pick<
  SttStandIn,
  'hears' | 'close' | 'audio' | 'busy' | 'breakNext' | 'silenceNext' | 'deafenNext' | 'redirectNext' | 'secret'
>;

/**
 * Of a service that hears mu-law over WebSockets.
 *
 * @param languages - how it tells the language of what it heard.
 * @param redirectedTo - the address of another such service, where it differs from the one that the settings name.
 */
export function socketEars<Listener extends Listening, Heard extends ToldWords, Own extends { readonly type: string }>(
  server: SpeechService<Listener, Heard, Own, unknown> & { readonly settings: { readonly baseUrl: string } },
  languages: (language: 'ar' | 'en') => Omit<Heard, keyof ToldWords>,
  redirectedTo: (address: string) => string = (address) => address,
): SocketEars {
  const fail = failing(server);
  const heard = ({ text, language, as = 'whole' }: ServiceAnswer): Heard =>
    ({ text, as, ...(language && languages(language)) }) as unknown as Heard;
  return {
    hears: (...answers) => void server.hears.push(...answers.map(heard)),
    close: () => server.close(),
    audio: {
      given: () => server.listening.map(({ audio }) => decodeMulaw(audio)),
      of: (samples) => decodeMulaw(encodeMulaw(samples)),
    },
    busy: () => server.open,
    breakNext: fail({ type: 'cut', afterBytes: 4_000 }),
    silenceNext: fail({ type: 'silent' }),
    deafenNext: fail({ type: 'deaf' }),
    redirectNext: (to) => fail({ type: 'redirect', to: redirectedTo(to) })(),
    secret: { key: KEY, addresses: () => [server.settings.baseUrl, ...server.urls] },
  };
}

/** What an adapter's ears are told by each code with which their connection may be closed in the middle of a word. */
export function closingFaults(adapter: string, fail: (fault: SocketFault) => () => void): ServiceFault[] {
  const codes = { heard: undefined, failed: 'transcription_failed', away: 'unavailable' } as const;
  return closingsOf(adapter).flatMap(({ code, ears }) =>
    ears
      ? { name: `closed with ${code}`, set: fail({ type: 'close', code, afterBytes: 4_000 }), code: codes[ears] }
      : [],
  );
}

/**
 * How ears over WebSockets take what goes wrong.
 *
 * @param odd - messages of the service that are of no use; the first is of no known kind.
 */
export function earFaults(adapter: string, fail: ReturnType<typeof failing>, odd: readonly string[]): ServiceFault[] {
  const times = (count: number, fault: SocketFault): SocketFault[] => Array.from({ length: count }, () => fault);
  const say = (...messages: string[]): SocketFault => ({ type: 'say', messages });
  return [
    { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'transcription_failed' },
    { name: '401', set: fail({ type: 'refuse', status: 401 }), code: 'unavailable' },
    { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
    { name: '403', set: fail({ type: 'refuse', status: 403 }), code: 'unavailable' },
    { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
    { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'transcription_failed' },
    { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
    { name: 'reset, once', set: fail({ type: 'reset' }), code: undefined },
    { name: 'reset, for ever', set: fail(...times(4, { type: 'reset' })), code: 'unavailable' },
    { name: 'a handshake without an answer', set: fail(...times(4, { type: 'never' })), code: 'unavailable' },
    { name: 'silence', set: fail({ type: 'silent' }), code: 'transcription_failed' },
    ...closingFaults(adapter, fail),
    { name: 'every message in two frames', set: fail({ type: 'split' }), code: undefined },
    { name: 'unknown messages between all others', set: fail({ type: 'strewn', message: odd[0]! }), code: undefined },
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
