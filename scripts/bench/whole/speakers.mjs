import { setTimeout as sleep } from 'node:timers/promises';
import { spoken } from '../latency/caller-voice.mjs';
import { AGENT, PATIENCE_MS, QUESTIONS } from '../latency/questions.mjs';

const CALL_MS_MAX = 150_000;
/** Each speaker waits so long for the one before: people do not begin at once. */
const APART_MS = 700;
const RECORD_TRIES = 40;
export const QUESTIONS_EACH = 5;

let samplesOf;

/**
 * So many callers at once ask questions one after the other.
 *
 * @returns how many were asked, heard and heard word for word, and the times to each answer by the gateway's records: `perceived`
 * from the end of speech, `after` from the moment in which the gateway took the question for finished.
 */
export async function askQuestions(gateway, phone, speakers, signal) {
  samplesOf ??= QUESTIONS.map((label) => ({ type: 'speak', label, samples: spoken(label) }));
  const calls = Array.from({ length: speakers }, async (_, speaker) => {
    await sleep(speaker * APART_MS, undefined, { signal });
    const steps = Array.from({ length: QUESTIONS_EACH }, (_, i) => samplesOf[(i + speaker) % samplesOf.length]);
    const options = { uri: gateway.uri(AGENT), from: `bench${speaker}`, patienceMs: PATIENCE_MS, maxMs: CALL_MS_MAX };
    const { answered, sipCallId } = await phone.call({ ...options, steps, signal });
    return answered ? sipCallId : undefined;
  });
  const records = [];
  for (const sipCallId of await Promise.all(calls)) {
    // After all of them: the command line is a program of its own, and takes time from whoever still speaks.
    if (sipCallId !== undefined) records.push(await recordOf(gateway, sipCallId, signal));
  }
  const turns = records.flatMap((record) => record.turns);
  const heard = turns.filter(({ role }) => role === 'caller').map(({ text }) => text.toLowerCase().trim());
  const known = new Set(QUESTIONS.map((question) => question.toLowerCase()));
  const answers = turns.filter(({ timings }) => timings);
  return {
    ...{ asked: speakers * QUESTIONS_EACH, refused: speakers - records.length, heard: heard.length },
    wordForWord: heard.filter((text) => known.has(text)).length,
    perceived: answers.map(({ latency_ms }) => latency_ms),
    after: answers.map(({ timings }) => timings.firstPacketMs - timings.endpointMs),
  };
}

/** The record is complete a moment after the call. */
async function recordOf(gateway, sipCallId, signal) {
  for (let attempt = 1; ; attempt += 1) {
    const record = await gateway.nidaa('calls', 'show', sipCallId);
    if (record.ended_at !== null || attempt === RECORD_TRIES) return record;
    await sleep(250, undefined, { signal });
  }
}
