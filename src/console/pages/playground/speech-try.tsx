import { Button, Group, Select, SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Figure } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { TryCard } from './try-card.tsx';
import { TextToTry, TryForm } from './try-form.tsx';
import { useV1, type V1Answer } from './v1.ts';
import { bodyOf } from './v1-request.ts';

type Voice = Answer<'listAgentVoices'>['items'][number];

const FORMATS = ['mp3', 'wav', 'opus', 'mulaw'] as const;
type AudioFormat = (typeof FORMATS)[number];
/** Bare mu-law is what telephones play, and no browser. */
const UNPLAYABLE: readonly AudioFormat[] = ['mulaw'];
const ENDINGS: Readonly<Record<AudioFormat, string>> = { mp3: 'mp3', wav: 'wav', opus: 'ogg', mulaw: 'ulaw' };
/** The only one that knows a pitch. */
const PITCHED = 'nabra-1';
const TEXT_CHARS_MAX = 5_000;

/** A text, spoken. */
export function SpeechTry() {
  const voices = useAsk('listAgentVoices', {});
  return <Shown of={voices}>{({ items }) => <Form voices={items} />}</Shown>;
}

function Form({ voices }: { voices: readonly Voice[] }) {
  const { t, i18n } = useTranslation('playground');
  const first = voices.find(({ language }) => language.startsWith(i18n.language)) ?? voices[0];
  const [voiceId, setVoiceId] = useState(first?.id ?? '');
  const voice = voices.find(({ id }) => id === voiceId) ?? first;
  const [text, setText] = useState(first?.sample_text ?? '');
  const [model, setModel] = useState(first?.models[0] ?? '');
  const [format, setFormat] = useState<AudioFormat>('mp3');
  const [speed, setSpeed] = useState(1);
  const [pitch, setPitch] = useState(0);
  const use = useV1(readBlob);
  const knowsPitch = model === PITCHED;
  const request = {
    path: '/v1/speech',
    json: bodyOf({
      ...{ text, voice: voiceId, model, format },
      speed: speed === 1 ? undefined : speed,
      pitch: knowsPitch && pitch !== 0 ? pitch : undefined,
    }),
    savesAs: `speech.${ENDINGS[format]}`,
  };
  const choose = (id: string | null) => {
    const chosen = voices.find((one) => one.id === id);
    if (!chosen) return;
    if (text === '' || text === voice?.sample_text) setText(chosen.sample_text);
    if (!chosen.models.includes(model)) setModel(chosen.models[0] ?? '');
    setVoiceId(chosen.id);
  };
  const form = (
    <TryForm
      verb={t('speech.go')}
      isBusy={use.isBusy}
      onRun={() => use.run(request)}
      icon={<IconPlayerPlay size={16} />}
    >
      <TextToTry value={text} onChange={setText} maxLength={TEXT_CHARS_MAX} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('speech.voice')}
          data={byLanguage(voices, (language) => languageName(i18n.language, language))}
          value={voiceId}
          onChange={choose}
          allowDeselect={false}
          searchable
        />
        <Select
          label={t('speech.model')}
          data={voice?.models ?? []}
          value={model}
          onChange={(chosen) => setModel(chosen ?? model)}
          allowDeselect={false}
        />
        <Select
          label={t('speech.format')}
          data={[...FORMATS]}
          value={format}
          onChange={(chosen) => setFormat((chosen ?? format) as AudioFormat)}
          allowDeselect={false}
        />
      </SimpleGrid>
      <Turn name={t('speech.speed')} value={speed} range={[0.5, 2, 0.05]} onChange={setSpeed} />
      {knowsPitch && <Turn name={t('speech.pitch')} value={pitch} range={[-12, 12, 1]} onChange={setPitch} />}
    </TryForm>
  );
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer?.costCents}
      answer={use.answer && <Result answer={use.answer} name={use.sent?.savesAs ?? 'speech'} />}
      hint={t('speech.hint')}
    />
  );
}

const readBlob = (answer: Response): Promise<Blob> => answer.blob();

function byLanguage(voices: readonly Voice[], nameOf: (language: string) => string) {
  return [...new Set(voices.map(({ language }) => language))].map((language) => ({
    group: nameOf(language),
    items: voices.filter((one) => one.language === language).map(({ id, name }) => ({ value: id, label: name })),
  }));
}

const languageName = (reader: string, language: string): string =>
  new Intl.DisplayNames([reader], { type: 'language' }).of(language) ?? language;

interface TurnProps {
  readonly name: string;
  readonly value: number;
  readonly range: readonly [from: number, to: number, step: number];
  readonly onChange: (value: number) => void;
}

/** A number that is turned. */
function Turn({ name, value, range: [min, max, step], onChange }: TurnProps) {
  const { number } = useFormat();
  const shown = number(value, { maximumFractionDigits: 2 });
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" className="figures" c="dimmed">
          <Ltr>{shown}</Ltr>
        </Text>
      </Group>
      <Slider {...{ min, max, step, value, onChange }} label={null} thumbLabel={name} />
    </div>
  );
}

function Result({ answer: { value, headers }, name }: { answer: V1Answer<Blob>; name: string }) {
  const { t } = useTranslation('playground');
  const { t: common } = useTranslation();
  const { span, bytes, number } = useFormat();
  const url = useMemo(() => URL.createObjectURL(value), [value]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const format = headers.get('x-service-format') as AudioFormat | null;
  const isPlayable = format !== null && !UNPLAYABLE.includes(format);
  return (
    <Stack gap="md">
      {isPlayable ? (
        // biome-ignore lint/a11y/useMediaCaption: the text stands beside it
        <audio src={url} controls autoPlay style={{ width: '100%' }} aria-label={t('speech.heard')} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('speech.unplayable')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, xs: 3 }}>
        <Figure name={t('speech.length')}>
          <Ltr>{span(Number(headers.get('x-service-duration-ms')))}</Ltr>
        </Figure>
        <Figure name={t('speech.characters')}>{number(Number(headers.get('x-service-characters')))}</Figure>
        <Figure name={t('speech.size')}>
          <Ltr>{bytes(value.size)}</Ltr>
        </Figure>
      </SimpleGrid>
      <Group>
        <Button
          component="a"
          href={url}
          download={name}
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
        >
          {common('download')}
        </Button>
      </Group>
    </Stack>
  );
}
