import { type Static, Type } from '@sinclair/typebox';
import type { TurnRow } from '../../store/call-rows.ts';
import { named, oneOf, orNull } from '../schema-names.ts';

const Text = Type.String();
const Whole = Type.Integer();

/** Stretches of one answer, in their order; together they are its latency. */
const STAGES = ['end_of_speech_wait', 'final_transcript', 'first_words', 'first_sound', 'first_packet'] as const;
const Stages = Type.Object(
  {
    end_of_speech_wait_ms: Type.Integer({ description: 'Silence until the turn was judged to be over.' }),
    final_transcript_ms: Type.Integer({ description: 'Waited for the words beyond that.' }),
    first_words_ms: Type.Integer({ description: 'Until the reply began.' }),
    first_sound_ms: Type.Integer({ description: 'Until its voice began.' }),
    first_packet_ms: Type.Integer({ description: 'Until it was on the wire.' }),
  },
  { description: 'Of an answer: one after the other, together its `latency_ms`.' },
);

const PauseShape = Type.Object(
  {
    language: Text,
    said: oneOf(['complete', 'incomplete', 'late', 'failed'] as const, 'By the model; late: not in time to decide.'),
    probability: Type.Optional(Type.Number({ description: 'That the turn was complete, 0 to 1.' })),
    ms: Type.Optional(Type.Integer({ description: 'Until the model answered.' })),
    waited: Type.Optional(Type.Integer({ description: 'From then until the pause was long enough, milliseconds.' })),
    truth: oneOf(
      ['over', 'went-on', 'cut'] as const,
      'The caller was through; went on in time; went on although it was taken as the end.',
    ),
  },
  { description: 'A pause of the caller as a model judged it by its sound; of an answer: the pause before it.' },
);

const VoiceShape = Type.Object(
  {
    language: Text,
    found: oneOf(
      ['both', 'denied', 'added', 'away'] as const,
      'Denied by the model, or added by it alone; away: it did not judge all of it in time.',
    ),
    words: Type.Boolean(),
    detectorMs: Type.Integer({ description: 'What the detector took for speech.' }),
    togetherMs: Type.Integer({ description: 'What it is with the model; in shadow what it would be.' }),
    laterMs: Type.Optional(Type.Integer({ description: 'How much later it begins with the model.' })),
  },
  { description: 'What of the turn of a caller was taken for speech, where a model judges that.' },
);

export const TurnShape = named(
  'CallTurn',
  Type.Object({
    index: Whole,
    role: oneOf(['caller', 'agent', 'person'] as const, 'A person: whom the caller was put through to.'),
    text: Type.String({ description: 'Of the agent: what was heard.' }),
    started_ms: Type.Integer({ description: 'Since the call was answered.' }),
    heard_ms: Whole,
    latency_ms: orNull(
      Type.Integer({ description: 'End of the words of the caller to the first packet of the answer.' }),
    ),
    timings: Type.Optional(
      Type.Record(Text, Type.Number(), {
        description: 'Stations of the answer, milliseconds since the call was answered.',
      }),
    ),
    stages: Type.Optional(Stages),
    heard_by: Type.Optional(Text),
    input: Type.Optional(oneOf(['speech', 'keypad'] as const)),
    confidence: Type.Optional(Type.Number({ description: 'Of the recogniser, 0 to 1.' })),
    understood: Type.Optional(
      Type.Boolean({ description: 'Absent where nobody judges that: a model that answers by itself.' }),
    ),
    meant: Type.Optional(
      Type.Array(Text, { description: 'What the caller was taken to mean, such as `intent:order-status`.' }),
    ),
    rule: Type.Optional(Type.String({ description: 'Of the dialogue, that decided.' })),
    flow: Type.Optional(Text),
    slots: Type.Optional(Type.Record(Text, Text, { description: 'Values that the dialogue has after the turn.' })),
    confirmed: Type.Optional(Type.Array(Text, { description: 'Which of them were read back one by one, and agreed.' })),
    done: Type.Optional(Type.Array(Text, { description: 'Flows whose actions were run.' })),
    settled: Type.Optional(
      Type.Record(Text, Text, { description: 'The values they were run with, where `slots` has others by then.' }),
    ),
    tools: Type.Optional(
      Type.Array(Type.Object({ tool: Text, outcome: Type.String({ description: '`ok`, or why not.' }), ms: Whole })),
    ),
    documents: Type.Optional(
      Type.Array(
        Type.Object({
          id: Text,
          name: Type.String({ description: 'Of the file, which may be deleted by now.' }),
          page: Whole,
          score: Type.Number({ description: 'How likely it answers, 0 to 1.' }),
          quote: Text,
          said: Type.Boolean({ description: 'Else a model had it to read.' }),
        }),
        { description: "Passages of the agent's documents that were looked up." },
      ),
    ),
    hedge: Type.Optional(
      Type.Object(
        { late: Text, answered: Text },
        { description: 'An engine was late with its first words, and the next one was asked too: who answered.' },
      ),
    ),
    withheld: Type.Optional(
      Type.Record(Text, Whole, {
        description: 'Kinds of values that the privacy boundary kept from services, and how many.',
      }),
    ),
    pauses: Type.Optional(
      Type.Array(PauseShape, { description: 'Of the caller, inside the turn, where a model judges them.' }),
    ),
    pause: Type.Optional(PauseShape),
    voice: Type.Optional(VoiceShape),
    action: Type.Optional(oneOf(['transfer', 'hangup', 'collect'] as const, 'What the agent did after its words.')),
    interrupted_ms: Type.Optional(Type.Integer({ description: 'The caller cut it short then.' })),
    unheard: Type.Optional(Type.String({ description: 'What it was about to say then, and was not heard any more.' })),
  }),
);
export type Turn = Static<typeof TurnShape>;

export function presentTurn({
  index,
  role,
  text,
  startedMs,
  heardMs,
  latencyMs,
  timings,
  heardBy,
  details,
}: TurnRow): Turn {
  const { interruptedMs, ...more } = details ?? {};
  return {
    ...{ index, role, text, started_ms: startedMs, heard_ms: heardMs, latency_ms: latencyMs },
    ...(timings && { timings: { ...timings }, ...(latencyMs !== null && { stages: stagesOf(timings) }) }),
    ...(heardBy && { heard_by: heardBy }),
    ...(structuredClone(more) as Partial<Turn>),
    ...(interruptedMs !== undefined && { interrupted_ms: interruptedMs }),
  };
}

/** Each stretch ends no earlier than the one before: words may be settled before the pause is judged long enough. */
function stagesOf(timings: Readonly<Record<string, number>>): Static<typeof Stages> {
  const stations = ['endpointMs', 'finalTranscriptMs', 'firstTextMs', 'firstAudioMs', 'firstPacketMs'] as const;
  const endMs = timings['firstPacketMs'] ?? 0;
  let beforeMs = timings['speechEndMs'] ?? 0;
  const stages = stations.map((station, at) => {
    const reachedMs = Math.min(endMs, Math.max(beforeMs, timings[station] ?? beforeMs));
    const lastedMs = reachedMs - beforeMs;
    beforeMs = reachedMs;
    return [`${STAGES[at]}_ms`, lastedMs];
  });
  return Object.fromEntries(stages) as Static<typeof Stages>;
}

export function answersOf(turns: readonly Turn[]): { count: number; p50_ms: number | null; p95_ms: number | null } {
  const times = turns.flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms])).sort((a, b) => a - b);
  const share = (of: number): number | null => times[Math.max(0, Math.ceil(of * times.length) - 1)] ?? null;
  return { count: times.length, p50_ms: share(0.5), p95_ms: share(0.95) };
}

export const slotsAtEnd = (turns: readonly Turn[]): Record<string, string> => ({
  ...turns.findLast(({ slots }) => slots !== undefined)?.slots,
});

export function withheldIn(turns: readonly Turn[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { withheld = {} } of turns) {
    for (const [kind, count] of Object.entries(withheld)) sums[kind] = (sums[kind] ?? 0) + count;
  }
  return sums;
}
