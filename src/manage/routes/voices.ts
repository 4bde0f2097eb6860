import { Type } from '@sinclair/typebox';
import { withinTime } from '../../api/request-signal.ts';
import { TokenBuckets } from '../../api/token-bucket.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Voice } from '../../core/voice.ts';
import type { ManageDeps } from '../deps.ts';
import { type ManageOperation, operation } from '../operation.ts';
import { requireAllowance } from '../rates.ts';
import { named, oneOf, orNull } from '../schema-names.ts';

const tag = 'Agents';
const Text = Type.String();
const PREVIEW_CHARACTERS_MAX = 200;
const PREVIEW_MS_MAX = 20_000;
/** Of one account, and of all: the voices are those of callers, who come first. */
const OWN = { perMinute: 30, burst: 10 } as const;
const ALL = { perMinute: 120, burst: 20 } as const;

const EngineShape = Type.Object({
  name: Text,
  place: oneOf(['local', 'remote'] as const, 'remote: what is said goes to a service.'),
});
const VoiceShape = named(
  'Voice',
  Type.Object({
    ...{ id: Text, name: Text, gender: oneOf(['female', 'male'] as const), age: Text, language: Text, dialect: Text },
    ...{
      country: Text,
      styles: Type.Array(Text),
      description: Text,
      description_ar: orNull(Text),
      models: Type.Array(Text),
      sample_text: Text,
    },
    engine: orNull(Type.String({ description: 'Who speaks for an agent whose file says nothing of speechPrivacy.' })),
    place: orNull(oneOf(['local', 'remote'] as const)),
  }),
);
const privacy = oneOf(['local', 'remote'] as const, 'Whether what is said may leave the machine.');

/** The voices that agents may have. */
export function voiceOperations({ clock, voiceDesk }: ManageDeps): ManageOperation[] {
  const own = new TokenBuckets(OWN);
  const all = new TokenBuckets(ALL);
  const { voices, engines, byDefault } = voiceDesk.deps;
  const engine = engines[byDefault];
  const present = (voice: Voice) => ({
    ...{ id: voice.id, name: voice.name, gender: voice.gender, age: voice.age, language: voice.language },
    ...{ dialect: voice.dialect, country: voice.country, styles: [...voice.styles], description: voice.description },
    description_ar: voice.descriptionAr ?? null,
    ...{ models: [...voice.supportedModels], sample_text: voice.sampleText },
    ...{ engine: engine?.name ?? null, place: engine?.place ?? null },
  });
  return [
    operation(
      {
        ...{ id: 'listAgentVoices', method: 'GET', path: '/voices', tag, scope: 'read' },
        summary: 'List the voices that agents may have, and who speaks them',
        answer: Type.Object({
          items: Type.Array(VoiceShape),
          speech_privacy: privacy,
          engines: Type.Object(
            { local: orNull(EngineShape), remote: orNull(EngineShape) },
            { description: 'The first choice for agents of either `speechPrivacy`; null: they cannot speak.' },
          ),
        }),
      },
      async () => ({
        ...{ items: voices.list.map(present), speech_privacy: byDefault },
        engines: { local: engines.local ?? null, remote: engines.remote ?? null },
      }),
    ),
    operation(
      {
        ...{ id: 'previewVoice', method: 'POST', path: '/voices/preview', tag, scope: 'agents', asksOnly: true },
        summary: 'Hear a voice say a short text; free of charge',
        body: Type.Object({
          voice: Type.String({ maxLength: 64 }),
          text: Type.Optional(
            Type.String({ maxLength: PREVIEW_CHARACTERS_MAX, description: 'The sample text of the voice without it.' }),
          ),
          speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2 })),
          pitch: Type.Optional(Type.Number({ minimum: -12, maximum: 12, description: 'Semitones.' })),
          speech_privacy: Type.Optional(privacy),
        }),
        ...{ files: ['audio/wav'], errors: ['empty_text', 'unknown_voice', 'synthesis_failed', 'timeout'] },
      },
      async ({ accountId, body, request, reply }) => {
        const voice = voices.get(body.voice);
        if (!voice) throw new ServiceError('unknown_voice', body.voice);
        const text = (body.text ?? voice.sampleText).trim();
        if (text === '') throw new ServiceError('empty_text');
        requireAllowance(own.take(accountId, clock.nowMs()), reply);
        requireAllowance(all.take('', clock.nowMs()), reply);
        const wanted = { voice, text, speed: body.speed ?? 1, pitchSemitones: body.pitch ?? 0 };
        const file = await withinTime(request, reply, clock, PREVIEW_MS_MAX, (signal) =>
          voiceDesk.say({ ...wanted, privacy: body.speech_privacy ?? byDefault }, signal),
        );
        return reply.type('audio/wav').send(file);
      },
    ),
  ];
}
