import type { TtsRequest } from '../../tts/contract.ts';

const SPEED_MIN = 0.5;
const SPEED_MAX = 2;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** What XML 1.0 has no place for (§2.2). */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A sentence as the service takes it: which voice says it, how fast and how high. */
export function ssmlOf({ text, voice, speed, pitchSemitones }: TtsRequest, name: string): string {
  const percent = Math.round((Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed)) - 1) * 100);
  const rate = percent === 0 ? '' : ` rate="${signed(percent)}%"`;
  const pitch = pitchSemitones === 0 ? '' : ` pitch="${signed(pitchSemitones)}st"`;
  const said = xmlText(text);
  const prosody = rate === '' && pitch === '' ? said : `<prosody${rate}${pitch}>${said}</prosody>`;
  const speak = `version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${xmlText(voice.language)}"`;
  return `<speak ${speak}><voice name="${xmlText(name)}">${prosody}</voice></speak>`;
}

function signed(amount: number): string {
  return amount > 0 ? `+${amount}` : String(amount);
}

function xmlText(text: string): string {
  return text.replace(UNWRITABLE, ' ').replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
