import { ActionIcon, Badge, Loader, Text } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconClock, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, type ApiError, addressOf } from '../../../api/client.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { saveFile } from '../../../parts/save-file.ts';
import { tellFailed } from '../../../parts/tell.ts';
import classes from './documents.module.css';

export type AgentDocument = Answer<'listAgentDocuments'>['items'][number];

interface Props {
  readonly document: AgentDocument;
  readonly canEdit: boolean;
  readonly onDelete: () => void;
}

/** One document: how far its reading is, how much is in it, and how its text begins. */
export function DocumentItem({ document, canEdit, onDelete }: Props) {
  const { t } = useTranslation('agents');
  const [isBusy, setBusy] = useState(false);
  const { id, agent_id: agentId, name, reason, excerpt } = document;
  const save = async () => {
    setBusy(true);
    try {
      await saveFile(addressOf('getAgentDocumentFile', { params: { id: agentId, document: id } }), name);
    } catch (error) {
      tellFailed(error as ApiError);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className={classes['document']}>
      <div className={classes['what']}>
        <Text size="sm" fw={600} component="div" className={classes['name']}>
          <bdi>{name}</bdi>
        </Text>
        <Facts document={document} />
        {reason !== null && (
          <Text size="sm" c="var(--bad)">
            {t(`documents.reasons.${reason}`)}
          </Text>
        )}
        {excerpt !== null && (
          <details className={classes['excerpt']}>
            <summary>{t('documents.excerpt')}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <section aria-label={t('documents.excerpt')} tabIndex={0} dir="auto" className={classes['text']}>
              {excerpt}
            </section>
          </details>
        )}
      </div>
      <State state={document.state} />
      <div className={classes['actions']}>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={isBusy}
          onClick={() => void save()}
          aria-label={t('documents.save', { name })}
        >
          <IconDownload size={18} />
        </ActionIcon>
        {canEdit && (
          <ActionIcon variant="subtle" color="red" onClick={onDelete} aria-label={t('documents.delete', { name })}>
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </div>
    </li>
  );
}

function Facts({ document: { pages, words, size_bytes: size } }: { document: AgentDocument }) {
  const { t } = useTranslation('agents');
  const { bytes, number } = useFormat();
  const facts = [
    ...(pages !== null && pages > 1 ? [t('documents.pages', { count: pages, number: number(pages) })] : []),
    ...(words === null ? [] : [t('documents.words', { count: words, number: number(words) })]),
    bytes(size),
  ];
  return (
    <Text size="xs" c="dimmed" className="figures">
      {facts.join(' · ')}
    </Text>
  );
}

const LOOKS = {
  queued: { colour: 'gray', icon: <IconClock size={12} /> },
  indexing: { colour: 'gray', icon: <Loader size={10} color="gray" /> },
  ready: { colour: 'nidaa', icon: <IconCheck size={12} /> },
  failed: { colour: 'red', icon: <IconAlertCircle size={12} /> },
} as const;

function State({ state }: { state: AgentDocument['state'] }) {
  const { t } = useTranslation('agents');
  const { colour, icon } = LOOKS[state];
  return (
    <Badge color={colour} variant="light" leftSection={icon} className={classes['state']}>
      {t(`documents.states.${state}`)}
    </Badge>
  );
}
