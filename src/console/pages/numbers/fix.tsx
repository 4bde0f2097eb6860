import { Button, type ButtonProps } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tellDone, tellFailed } from '../../parts/tell.ts';
import { useWho } from '../../session/session.tsx';
import { LetIn } from './let-in.tsx';
import { isNumber, type Refusal } from './model/refusal.ts';
import { GiveNumber } from './number-dialogs.tsx';
import { useNumbers, useTrunks } from './routing.ts';

interface Props {
  readonly refusal: Refusal;
  readonly number: string;
  readonly address: string;
  /** Of the number, where it is known. */
  readonly agentId?: string | null;
  /** By its name. */
  readonly trunk?: string | null;
}
const LOOK: ButtonProps = { size: 'compact-sm', variant: 'light' };

/** The one thing that lets such a call in, where there is an operation for it and whoever looks may do it. */
export function Fix(props: Props): ReactNode {
  const { may } = useWho();
  const { refusal, number, trunk } = props;
  if (refusal === 'number') return may('agents') && isNumber(number) && <Give number={number} />;
  if (refusal === 'agent') return may('agents') && <Publish {...props} />;
  if (refusal === 'number-off') return may('agents') && <NumberOn number={number} />;
  if (refusal === 'trunk-off') return trunk && may('account') && <TrunkOn name={trunk} />;
  if (refusal === 'stranger') return may('account') && <Let {...props} />;
  if (refusal === 'trunk-lines' || refusal === 'password') return trunk && may('account') && <EditTrunk name={trunk} />;
  if (refusal === 'credit' || refusal === 'account-limit') return may('account') && <ToAccount refusal={refusal} />;
  return null;
}

const MENDED = ['explainCall'] as const;
/** What was asked about a call is asked again. */
function useMended(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: MENDED });
}

/** A button for the dialog that mends it. */
function Opens({ text, dialog }: { text: string; dialog: (onClose: () => void) => ReactNode }) {
  const mended = useMended();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    mended();
  };
  return (
    <>
      <Button {...LOOK} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && dialog(close)}
    </>
  );
}

function Give({ number }: { number: string }) {
  const { t } = useTranslation('numbers');
  return <Opens text={t('fix.give')} dialog={(close) => <GiveNumber number={number} onClose={close} />} />;
}

function NumberOn({ number }: { number: string }) {
  const { t } = useTranslation('numbers');
  const change = useChange('switchNumber', ['listNumbers', ...MENDED]);
  const isThere = useNumbers().items?.some((one) => one.number === number && !one.enabled) ?? false;
  const input = { params: { number }, body: { enabled: true } };
  const onClick = () => change.mutate(input, { onSuccess: () => tellDone(t('off.onAgain')), onError: tellFailed });
  if (!isThere) return null;
  return (
    <Button {...LOOK} loading={change.isPending} onClick={onClick}>
      {t('off.numberOn')}
    </Button>
  );
}

function TrunkOn({ name }: { name: string }) {
  const { t } = useTranslation('numbers');
  const change = useChange('switchTrunk', ['listTrunks', ...MENDED]);
  const found = useTrunks().items?.find((trunk) => trunk.name === name && !trunk.enabled);
  if (!found?.definition) return null;
  const input = { params: { id: found.id }, body: { enabled: true } };
  const onClick = () => change.mutate(input, { onSuccess: () => tellDone(t('off.onAgain')), onError: tellFailed });
  return (
    <Button {...LOOK} loading={change.isPending} onClick={onClick}>
      {t('off.trunkOn')}
    </Button>
  );
}

function Publish({ number, agentId }: Props) {
  const { t } = useTranslation('numbers');
  const numbers = useNumbers();
  const publish = useChange('publishAgent', ['listAgents', ...MENDED]);
  const [isOpen, setOpen] = useState(false);
  const found = numbers.items?.find((one) => one.number === number || one.agent_id === agentId);
  const id = agentId ?? found?.agent_id;
  if (id === undefined) return null;
  const name = found?.agent_name ?? '';
  const act = async () => {
    await publish.mutateAsync({ params: { id } });
    tellDone(t('fix.published', { name }));
  };
  return (
    <>
      <Button {...LOOK} onClick={() => setOpen(true)}>
        {t('fix.publish')}
      </Button>
      <Confirm
        title={t('fix.publishTitle', { name })}
        text={t('fix.publishText')}
        verb={t('fix.publish')}
        isDangerous={false}
        opened={isOpen}
        onClose={() => setOpen(false)}
        act={act}
      />
    </>
  );
}

function Let({ address }: Props) {
  const { t } = useTranslation('numbers');
  return <Opens text={t('fix.letIn')} dialog={(close) => <LetIn address={address} onClose={close} />} />;
}

function EditTrunk({ name }: { name: string }) {
  const { t } = useTranslation('numbers');
  const found = useTrunks().items?.find((trunk) => trunk.name === name);
  if (!found?.definition) return null;
  return (
    <Button {...LOOK} component={Link} to={`/numbers?tab=trunks&edit=${found.id}`}>
      {t('fix.trunk')}
    </Button>
  );
}

function ToAccount({ refusal }: { refusal: 'credit' | 'account-limit' }) {
  const { t } = useTranslation('numbers');
  return (
    <Button {...LOOK} component={Link} to={refusal === 'credit' ? '/account' : '/account?tab=settings'}>
      {t(refusal === 'credit' ? 'fix.credit' : 'fix.limits')}
    </Button>
  );
}
