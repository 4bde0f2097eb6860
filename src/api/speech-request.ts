import { countCharacters } from '../billing/prices.ts';
import { type Language, languageOf } from '../core/agent.ts';
import type { VoiceDirectory } from '../core/agent-voice.ts';
import { type ErrorCode, ServiceError } from '../core/errors.ts';
import type { Voice } from '../core/voice.ts';
import type { TextNormalizer } from '../engines/text/contract.ts';
import { exceeds, shown } from './characters.ts';
import type { ApiSettings } from './deps.ts';
import { type AudioFormat, SAMPLE_RATES_HZ } from './formats.ts';
import { LIMITS, SPEECH_MODELS, type SpeechModel } from './schemas.ts';

/** What an order of speech can fail with, whole or streamed. */
export const SPEECH_ERRORS = [
  'empty_text',
  'text_too_long',
  'unknown_voice',
  'unknown_format',
  'unknown_model',
  'synthesis_failed',
  'timeout',
] as const satisfies readonly ErrorCode[];

/** Speech that was asked for, with every default filled in. */
export interface SpeechOrder {
  readonly text: string; // trimmed, never empty
  readonly characters: number; // what is charged
  readonly voice: Voice;
  readonly language: Language; // of the voice
  readonly model: SpeechModel;
  readonly format: AudioFormat;
  readonly sampleRateHz: number;
  readonly speed: number;
  readonly pitchSemitones: number; // 0 where the model ignores it
}

export interface SpeechFields {
  readonly text: string;
  readonly voice?: string;
  readonly model?: SpeechModel;
  readonly format?: AudioFormat;
  readonly sample_rate?: number;
  readonly speed?: number;
  readonly pitch?: number;
}

export interface SpeechDefaults {
  readonly voices: VoiceDirectory;
  readonly normalizer: TextNormalizer;
  readonly settings: Pick<ApiSettings, 'defaultVoice'>;
}

/**
 * @param format - what to make when the request names no format.
 * @throws ServiceError `empty_text`, `text_too_long`, `invalid_request` (sample rate), `unknown_voice`, `unknown_model`.
 */
export function readSpeechOrder(fields: SpeechFields, format: AudioFormat, defaults: SpeechDefaults): SpeechOrder {
  const text = requiredText(fields.text);
  const chosen = fields.format ?? format;
  const sampleRateHz = sampleRateOf(chosen, fields.sample_rate);
  const voice = voiceOf(fields.voice, text, defaults);
  const model = modelOf(voice, fields.model);
  return {
    ...{ text, voice, model, sampleRateHz, format: chosen },
    characters: countCharacters(text),
    language: languageOf(voice.language),
    speed: fields.speed ?? 1,
    pitchSemitones: honoursPitch(model) ? (fields.pitch ?? 0) : 0,
  };
}

export const honoursPitch = (model: string): boolean => model === 'nabra-1';

/** @throws ServiceError `empty_text`, `text_too_long`. */
export function requiredText(sent: string): string {
  const text = sent.trim();
  if (text === '') throw new ServiceError('empty_text');
  if (exceeds(sent, LIMITS.speechTextChars)) throw new ServiceError('text_too_long');
  return text;
}

function sampleRateOf(format: AudioFormat, wanted: number | undefined): number {
  const rates = SAMPLE_RATES_HZ[format];
  const rate = wanted ?? rates[0]!;
  if (rates.includes(rate)) return rate;
  const known = [...new Set(rates)].sort((a, b) => a - b).join(', ');
  throw new ServiceError('invalid_request', `sample_rate must be one of ${known} for ${format}`);
}

function voiceOf(id: string | undefined, text: string, { voices, normalizer, settings }: SpeechDefaults): Voice {
  const wanted = id ?? settings.defaultVoice[languageOfText(text, normalizer)];
  const voice = voices.get(wanted);
  if (!voice) throw new ServiceError('unknown_voice', shown(wanted));
  return voice;
}

/** The normaliser decides the language of a text by its letters; a few words are enough for that. */
function languageOfText(text: string, normalizer: TextNormalizer): Language {
  return normalizer.normalize(text.slice(0, 200)).language;
}

function modelOf(voice: Voice, wanted: SpeechModel | undefined): SpeechModel {
  const isModel = (name: string | undefined): name is SpeechModel => SPEECH_MODELS.some((model) => model === name);
  const own = voice.supportedModels.find(isModel);
  const model = wanted ?? own ?? 'sada-1';
  if (!voice.supportedModels.includes(model)) throw new ServiceError('unknown_model', model);
  return model;
}
