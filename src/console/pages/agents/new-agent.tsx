import { Badge, Loader, Radio, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useAsk, useChange } from '../../api/hooks.ts';
import { useNoticeWords } from '../../i18n/notice-text.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Failed } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { pastedDefinition, renamed } from './model/new-definition.ts';
import classes from './new-agent.module.css';

const NAME_MAX = 100;

/** Begins an agent with one that works, or with a file that somebody has. */
export function NewAgent({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('agents');
  const navigate = useNavigate();
  const create = useChange('createAgent', ['listAgents']);
  const templates = useAsk('listAgentTemplates', {});
  const [way, setWay] = useState<'template' | 'yaml'>('template');
  const [name, setName] = useState('');
  const [picked, setPicked] = useState<string>();
  const [yaml, setYaml] = useState('');
  const items = templates.data?.items ?? [];
  const template = items.find(({ id }) => id === (picked ?? `starter-${i18n.language}`)) ?? items[0];
  const words = useNoticeWords();
  const pasted = yaml.trim() === '' ? undefined : pastedDefinition(yaml);
  const fromYaml = pasted && 'definition' in pasted ? pasted.definition : undefined;
  const fromTemplate = template && name.trim() !== '' ? renamed(template.definition as never, name.trim()) : undefined;
  const definition = way === 'template' ? fromTemplate : fromYaml;
  const submit = () => {
    if (!definition) return;
    const written = way === 'yaml' ? { yaml } : {};
    create.mutate(
      { body: { definition: definition as never, ...written } },
      { onSuccess: ({ id }) => void navigate(`/agents/${id}`) },
    );
  };
  return (
    <FormDialog
      title={t('new.title')}
      verb={t('new.create')}
      size="lg"
      isBusy={create.isPending}
      error={create.error}
      isReady={definition !== undefined}
      onClose={onClose}
      onSubmit={submit}
    >
      <SegmentedControl
        aria-label={t('new.way')}
        fullWidth
        data={(['template', 'yaml'] as const).map((one) => ({ value: one, label: t(`new.ways.${one}`) }))}
        value={way}
        onChange={(next) => setWay(next as 'template' | 'yaml')}
      />
      {way === 'template' ? (
        <>
          <TextInput
            label={t('new.name')}
            description={t('new.nameHint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={NAME_MAX}
            dir="auto"
            data-autofocus
            required
          />
          {templates.error && <Failed error={templates.error} again={() => void templates.refetch()} />}
          {!templates.data && !templates.error && <Loader size="sm" />}
          <Radio.Group label={t('new.template')} value={template?.id ?? ''} onChange={setPicked}>
            <Stack gap="xs" mt={6}>
              {items.map((one) => (
                <Radio.Card key={one.id} value={one.id} className={classes['card']} p="sm">
                  <div className={classes['inside']}>
                    <Radio.Indicator />
                    <div style={{ minWidth: 0 }}>
                      <Text size="sm" fw={600} component="div">
                        <bdi>{one.origin === 'starter' ? t('new.starter') : one.name}</bdi>{' '}
                        <Badge size="sm" color="gray">
                          {t(`languages.${one.language.startsWith('ar') ? 'ar' : 'en'}`)}
                        </Badge>
                      </Text>
                      <Text size="xs" c="dimmed" dir="auto">
                        {one.origin === 'starter' ? t('new.starterText') : one.description}
                      </Text>
                    </div>
                  </div>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
        </>
      ) : (
        <>
          <Textarea
            label={t('new.yaml')}
            description={t('new.yamlHint')}
            value={yaml}
            onChange={(event) => setYaml(event.currentTarget.value)}
            error={
              pasted && 'problem' in pasted
                ? t('new.unreadable', {
                    line: pasted.problem?.line ?? 1,
                    problem: words.text(pasted.problem?.notice, pasted.problem?.message ?? ''),
                  })
                : undefined
            }
            rows={14}
            dir="ltr"
            spellCheck={false}
            classNames={{ input: classes['yaml'] }}
          />
          {pasted && 'definition' in pasted && pasted.number !== undefined && (
            <Text size="sm" c="dimmed">
              {t('new.number')} <Ltr>{pasted.number}</Ltr>
            </Text>
          )}
          {pasted && 'definition' in pasted && pasted.lacksSentences && (
            <Text size="sm" c="var(--slow)">
              {t('new.sentences')}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  );
}
