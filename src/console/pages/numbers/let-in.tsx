import { Anchor, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type ApiError, askTagged } from '../../api/client.ts';
import { useChange } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { sendable, type Trunk, useTrunks } from './routing.ts';

/** An address whose calls are to be those of a trunk. */
export function LetIn({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const trunks = useTrunks();
  const change = useChange('changeTrunk', ['listTrunks', 'getTrunk']);
  const [id, setId] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const mine = (trunks.items ?? []).filter(
    ({ definition, owner }) => definition !== null && (owner === 'account' || may('operator')),
  );
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const params = { id: id! };
      const { value, tag } = await askTagged('getTrunk', { params });
      const definition = value.definition as NonNullable<Trunk['definition']>;
      const { inbound } = definition;
      const sources = [...new Set([...inbound.sources, address])];
      const body = sendable({ definition: { ...definition, inbound: { ...inbound, sources } } });
      await change.mutateAsync({ params, body, options: { ...(tag !== undefined && { ifMatch: tag }) } });
      tellDone(t('letIn.done', { name: value.name }));
      onClose();
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={t('letIn.title', { address: `\u2066${address}\u2069` })}
      verb={t('letIn.verb')}
      isBusy={isBusy}
      error={error}
      isReady={id !== null}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Text size="sm">
        {t('letIn.text')} <Ltr mono>{address}</Ltr>
      </Text>
      <Select
        label={t('letIn.trunk')}
        data={mine.map((trunk) => ({ value: trunk.id, label: trunk.name }))}
        value={id}
        onChange={setId}
        nothingFoundMessage={t('trunk.none')}
        disabled={mine.length === 0}
      />
      <Text size="sm" c="dimmed" component="div">
        <Anchor component={Link} size="sm" to={`/numbers?tab=connect&theirs=${encodeURIComponent(address)}`}>
          {t('letIn.newTrunk')}
        </Anchor>{' '}
        · {t('letIn.phone')}{' '}
        <Anchor component={Link} size="sm" to="/numbers?tab=phones">
          {t('tabs.phones')}
        </Anchor>
      </Text>
    </FormDialog>
  );
}
