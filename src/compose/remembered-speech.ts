import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { cachedTts } from '../engines/tts/cached.ts';
import type { TtsEngine } from '../engines/tts/contract.ts';
import { SpeechCache } from '../engines/tts/speech-cache.ts';

/**
 * Gives synthesisers one memory for calls and API: what agents say again and again comes from disk. A call saves more than
 * the sound: starting the synthesiser's process holds this one for tens of milliseconds, the longer the more memory it has.
 */
export async function rememberedSpeech(parts: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'speechCache'>;
}): Promise<(engine: TtsEngine) => TtsEngine> {
  const { dataDir, clock, logger, metrics } = parts;
  const cache = await SpeechCache.open({ folder: join(dataDir, 'cache', 'speech'), clock, logger });
  return (engine) => cachedTts(engine, cache, (result) => metrics.speechCache.inc({ result }));
}
