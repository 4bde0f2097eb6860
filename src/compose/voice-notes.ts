import type { Config } from '../config/load.ts';
import type { VoiceModel } from '../engines/vad/contract.ts';

const DOES = {
  shadow: 'is compared with the detector, and decides nothing',
  model: 'judges with the detector whether there is a voice',
} as const;

/** What judges beside the detector of calls, for the start report. */
export function voiceNotes(
  model: Pick<VoiceModel, 'name'> | undefined,
  mode: Config['conversation']['vad'],
): readonly string[] {
  return model && mode !== 'own' ? [`Voice activity: ${model.name} ${DOES[mode]} (conversation.vad: ${mode}).`] : [];
}
