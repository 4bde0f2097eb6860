import { Alert, Anchor, Button, Group, Loader, Switch, Text } from '@mantine/core';
import { IconAlertTriangle, IconDeviceFloppy } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { Noticed } from '../../parts/noticed.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ErrorText, Loading } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { StatusBadge } from '../agents/status-badge.tsx';
import { Leaving } from './leaving.tsx';
import { Results } from './results.tsx';
import STARTER_AR from './starter.ar.yaml?raw';
import STARTER_EN from './starter.en.yaml?raw';
import classes from './tests.module.css';
import { type Editing, type Loaded, useTests } from './use-tests.ts';

const TestsEditor = lazy(() => import('./tests-editor.tsx'));

/** The text of the dialogues beside what came of them. */
export function Bench({ agent, loaded }: { agent: Answer<'getAgent'>; loaded: Loaded }) {
  const { t } = useTranslation('tests');
  const { may } = useWho();
  const canEdit = may('agents');
  const editing = useTests(agent.id, loaded, canEdit);
  const [target, setTarget] = useState<{ readonly line: number }>();
  const { text, checked, isChanged, isChecking } = editing;
  const save = async () => {
    if (await editing.save()) tellDone(t('saved'));
  };
  const starter = agent.language.startsWith('ar') ? STARTER_AR : STARTER_EN;
  return (
    <Page
      title={t('of', { name: agent.name })}
      lead={
        <Group gap="xs">
          <StatusBadge status={agent.status} />
          <Anchor component={Link} to={`/agents/${agent.id}`} size="sm">
            {t('toAgent')}
          </Anchor>
          <Anchor component={Link} to="/tests" size="sm">
            {t('toTests')}
          </Anchor>
        </Group>
      }
      actions={canEdit && <Required editing={editing} />}
    >
      <NotSaved editing={editing} />
      <div className={classes['panes']}>
        <Section
          title={t('text.title')}
          aside={
            canEdit && (
              <Group gap="xs">
                {isChecking && <Loader size={14} aria-label={t('text.checking')} />}
                <Button
                  size="xs"
                  leftSection={<IconDeviceFloppy size={16} />}
                  disabled={!isChanged}
                  loading={editing.isSaving}
                  onClick={() => void save()}
                >
                  {t('text.save')}
                </Button>
              </Group>
            )
          }
        >
          {text.trim() === '' && canEdit && (
            <Group gap="sm" mb="sm">
              <Text size="sm" c="dimmed">
                {t('text.empty')}
              </Text>
              <Button size="xs" variant="light" onClick={() => editing.setText(starter)}>
                {t('text.start')}
              </Button>
            </Group>
          )}
          <div className={classes['editor']}>
            <Suspense fallback={<Loading height={320} />}>
              <TestsEditor
                {...{ text, canEdit, target }}
                problems={checked.problems}
                label={t('text.label', { name: agent.name })}
                onChange={editing.setText}
                onSave={() => void save()}
              />
            </Suspense>
          </div>
          <Problems editing={editing} onPick={(line) => setTarget({ line })} />
        </Section>
        <Results agent={agent} editing={editing} canRun={canEdit} onLine={(line) => setTarget({ line })} />
      </div>
      <Leaving isChanged={isChanged} />
    </Page>
  );
}

function Required({ editing }: { editing: Editing }) {
  const { t } = useTranslation('tests');
  const set = async (isRequired: boolean) => {
    if (await editing.require(isRequired)) tellDone(t(isRequired ? 'required.on' : 'required.off'));
  };
  return (
    <Switch
      label={t('required.label')}
      description={t('required.hint')}
      checked={editing.isRequired}
      disabled={editing.isSaving}
      onChange={(event) => void set(event.currentTarget.checked)}
    />
  );
}

function NotSaved({ editing }: { editing: Editing }) {
  const { t } = useTranslation('tests');
  const { error } = editing;
  if (!error) return null;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={t('notSaved')}>
      <ErrorText error={error} />
      {error.code === 'edited_meanwhile' && (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={() => void editing.takeTheirs()}>
            {t('conflict.theirs')}
          </Button>
          <Button size="xs" variant="light" color="red" onClick={() => void editing.saveOver()}>
            {t('conflict.mine')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

const SHOWN_MAX = 20;

function Problems({ editing, onPick }: { editing: Editing; onPick: (line: number) => void }) {
  const { t } = useTranslation('tests');
  const { problems } = editing.checked;
  if (problems.length === 0) return null;
  return (
    <ul className={classes['problems']} aria-label={t('text.problems', { count: problems.length })}>
      {problems.slice(0, SHOWN_MAX).map(({ line, field, message, notice }) => (
        <li key={`${line} ${field} ${message}`}>
          <Anchor component="button" type="button" size="sm" onClick={() => onPick(line)}>
            {t('text.line', { line })}
          </Anchor>{' '}
          <Ltr mono>{field}</Ltr> <Noticed notice={notice} english={message} />
        </li>
      ))}
    </ul>
  );
}
