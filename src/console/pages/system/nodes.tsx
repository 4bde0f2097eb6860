import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { isolated } from '../../i18n/isolated.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { tellDone, tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';

type Node = Answer<'listNodes'>['items'][number];
const COLOURS = {
  starting: 'gray',
  serving: 'nidaa',
  draining: 'yellow',
  lost: 'red',
  ended: 'gray',
} as const satisfies Record<Node['state'], string>;

/** The gateways on the database: how each is, a way to have one take nothing new, and to give up one that is gone. */
export function Nodes() {
  const { t } = useTranslation('system');
  const asked = useAsk('listNodes', {}, { everyMs: 5_000 });
  const columns = [
    { name: t('nodes.id'), cell: (node: Node) => <Name of={node} /> },
    { name: t('nodes.calls'), cell: (node: Node) => <Calls of={node} /> },
    { name: t('nodes.version'), isExtra: true, cell: ({ version }: Node) => version && <Ltr>{version}</Ltr> },
    { name: t('nodes.started'), isExtra: true, cell: (node: Node) => <Ago iso={node.started_at} /> },
    { name: t('nodes.seen'), isExtra: true, cell: (node: Node) => <Ago iso={node.seen_at} /> },
    {
      ...{ name: t('nodes.drain'), isBare: true, isFigure: true },
      cell: (node: Node) => (isGone(node) ? <Forget of={node} /> : <Drain of={node} />),
    },
  ];
  return (
    <Section title={t('nodes.title')}>
      <Shown of={asked}>
        {({ items }) => <DataTable label={t('nodes.title')} columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Shown>
    </Section>
  );
}

const isGone = ({ state }: Node): boolean => state === 'lost' || state === 'ended';

function Name({ of: node }: { of: Node }) {
  const { t } = useTranslation('system');
  const { id, host, this: isThis } = node;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm" fw={isThis ? 600 : undefined}>
          <bdi>{host ?? id}</bdi> {isThis && `· ${t('nodes.this')}`}
        </Text>
        <State of={node} />
      </Group>
      <Details of={node} />
    </Stack>
  );
}

/** Which it is, where hosts have the same name, and what only its disk has. */
function Details({ of: { id, recordings } }: { of: Node }) {
  const { t } = useTranslation('system');
  return (
    <>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Ltr mono>{id}</Ltr>
      </Text>
      {recordings !== null && recordings > 0 && (
        <Text size="xs" c="dimmed">
          {t('nodes.recordings', { count: recordings })}
        </Text>
      )}
    </>
  );
}

function State({ of: { state, drain_asked } }: { of: Node }) {
  const { t } = useTranslation('system');
  const shown = drain_asked && state === 'serving' ? 'draining' : state; // it hears of it within seconds
  return <Badge color={COLOURS[shown]}>{t(`nodes.states.${shown}`)}</Badge>;
}

/** One that is gone has none, whatever its last word was. */
function Calls({ of: node }: { of: Node }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  const { calls, capacity } = node;
  if (calls === null || isGone(node)) return null;
  if (capacity === null) return <Text size="sm">{format.number(calls)}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm">{t('load.of', { calls: format.number(calls), capacity: format.number(capacity) })}</Text>
      <Meter share={capacity > 0 ? calls / capacity : 1} label={t('nodes.calls')} />
    </Stack>
  );
}

function Drain({ of: { id, host, state, drain_asked, calls } }: { of: Node }) {
  const { t } = useTranslation('system');
  const [isAsked, setAsked] = useState(false);
  const drain = useChange('drainNode', ['listNodes']);
  if (state === 'draining' && !drain_asked) return null; // on its way out by itself
  const name = host ?? id;
  const want = (isWanted: boolean) => drain.mutateAsync({ params: { id }, body: { drain: isWanted } });
  if (drain_asked) {
    const undo = () => want(false).then(() => tellDone(t('nodes.undone', { name: isolated(name) })), tellFailed);
    return (
      <Button variant="default" size="compact-sm" loading={drain.isPending} onClick={() => void undo()}>
        {t('nodes.undo')}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${t('nodes.drain')}: ${name}`}
        onClick={() => setAsked(true)}
      >
        {t('nodes.drain')}
      </Button>
      <Confirm
        title={t('nodes.drainTitle', { name: isolated(name) })}
        text={t('nodes.drainText', { count: calls ?? 0 })}
        verb={t('nodes.drain')}
        isDangerous={false}
        opened={isAsked}
        onClose={() => setAsked(false)}
        act={() => want(true)}
      />
    </>
  );
}

function Forget({ of: node }: { of: Node }) {
  const { t } = useTranslation('system');
  const { id, host } = node;
  const [isAsked, setAsked] = useState(false);
  const forget = useChange('forgetNode', ['listNodes']);
  const name = host ?? id;
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`${t('nodes.forget')}: ${name}`}
        onClick={() => setAsked(true)}
      >
        {t('nodes.forget')}
      </Button>
      <Confirm
        title={t('nodes.forgetTitle', { name: isolated(name) })}
        text={
          <Stack gap="sm">
            <Stack gap={2}>
              <Details of={node} />
            </Stack>
            {t('nodes.forgetText')}
          </Stack>
        }
        verb={t('nodes.forget')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        act={() => forget.mutateAsync({ params: { id } })}
      />
    </>
  );
}
