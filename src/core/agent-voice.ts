import { type Agent, type Language, languageOf } from './agent.ts';
import type { Voice } from './voice.ts';

/** The voices there are. */
export interface VoiceDirectory {
  readonly list: readonly Voice[];
  get(id: string): Voice | undefined;
}

/** The agent's own voice where it speaks the language, else what the agent names for it, else any voice that does. */
export function agentVoice({ definition }: Agent, language: Language, voices: VoiceDirectory): Voice | undefined {
  const speaks = (voice: Voice | undefined): voice is Voice =>
    voice !== undefined && languageOf(voice.language) === language;
  const named = [definition.voices?.[language], definition.voice].map((id) => (id ? voices.get(id) : undefined));
  return named.find(speaks) ?? voices.list.find(speaks) ?? voices.get(definition.voice) ?? voices.list[0];
}
