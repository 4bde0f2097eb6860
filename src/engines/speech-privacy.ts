import { ServiceError } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';
import type { RemoteStt, SttEngine, SttStream } from './stt/contract.ts';
import type { RemoteTts, TtsEngine } from './tts/contract.ts';

/** Ears of a service, where `speechPrivacy: remote` was written. The only way in for a `RemoteStt`. */
export function hearElsewhere(remote: RemoteStt): SttEngine {
  return {
    ...{ name: remote.name, capabilities: remote.capabilities },
    available: (language) => remote.available(language),
    warmUp: (options) => remote.warmUp?.(options),
    open: (options, signal) => remote.open(options, signal),
    close: () => remote.close(),
  };
}

/** Voices of a service, where `speechPrivacy: remote` was written. The only way in for a `RemoteTts`. */
export function speakElsewhere(remote: RemoteTts): TtsEngine {
  return {
    name: remote.name,
    available: () => remote.available(),
    soundOf: (voice) => remote.soundOf(voice),
    canSpeak: (voice) => remote.canSpeak?.(voice) ?? true,
    warmUp: () => remote.warmUp?.(),
    synthesize: (request, signal) => remote.synthesize(request, signal),
    close: () => remote.close(),
  };
}

/** Stands where a service is named that nobody has allowed. Nothing of the service is made. */
export function withheldStt(name: string): SttEngine {
  const reason = sentence('engine.ears-withheld', { engine: name });
  return {
    name,
    capabilities: { interim: false, sampleRatesHz: [], languages: [] },
    available: () => ({ ok: false, why: reason }),
    open: () => refusingStream(reason),
    close: async () => {},
  };
}

/** The same for voices. */
export function withheldTts(name: string): TtsEngine {
  const reason = sentence('engine.voice-withheld', { engine: name });
  return {
    name,
    available: () => ({ ok: false, why: reason }),
    soundOf: () => '',
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield
    async *synthesize() {
      throw new ServiceError('unavailable', '', { cause: new Error(reason) });
    },
    close: async () => {},
  };
}

/** Takes everything, and fails when it is read. */
export function refusingStream(reason: string): SttStream {
  return {
    write: () => {},
    flush: () => {},
    hint: () => {},
    end: () => {},
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield
    async *[Symbol.asyncIterator]() {
      throw new ServiceError('unavailable', '', { cause: new Error(reason) });
    },
  };
}
