import { Button, NumberInput, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tellDone } from '../../parts/tell.ts';
import { centsOf } from './money.ts';

/** An operator adds credit, and says why: it stands in the ledger. */
export function TopUp() {
  const { t } = useTranslation('account');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        {t('topUp.title')}
      </Button>
      {isOpen && <Dialog onClose={() => setOpen(false)} />}
    </>
  );
}

function Dialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const topUp = useChange('topUp', ['getAccount', 'getOverview', 'getForecast', 'listLedger', 'listAccounts']);
  const [dollars, setDollars] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const cents = centsOf(dollars);
  const submit = () =>
    topUp.mutate(
      { body: { cents: cents!, reason: reason.trim() } },
      {
        onSuccess: ({ balance_cents }) => {
          tellDone(t('topUp.done', { money: format.money(balance_cents) }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('topUp.title')}
      verb={t('topUp.title')}
      isBusy={topUp.isPending}
      error={topUp.error}
      isReady={cents !== null && cents > 0 && reason.trim() !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <NumberInput
        label={t('topUp.amount')}
        required
        data-autofocus
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
        prefix="$"
        hideControls
        value={dollars}
        onChange={setDollars}
      />
      <TextInput
        label={t('topUp.reason')}
        description={t('topUp.reasonText')}
        required
        maxLength={200}
        dir="auto"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
