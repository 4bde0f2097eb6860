import { Button } from '@mantine/core';
import { IconHeadphones, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, addressOf } from '../../api/client.ts';
import { listenTo } from '../../audio/listening.ts';
import { Failed } from '../../parts/states.tsx';

type State = 'off' | 'begun' | 'on';

/** Plays what is said on a call while it is said. Ends with the call, and where its place on the page goes. */
export function Listen({ callId }: { callId: string }) {
  const { t } = useTranslation('live');
  const [state, setState] = useState<State>('off');
  const [error, setError] = useState<ApiError>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const begin = () => {
    const mine = new AbortController();
    abort.current = mine;
    setError(undefined);
    setState('begun');
    listenTo(addressOf('listenToCall', { params: { id: callId } }), mine.signal, () => setState('on'))
      .catch((thrown: ApiError) => setError(thrown))
      .finally(() => abort.current === mine && setState('off'));
  };
  return (
    <div>
      {state === 'off' ? (
        <Button variant="default" leftSection={<IconHeadphones size={16} />} onClick={begin}>
          {t('listen.begin')}
        </Button>
      ) : (
        <Button
          variant="light"
          leftSection={<IconPlayerStopFilled size={16} />}
          loading={state === 'begun'}
          onClick={() => abort.current?.abort()}
        >
          {t('listen.end')}
        </Button>
      )}
      {error && (
        <div style={{ marginBlockStart: '0.5rem' }}>
          <Failed error={error} />
        </div>
      )}
    </div>
  );
}
