import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import type { ConversationSettings } from '../call/conversation-settings.ts';
import type { ReceptionDeps } from '../call/reception.ts';
import type { TurnEndParts } from '../call/turn-end-watch.ts';
import { VoiceWatch } from '../call/voice-watch.ts';
import type { Config } from '../config/load.ts';
import { type Agent, tagsOf } from '../core/agent.ts';
import type { VoiceDirectory } from '../core/agent-voice.ts';
import type { Clock } from '../core/clock.ts';
import type { Metrics } from '../core/metrics.ts';
import type { TellUse } from '../core/service-use.ts';
import type { PauseNote, VoiceNote } from '../core/turn-details.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import { answering } from '../engines/reply/answering.ts';
import type { ReplyEngine } from '../engines/reply/contract.ts';
import { SpeechPipeline } from '../engines/speech-pipeline.ts';
import type { SttEngine, SttHints, SttStream } from '../engines/stt/contract.ts';
import { hearingRate } from '../engines/stt/hearing-rate.ts';
import { openAtRate } from '../engines/stt/open-at-rate.ts';
import type { TurnEndModel } from '../engines/turn-end/contract.ts';
import type { VadDetector, VoiceModel } from '../engines/vad/contract.ts';
import { JudgedVad } from '../engines/vad/judged-vad.ts';

export function conversationSettings({ conversation: c }: Config): ConversationSettings {
  return {
    greetingDelayMs: c.greetingDelayMs,
    ...{ vadStartMs: c.vadStartMs, vadHangoverMs: c.vadHangoverMs, vadLevelDb: c.vadLevelDb },
    ...{ endpointingMinMs: c.endpointingMinMs, endpointingMs: c.endpointingMs, endpointingMaxMs: c.endpointingMaxMs },
    ...{ bargeInMs: c.bargeInMs, bargeInWords: c.bargeInWords, resumeAfterMs: c.resumeAfterMs },
    backchannels: [...c.backchannels.ar, ...c.backchannels.en],
    ...{ noInputMs: c.noInputMs, maxNoInputs: c.maxNoInputs },
    ...{ replyTimeoutMs: c.replyTimeoutMs, synthesisTimeoutMs: c.synthesisTimeoutMs, maxFailures: c.maxFailures },
  };
}

/** What agents say, each by the voices that it may use. */
export function agentSpeech(engines: EngineSet, voices: VoiceDirectory): SpeechPipeline {
  const { normalizer } = engines;
  return new SpeechPipeline({ normalizer, voices, ttsFor: (agent) => engines.speechFor(agent).speaking });
}

/** Judges the end of turns by their sound, where a model is configured for it. */
export function turnEndParts(
  model: TurnEndModel | undefined,
  acts: boolean,
  { turnEndPauses, turnEndModelSeconds, turnEndWaitSeconds }: Metrics,
): TurnEndParts | undefined {
  if (!model) return undefined;
  const settled = ({ language, said, truth, ms, waited }: PauseNote): void => {
    turnEndPauses.inc({ language, said, truth });
    if (ms !== undefined) turnEndModelSeconds.observe(ms / 1000);
    if (truth === 'over' && waited !== undefined) turnEndWaitSeconds.observe({ language, said }, waited / 1000);
  };
  return { model, acts, settled };
}

/** A detector of one caller, and what it is compared with: alone where no model is configured, or it is not to be asked. */
export function voiceParts(
  detector: VadDetector,
  model: VoiceModel | undefined,
  mode: Config['conversation']['vad'],
  { voiceFound, voiceLaterSeconds, voiceModelAway }: Metrics,
): { readonly vad: VadDetector; readonly voice?: VoiceWatch } {
  if (!model || mode === 'own') return { vad: detector };
  const voice = new VoiceWatch(({ language, found, words, laterMs }: VoiceNote) => {
    voiceFound.inc({ language, found, words: words ? 'yes' : 'no' });
    if (laterMs !== undefined && found === 'both') voiceLaterSeconds.observe(laterMs / 1000);
  });
  const vad = new JudgedVad(detector, model, {
    acts: mode === 'model',
    compared: (stretch) => voice.compared(stretch),
    away: (why) => voiceModelAway.inc({ why }),
  });
  return { vad, voice };
}

interface Parts {
  readonly engines: EngineSet;
  readonly speech: SpeechPipeline;
  readonly config: Config;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The same engine, telling what each answer took of services. */
const countedReply = (engine: ReplyEngine, used: TellUse): ReplyEngine =>
  answering(engine, (request, signal) => engine.reply({ ...request, used }, signal));

/** What every conversation with an agent is made of, apart from its call. */
export function conversationParts(parts: Parts): ReceptionDeps['conversation'] {
  const { engines, speech, config, clock, metrics } = parts;
  const settings = conversationSettings(config);
  const turnEnd = turnEndParts(engines.turnEnd, config.conversation.turnEnd === 'act', metrics);
  const levels = { startMs: settings.vadStartMs, hangoverMs: settings.vadHangoverMs, minLevelDb: settings.vadLevelDb };
  return (agent, used) => {
    return {
      ...{
        settings,
        clock,
        metrics,
        reply: countedReply(engines.reply, used),
        synthesize: speech.speechOf(agent, used),
      },
      ...voiceParts(engines.vad.open(levels), engines.voice, config.conversation.vad, metrics),
      ...(turnEnd && { turnEnd }),
      hearingRateHz: hearingRateHz(engines, agent),
      openStt: (hints, signal, sampleRateHz) => openStt(engines, agent, hints, signal, { sampleRateHz, used }),
    };
  };
}

const recogniserOf = (engines: Pick<EngineSet, 'speechFor'>, { definition }: Agent): SttEngine =>
  engines.speechFor({ definition }).hearing.forCall(definition.language, tagsOf(definition));

/** The best rate at which callers of an agent are heard, where what they say comes so. */
export const hearingRateHz = (engines: Pick<EngineSet, 'speechFor'>, agent: Agent): number =>
  hearingRate(recogniserOf(engines, agent), WIDEBAND_RATE_HZ);

/** Recognition of what callers of an agent say, at the telephone rate by default; undefined where there is none in this language. */
export function openStt(
  engines: Pick<EngineSet, 'speechFor'>,
  agent: Agent,
  hints: SttHints,
  signal: AbortSignal,
  {
    sampleRateHz = TELEPHONE_RATE_HZ,
    used,
  }: { readonly sampleRateHz?: number; readonly used?: TellUse | undefined } = {},
): SttStream | undefined {
  const { language } = agent.definition;
  const languages = tagsOf(agent.definition);
  const stt = recogniserOf(engines, agent);
  if (!stt.available(language).ok) return undefined;
  const options = { language, languages, sampleRateHz, interim: true, hints, account: agent.accountId };
  return openAtRate(stt, { ...options, ...(used && { used }) }, signal);
}
