import { Button, FileInput, Group, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFileMusic, IconMicrophone, IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MicrophoneHelp } from '../../audio/microphone-help.tsx';
import { microphoneProblemNow } from '../../audio/sound.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { LevelMeter } from '../../parts/level-meter.tsx';
import { Figure } from '../../parts/page.tsx';
import { Ltr, Written } from '../../parts/text.tsx';
import { HeardStrip } from './heard-strip.tsx';
import { barsOf } from './strip-geometry.ts';
import { TryCard } from './try-card.tsx';
import { type Live, useLive } from './use-live.ts';
import { readJson, useV1 } from './v1.ts';
import type { V1Request } from './v1-request.ts';

interface Transcript {
  readonly text: string;
  readonly seconds: number;
  readonly confidence: number;
}
const LANGUAGES = ['ar-SA', 'en-US'] as const;

/** Speech to words: of a file, or live while somebody speaks. */
export function TranscribeTry() {
  const { t, i18n } = useTranslation('playground');
  const [source, setSource] = useState<'file' | 'live'>('file');
  const [language, setLanguage] = useState<string>(i18n.language === 'ar' ? 'ar-SA' : 'en-US');
  const choices = (
    <>
      <SegmentedControl
        aria-label={t('transcribe.source')}
        data={(['file', 'live'] as const).map((value) => ({ value, label: t(`transcribe.${value}`) }))}
        value={source}
        onChange={(chosen) => setSource(chosen as 'file')}
      />
      <Select
        label={t('transcribe.language')}
        data={LANGUAGES.map((value) => ({ value, label: t(`languages.${value.slice(0, 2) as 'ar'}`) }))}
        value={language}
        onChange={(chosen) => setLanguage(chosen ?? language)}
        allowDeselect={false}
      />
    </>
  );
  return source === 'file' ? (
    <OfFile choices={choices} language={language} />
  ) : (
    <OfMicrophone choices={choices} language={language} />
  );
}

interface OfProps {
  readonly choices: React.ReactNode;
  readonly language: string;
}

function OfFile({ choices, language }: OfProps) {
  const { t } = useTranslation('playground');
  const [file, setFile] = useState<File | null>(null);
  const use = useV1<Transcript>(readJson);
  const given = { name: file?.name ?? 'clip.wav', bytes: file ?? new Blob() };
  const request: V1Request = { path: '/v1/transcribe', form: { file: given, fields: { language } } };
  const form = (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        use.run(request);
      }}
    >
      <Stack gap="md">
        {choices}
        <FileInput
          label={t('transcribe.clip')}
          description={t('transcribe.types')}
          placeholder={t('chooseFile')}
          accept="audio/*,.wav,.mp3,.ogg,.webm,.flac"
          leftSection={<IconFileMusic size={16} />}
          clearable
          clearButtonProps={{ 'aria-label': t('takeAway') }}
          value={file}
          onChange={setFile}
        />
        <Group>
          <Button type="submit" loading={use.isBusy} disabled={!file}>
            {t('transcribe.go')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
  const sent = use.sent?.form?.file.bytes;
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer?.costCents}
      answer={use.answer && sent && <FileResult value={use.answer.value} file={sent} />}
      hint={t('transcribe.fileHint')}
    />
  );
}

function FileResult({ value: { text, seconds, confidence }, file }: { value: Transcript; file: Blob }) {
  const { t } = useTranslation('playground');
  const { clock, percent } = useFormat();
  const bars = useBars(file);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <Stack gap="md">
      {text === '' ? <Text c="dimmed">{t('transcribe.nobody')}</Text> : <Written>{text}</Written>}
      {/* biome-ignore lint/a11y/useMediaCaption: its words stand beside it */}
      <audio src={url} controls style={{ width: '100%' }} aria-label={t('transcribe.clip')} />
      {bars && bars.length > 0 && <HeardStrip bars={bars} stretches={[]} />}
      <SimpleGrid cols={2}>
        <Figure name={t('transcribe.length')}>
          <Ltr>{clock(seconds * 1_000, 1)}</Ltr>
        </Figure>
        <Figure name={t('transcribe.confidence')}>
          <Ltr>{percent(confidence)}</Ltr>
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

/** How loud a file is over time; undefined where this browser cannot read it. */
function useBars(file: Blob): readonly number[] | undefined {
  const [bars, setBars] = useState<readonly number[]>();
  useEffect(() => {
    let isWanted = true;
    const context = new OfflineAudioContext(1, 1, 8_000);
    void file
      .arrayBuffer()
      .then((bytes) => context.decodeAudioData(bytes))
      .then((audio) => isWanted && setBars(barsOf(audio.getChannelData(0), audio.sampleRate)))
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [file]);
  return bars;
}

function OfMicrophone({ choices, language }: OfProps) {
  const { t } = useTranslation('playground');
  const live = useLive();
  const { state, error, isRunning } = live;
  const problem = live.problem ?? microphoneProblemNow();
  const form = (
    <Stack gap="md">
      {choices}
      {problem && <MicrophoneHelp problem={problem} />}
      <Group>
        {isRunning ? (
          <Button color="red" leftSection={<IconPlayerStop size={16} />} onClick={live.stop}>
            {t('transcribe.stop')}
          </Button>
        ) : (
          <Button
            leftSection={<IconMicrophone size={16} />}
            disabled={microphoneProblemNow() !== undefined}
            onClick={() => live.start(language)}
          >
            {t('transcribe.start')}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {state && isRunning && t(`transcribe.phases.${state.phase as 'listening'}`)}
        </Text>
      </Group>
      {isRunning && <LevelMeter level={live.level} colour="var(--caller)" />}
    </Stack>
  );
  return (
    <TryCard
      form={form}
      request={{ path: '/v1/transcribe/token' }}
      isBusy={false}
      error={error}
      again={() => live.start(language)}
      costCents={state?.costCents}
      answer={state && <LiveResult live={live} />}
      hint={t('transcribe.liveHint')}
      note={t('transcribe.socket')}
    />
  );
}

function LiveResult({ live: { state, isRunning } }: { live: Live }) {
  const { t } = useTranslation('playground');
  if (!state) return null;
  const { bars, stretches, interim } = state;
  return (
    <Stack gap="md">
      <HeardStrip bars={bars} stretches={stretches} interim={interim} isLive={isRunning} />
      {!isRunning && stretches.length === 0 && <Text c="dimmed">{t('transcribe.nobody')}</Text>}
      <Text size="sm" c="dimmed" aria-live="polite" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
        {stretches.at(-1)?.text}
      </Text>
    </Stack>
  );
}
