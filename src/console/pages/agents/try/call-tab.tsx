import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle, IconPhoneOutgoing } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk, useChange } from '../../../api/hooks.ts';
import { Failed, Shown } from '../../../parts/states.tsx';
import { useWho } from '../../../session/session.tsx';
import { OrderState } from './order-state.tsx';
import { VariableFields } from './variable-fields.tsx';

/** The agent calls the telephone of whoever tries it. */
export function CallTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation('talk');
  const { may } = useWho();
  const agent = useAsk('getAgent', { params: { id: agentId } });
  const [orderId, setOrderId] = useState<string>();
  if (orderId !== undefined) return <OrderState orderId={orderId} onAnother={() => setOrderId(undefined)} />;
  return (
    <Shown of={agent}>
      {({ status, definition }) => {
        if (!may('calls')) return <Note>{t('mayNotCall')}</Note>;
        if (status !== 'live') return <Note>{t('notLive')}</Note>;
        const { variables = {} } = definition as { readonly variables?: Record<string, string> };
        return <CallForm agentId={agentId} variables={variables} onPlaced={setOrderId} />;
      }}
    </Shown>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Alert color="gray" icon={<IconInfoCircle size={18} />}>
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

interface FormProps {
  readonly agentId: string;
  /** The agent's own, by name. */
  readonly variables: Readonly<Record<string, string>>;
  readonly onPlaced: (orderId: string) => void;
}

function CallForm({ agentId, variables, onPlaced }: FormProps) {
  const { t } = useTranslation('talk');
  const [to, setTo] = useState('');
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  const place = useChange('placeCall', ['listOrders']);
  const filled = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
  const body = { agent: agentId, to: to.trim(), ...(Object.keys(filled).length > 0 && { variables: filled }) };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        place.mutate({ body }, { onSuccess: ({ id }) => onPlaced(id) });
      }}
    >
      <Stack gap="md">
        <Note>{t('callNote')}</Note>
        <TextInput
          label={t('number')}
          description={t('numberNote')}
          placeholder="+966501234567"
          dir="ltr"
          inputMode="tel"
          required
          maxLength={300}
          value={to}
          styles={{ label: { direction: 'inherit' } }}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <VariableFields known={variables} values={own} onChange={setOwn} />
        {place.error && <Failed error={place.error} />}
        <Group>
          <Button
            type="submit"
            loading={place.isPending}
            disabled={to.trim() === ''}
            leftSection={<IconPhoneOutgoing size={16} />}
          >
            {t('callMe')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
