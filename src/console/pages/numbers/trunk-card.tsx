import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { IconActivity, IconPencil, IconPower, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askTagged } from '../../api/client.ts';
import { useChange } from '../../api/hooks.ts';
import type { SaidNotice } from '../../i18n/notice-text.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { LightSign } from './light.tsx';
import { isRegistered, problemWord, type TrunkState, trunkState } from './model/trunk-state.ts';
import type { Trunk } from './routing.ts';
import classes from './trunks.module.css';

/** One trunk: whether it is there, what comes in and goes out by it, and what can be done with it. */
export function TrunkCard({ trunk, onEdit }: { trunk: Trunk; onEdit: () => void }) {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const ping = useChange('pingTrunk');
  const remove = useChange('deleteTrunk', ['listTrunks']);
  const [isRemoving, setRemoving] = useState(false);
  const turn = useChange('switchTrunk', ['listTrunks']);
  const [isTurningOff, setTurningOff] = useState(false);
  const turnTo = (enabled: boolean) => turn.mutateAsync({ params: { id: trunk.id }, body: { enabled } });
  const state = trunkState(trunk.status);
  const { definition } = trunk;
  const isOwn = trunk.owner === 'account' || may('operator');
  const canChange = may('account') && isOwn && definition !== null;
  const removeIt = async () => {
    const params = { id: trunk.id };
    const { tag } = await askTagged('getTrunk', { params });
    await remove.mutateAsync({ params, options: { ...(tag !== undefined && { ifMatch: tag }) } });
  };
  return (
    <article className={classes['trunk']} aria-label={trunk.name}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap="sm">
          <Title order={3}>
            <bdi>{trunk.name}</bdi>
          </Title>
          {trunk.enabled ? (
            <Text size="sm" span>
              <LightSign light={state.light} />
            </Text>
          ) : (
            <Badge color="orange">{t('off.state')}</Badge>
          )}
          {trunk.owner === 'operator' && <Badge color="gray">{t('trunk.ofOperator')}</Badge>}
        </Group>
        {canChange && (
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconActivity size={16} />}
              loading={ping.isPending}
              disabled={definition.hosts.length === 0}
              onClick={() => ping.mutate({ params: { id: trunk.id } }, { onError: tellFailed })}
            >
              {t('trunk.ping')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPower size={16} />}
              loading={turn.isPending}
              onClick={() => (trunk.enabled ? setTurningOff(true) : void turnTo(true).catch(tellFailed))}
            >
              {t(trunk.enabled ? 'off.turnOff' : 'off.turnOn')}
            </Button>
            <Button size="compact-sm" variant="subtle" leftSection={<IconPencil size={16} />} onClick={onEdit}>
              {t('trunk.edit')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={() => setRemoving(true)}
            >
              {t('trunk.remove')}
            </Button>
          </Group>
        )}
      </Group>
      <dl className={classes['facts']}>
        <Hosts state={state} trunk={trunk} pinged={ping.data?.items} />
        {(state.registration || definition?.register) && (
          <Fact name={t('trunk.registration')}>
            {state.registration ? <Registration of={state.registration} /> : t('trunk.notRegistered')}
          </Fact>
        )}
        {definition && (
          <>
            <Fact name={t('trunk.comesFrom')}>
              <ComesFrom inbound={definition.inbound} />
            </Fact>
            <Fact name={t('trunk.mayCall')}>
              {definition.allowedPrefixes.length === 0 ? (
                <Text span size="sm" c="dimmed">
                  {t('trunk.nothing')}
                </Text>
              ) : (
                <Ltr>{definition.allowedPrefixes.join(', ')}</Ltr>
              )}
            </Fact>
          </>
        )}
      </dl>
      <Confirm
        title={t('trunk.removeTitle', { name: trunk.name })}
        text={t('trunk.removeText')}
        verb={t('trunk.remove')}
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        act={removeIt}
      />
      <Confirm
        title={t('off.trunkTitle', { name: trunk.name })}
        text={t('off.trunkText')}
        verb={t('off.turnOff')}
        opened={isTurningOff}
        onClose={() => setTurningOff(false)}
        act={() => turnTo(false)}
      />
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type Pinged = readonly {
  readonly uri: string;
  readonly ok: boolean;
  readonly status: number | null;
  readonly reason: string;
  readonly reason_notice: SaidNotice | null;
  readonly answer_ms: number | null;
}[];

function Hosts({ state, trunk, pinged }: { state: TrunkState; trunk: Trunk; pinged: Pinged | undefined }) {
  const { t } = useTranslation('numbers');
  const format = useFormat();
  const hosts =
    state.hosts.length > 0
      ? state.hosts
      : (trunk.definition?.hosts ?? []).map(({ uri }) => ({
          ...{ uri, state: 'unknown' as const, since: undefined, answerMs: undefined, problem: undefined },
        }));
  if (hosts.length === 0) return null;
  return (
    <Fact name={t('trunk.hosts')}>
      <ul className={classes['hosts']}>
        {hosts.map(({ uri, state: light, since, answerMs, problem }) => {
          const now = pinged?.find((one) => one.uri === uri);
          const why = problemWord(problem);
          return (
            <li key={uri}>
              <Ltr mono>{uri}</Ltr> <LightSign light={light} answerMs={answerMs} />
              {since !== undefined && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  <Ago iso={since} />
                </Text>
              )}
              {why !== undefined && (
                <Text size="sm" c="dimmed">
                  {t(`hostProblem.${why}`)}
                </Text>
              )}
              <span role="status" aria-live="polite">
                {now && (
                  <Text span size="sm" display="block" style={{ color: now.ok ? 'var(--good)' : 'var(--bad)' }}>
                    {now.ok ? t('trunk.answered', { ms: format.span(now.answer_ms ?? 0) }) : t('trunk.silent')}{' '}
                    {now.status === null ? (
                      <Noticed notice={now.reason_notice} english={now.reason} />
                    ) : (
                      <Ltr>{`${now.status} ${now.reason}`}</Ltr>
                    )}
                  </Text>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Fact>
  );
}

function Registration({ of }: { of: NonNullable<TrunkState['registration']> }) {
  const { t } = useTranslation('numbers');
  const isHeld = isRegistered(of);
  return (
    <>
      <LightSign light={isHeld ? 'up' : 'down'} /> {t(isHeld ? 'trunk.registered' : 'trunk.notRegistered')}{' '}
      {of.host !== undefined && isHeld && <Ltr mono>{of.host}</Ltr>}{' '}
      {isHeld && of.expiresAt !== undefined && (
        <Text span size="xs" c="dimmed">
          {t('trunk.until')} <Ago iso={of.expiresAt} />
        </Text>
      )}
      {of.problem !== undefined && (
        <Text size="sm" dir="auto" style={{ color: 'var(--bad)' }}>
          <Noticed notice={of.problemNotice} english={of.problem} />
        </Text>
      )}
    </>
  );
}

function ComesFrom({ inbound }: { inbound: NonNullable<Trunk['definition']>['inbound'] }) {
  const { t } = useTranslation('numbers');
  const { sources, auth, username, certificateName } = inbound;
  const isNobody = sources.length === 0 && auth === 'none' && certificateName === undefined;
  return (
    <>
      {sources.length > 0 && <Ltr mono>{sources.join(', ')}</Ltr>}
      {auth === 'digest' && (
        <>
          {' '}
          {t('trunk.byPassword')} <Ltr mono>{username}</Ltr>
        </>
      )}
      {certificateName !== undefined && (
        <>
          {' '}
          {t('trunk.byCertificate')} <Ltr mono>{certificateName}</Ltr>
        </>
      )}
      {isNobody && (
        <Text span size="sm" c="dimmed">
          {t('trunk.noneComes')}
        </Text>
      )}
    </>
  );
}
