import type { TurnRow } from '../store/call-rows.ts';

/** A call's words in a format of others. Times are since the call was answered, of subtitles since its recording began. */
export type TranscriptFormat = 'json' | 'txt' | 'vtt';

const WHO = { caller: 'Caller', agent: 'Agent', person: 'Person' } as const;

/** One line a turn: `00:06.8  Caller  track my order`. */
export function plainTranscript(turns: readonly TurnRow[]): string {
  return turns.map(({ role, text, startedMs }) => `${clock(startedMs, 1)}  ${WHO[role]}  ${oneLine(text)}\n`).join('');
}

/**
 * WebVTT, a cue a turn, with the speaker as its voice (WebVTT §4.2.2).
 * @param answerMs - where in the recording the call was answered.
 */
export function webVtt(turns: readonly TurnRow[], answerMs = 0): string {
  const cues = turns.map(({ role, text, startedMs, heardMs }) => {
    const start = startedMs + answerMs;
    const end = start + Math.max(heardMs, 1);
    return `${clock(start, 3)} --> ${clock(end, 3)}\n<v ${WHO[role]}>${escaped(oneLine(text))}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** `-->` would be the start of another cue, `<` that of a tag. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

function clock(ms: number, digits: 1 | 3): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const fraction = String(ms % 1_000)
    .padStart(3, '0')
    .slice(0, digits);
  const hours = Math.floor(ms / 3_600_000);
  const minutes = `${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${fraction}`;
  return hours > 0 || digits === 3 ? `${two(hours)}:${minutes}` : minutes;
}
