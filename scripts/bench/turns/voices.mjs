/** Speech for the turn-taking bench: clips of the fixtures, and machine voices where there are no clips. */
import { execFileSync, spawnSync } from 'node:child_process';
import { clipSamples, say, voices } from '../recognition/voices.mjs';
import { atLevel, joined, mixed, silence, trimmed } from './simulated-line.mjs';

const AGENT_DB = -18;
const CALLER_DB = -20;
export const callers = voices().filter(({ name }) => /flite (slt|rms)/.test(name));
if (callers.length < 2) throw new Error('this bench needs flite with its voices slt and rms, espeak-ng and sox');
if (spawnSync('espeak-ng', ['--version']).status !== 0) throw new Error('this bench needs espeak-ng');

const espeak = (voice) => ({
  name: voice,
  speak: (text, file) => execFileSync('espeak-ng', ['-v', voice, '-s', '155', '-w', file, text]),
});
const AGENT = { en: espeak('en-us'), ar: espeak('ar') };
/** Another pitch than the agent's. */
const ARABIC_CALLERS = [espeak('ar+f3'), espeak('ar+m4')];

const known = new Map();
function once(key, make) {
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

export const agentSpeech = (text, language) =>
  once(`agent ${language} ${text}`, () => atLevel(trimmed(say(AGENT[language], text)), AGENT_DB));
export const callerSpeech = (text, language, which = 0) =>
  once(`caller ${language} ${which} ${text}`, () =>
    atLevel(trimmed(say((language === 'ar' ? ARABIC_CALLERS : callers)[which], text)), CALLER_DB),
  );
export const clipSpeech = (file) => once(`clip ${file}`, () => atLevel(trimmed(clipSamples(file)), CALLER_DB));

/** Several people talking somewhere else. */
export function babble(seconds, files) {
  const people = files.map((file, i) => {
    const speech = clipSpeech(file);
    const rounds = Math.ceil((seconds * 8000) / speech.length) + 1;
    return joined(...Array.from({ length: rounds }, () => speech)).subarray(i * 3000, i * 3000 + seconds * 8000);
  });
  return mixed(...people);
}

/** A caller's track and its script: `[[text, samples, pauseBeforeMs], ...]`. */
export function track(fromMs, ...parts) {
  const script = [];
  const samples = [silence(fromMs)];
  let atMs = fromMs;
  for (const { text, speech, pauseMs = 0 } of parts) {
    samples.push(silence(pauseMs), speech);
    atMs += pauseMs;
    script.push({ text, fromMs: atMs, toMs: atMs + speech.length / 8 });
    atMs += speech.length / 8;
  }
  return { caller: joined(...samples), script, endMs: atMs };
}
