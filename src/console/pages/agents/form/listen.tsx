import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Language, useDraft, useEditing } from '../editor/draft-context.ts';
import { filledIn } from '../model/starts.ts';
import { type HeardText, useVoice } from './use-voice.ts';

/** Says a text as the agent would: in its voice, at its speed, with the values it has. */
export function Listen({ text, language }: { text: string; language: Language }) {
  const { store, language: own } = useEditing();
  const definition = useDraft(store, (state) => state.value);
  const voices = definition['voices'] as Readonly<Record<string, string>> | undefined;
  const voice = language === own ? definition['voice'] : voices?.[language];
  if (typeof voice !== 'string' || voice === '') return null;
  const { speed, pitch, speechPrivacy } = definition;
  return (
    <PlayButton
      heard={{
        ...{ voice, text: filledIn(text, definition['variables']) },
        ...(typeof speed === 'number' && { speed }),
        ...(typeof pitch === 'number' && { pitch }),
        ...((speechPrivacy === 'local' || speechPrivacy === 'remote') && { speech_privacy: speechPrivacy }),
      }}
    />
  );
}

export function PlayButton({ heard, label }: { heard: HeardText; label?: string }) {
  const { t } = useTranslation('agents');
  const { state, play, stop } = useVoice();
  const isPlaying = state === 'playing';
  const name = isPlaying ? t('listen.stop') : (label ?? t('listen.play'));
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="default"
        size={36}
        loading={state === 'coming'}
        disabled={heard.text?.trim() === ''}
        onClick={() => (isPlaying ? stop() : void play(heard))}
        aria-label={name}
      >
        {isPlaying ? <IconPlayerStop size={16} /> : <IconPlayerPlay size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
