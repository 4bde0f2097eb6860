import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPhoneOutgoing, IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useLiveState } from '../../api/live.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useWho } from '../../session/session.tsx';
import { usePalette } from '../call/use-palette.ts';
import { LiveCallDrawer } from './call-drawer.tsx';
import classes from './live.module.css';
import { LiveCallRow } from './live-row.tsx';
import { Orders } from './orders.tsx';
import { PlaceCall } from './place-call.tsx';
import { CALLS_SHOWN_MAX, type LiveCalls, useLiveCalls } from './use-live-calls.ts';

/** The calls that go on now, and those that are about to be made. */
export default function LivePage() {
  const { t } = useTranslation('live');
  const { may } = useWho();
  const calls = useLiveCalls();
  const state = useLiveState();
  const [query, setQuery] = useSearchParams();
  const [isPlacing, setPlacing] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const colours = usePalette(body);
  const openId = query.get('call') ?? undefined;
  const open = useCallback((id: string) => setQuery({ call: id }, { replace: true }), [setQuery]);
  const close = useCallback(() => setQuery({}, { replace: true }), [setQuery]);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        may('calls') && (
          <Button leftSection={<IconPhoneOutgoing size={16} />} onClick={() => setPlacing(true)}>
            {t('place')}
          </Button>
        )
      }
    >
      <div ref={body} className={classes['body']}>
        {state === 'lost' && (
          <Alert color="orange" icon={<IconPlugConnectedX size={18} />} role="status" title={t('lost')}>
            {t('lostText')}
          </Alert>
        )}
        <Section title={t('calls')} aside={<Legend count={calls.rows.filter(({ end }) => !end).length} />}>
          <List {...{ calls, colours, openId, open }} />
        </Section>
        <Orders />
      </div>
      {openId !== undefined && <LiveCallDrawer key={openId} id={openId} {...{ calls, colours, onClose: close }} />}
      {isPlacing && <PlaceCall onClose={() => setPlacing(false)} />}
    </Page>
  );
}

interface ListProps {
  readonly calls: LiveCalls;
  readonly colours: ReturnType<typeof usePalette>;
  readonly openId: string | undefined;
  readonly open: (id: string) => void;
}

function List({ calls, colours, openId, open }: ListProps) {
  const { t } = useTranslation('live');
  const { rows, hub, isKnown, error, again } = calls;
  if (rows.length === 0) {
    if (error) return <Failed error={error} again={again} />;
    if (!isKnown) return <Loading height={160} />;
    return (
      <Empty title={t('none')}>
        <Text size="sm" c="dimmed">
          {t('noneText')}
        </Text>
      </Empty>
    );
  }
  const more = rows.length - CALLS_SHOWN_MAX;
  return (
    <>
      <ul className={classes['list']} aria-label={t('calls')}>
        {rows.slice(0, CALLS_SHOWN_MAX).map((row) => (
          <LiveCallRow key={row.id} {...{ row, hub, colours }} isOpen={row.id === openId} onOpen={open} />
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" mt="sm" component={Link} to="/calls?state=live" c="dimmed">
          {t('more', { count: more })}
        </Text>
      )}
    </>
  );
}

/** How many there are, and what the two halves of a meter are. */
function Legend({ count }: { count: number }) {
  const { t } = useTranslation('live');
  return (
    <Group gap="md">
      <Group gap={6} component="ul" className={classes['legend']}>
        {(['caller', 'agent'] as const).map((side) => (
          <li key={side}>
            <span className={classes['key']} data-side={side} aria-hidden />
            <Text span size="sm" c="dimmed">
              {t(`legend.${side}`)}
            </Text>
          </li>
        ))}
      </Group>
      <Text size="sm" fw={600} className="figures">
        {t('count', { count })}
      </Text>
    </Group>
  );
}
