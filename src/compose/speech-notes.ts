import { speechSentences } from '../engines/speech-elsewhere.ts';
import type { SpeechChoice } from '../engines/speech-set.ts';

/** What of calls leaves this machine as sound or as words to speak, for the start report. */
export function speechNotes(choice: SpeechChoice): readonly string[] {
  const sentences = speechSentences(choice);
  if (choice.speechPrivacy === 'remote') return sentences.map((sentence) => `SPEECH LEAVES THIS MACHINE: ${sentence}.`);
  return sentences.map(
    (sentence) =>
      `Only for agents whose file says speechPrivacy: remote, until engines.speechPrivacy does: ${sentence}.`,
  );
}
