import type { SttHints, SttOptions } from '../../stt/contract.ts';
import { keytermsOf } from '../keyterms.ts';

export const LISTEN_PATH = '/speech/recognition/conversation/cognitiveservices/v1';
/** A phrase list takes 500; it is sent with every stretch, so it is kept short. */
const PHRASES = { count: 200, chars: 4_000, termChars: 100 };
/** Languages that can be told apart at the beginning of a turn. */
const LANGUAGES_MAX = 4;
/** A pause within a stretch, after which words are settled before the stretch is over. */
const SEGMENTATION_MS = 500;

/** Of the connection: there the language is fixed, or that it is to be told. */
export function listenQuery(options: SttOptions): URLSearchParams {
  const query = new URLSearchParams({ language: options.language, format: 'detailed', wordLevelTimestamps: 'true' });
  if (isToBeTold(options)) query.set('lidEnabled', 'true');
  return query;
}

/** `speech.context`: how a stretch is to be heard, sent before its audio. */
export function speechContext(options: SttOptions, hints: SttHints | undefined): string {
  const items = keytermsOf(hints, PHRASES).map((text) => ({ text }));
  const segmentation = { mode: 'Custom', segmentationSilenceTimeoutMs: SEGMENTATION_MS };
  const detailed = { format: 'Detailed', detailed: { options: ['WordTimings'] } };
  const several = isToBeTold(options);
  return JSON.stringify({
    phraseDetection: {
      ...{ mode: 'Conversation', conversation: { segmentation } },
      ...(!several && { language: options.language }),
    },
    phraseOutput: {
      ...detailed,
      ...(several && { interimResults: { resultType: 'Auto' }, phraseResults: { resultType: 'Always' } }),
    },
    ...(several && {
      languageId: {
        ...{
          languages: options.languages?.slice(0, LANGUAGES_MAX),
          mode: 'DetectAtAudioStart',
          priority: 'PrioritizeLatency',
        },
        ...{ onSuccess: { action: 'Recognize' }, onUnknown: { action: 'None' } },
      },
    }),
    ...(items.length > 0 && { dgi: { groups: [{ type: 'Generic', items }], bias: 1 } }),
  });
}

/** Each stretch is a turn of its own: that its language is told at its beginning is enough. */
function isToBeTold({ languages = [] }: SttOptions): boolean {
  return languages.length > 1;
}
