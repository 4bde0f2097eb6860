import { Button, List, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconDots, IconDownload, IconLink, IconPhoneOff, IconPhoneOutgoing, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ApiError } from '../../api/client.ts';
import { addressOf } from '../../api/client.ts';
import type { Call } from '../../api/generated/operations.ts';
import { useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { tellDone, tellFailed } from '../../parts/tell.ts';
import { useWho } from '../../session/session.tsx';
import type { Player } from './use-player.ts';

type Asked = 'hangup' | 'erase' | 'again';
const SOUNDS = ['wav', 'mp3'] as const;
const TRANSCRIPTS = ['txt', 'json', 'vtt'] as const;

/** What can be done with a call. */
export function CallActions({ call, player }: { call: Call; player: Player }) {
  const { t } = useTranslation('call');
  const { may } = useWho();
  const [asked, setAsked] = useState<Asked>();
  const isLive = call.ended_at === null;
  const isErased = call.erased_at !== null;
  const other = otherSide(call);
  const canCall = may('calls') && other !== '' && !isErased && !isLive;
  return (
    <>
      {isLive && may('calls') && (
        <Button color="red" leftSection={<IconPhoneOff size={16} />} onClick={() => setAsked('hangup')}>
          {t('hangup.verb')}
        </Button>
      )}
      {!isLive && !isErased && (call.turns.length > 0 || call.recording === 'ready') && <Downloads call={call} />}
      <CopyLink player={player} />
      {(canCall || (may('calls') && !isLive && !isErased)) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px="xs" aria-label={t('actions')}>
              <IconDots size={18} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {canCall && (
              <Menu.Item leftSection={<IconPhoneOutgoing size={16} />} onClick={() => setAsked('again')}>
                {t(call.direction === 'inbound' ? 'again.back' : 'again.verb')}
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setAsked('erase')}>
              {t('erase.verb')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Questions call={call} asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

/** Whom the gateway talked with. */
export const otherSide = (call: Pick<Call, 'direction' | 'from' | 'to'>): string =>
  call.direction === 'inbound' ? call.from : call.to;

function Downloads({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const save = (address: string, name: string) =>
    void saveFile(address, name).catch((error: ApiError) => tellFailed(error));
  const params = { id: call.id };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t('download.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {call.recording === 'ready' &&
          SOUNDS.map((format) => (
            <Menu.Item
              key={format}
              onClick={() => save(addressOf('getCallRecording', { params, query: { format } }), `${call.id}.${format}`)}
            >
              {t(`download.${format}`)}
            </Menu.Item>
          ))}
        {TRANSCRIPTS.map((format) => (
          <Menu.Item
            key={format}
            onClick={() => save(addressOf('getCallTranscript', { params, query: { format } }), `${call.id}.${format}`)}
          >
            {t(`download.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function CopyLink({ player }: { player: Player }) {
  const { t } = useTranslation('call');
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const onClick = () => {
    const address = new URL(location.href);
    address.search = '';
    const seconds = Math.round(player.nowMs() / 100) / 10;
    if (seconds > 0) address.searchParams.set('t', String(seconds));
    copy(address.href);
  };
  return (
    <Button variant="default" leftSection={<IconLink size={16} />} onClick={onClick}>
      {t(copied ? 'link.copied' : 'link.copy')}
    </Button>
  );
}

/** Each is asked for once more, with what it will do. */
function Questions({ call, asked, onClose }: { call: Call; asked: Asked | undefined; onClose: () => void }) {
  const { t } = useTranslation('call');
  const navigate = useNavigate();
  const hangUp = useChange('hangUp', ['getCall', 'listCalls']);
  const erase = useChange('eraseCall', ['getCall', 'listCalls', 'getCallLadder', 'getCallPeaks']);
  const place = useChange('placeCall', ['listOrders']);
  const other = otherSide(call);
  const params = { id: call.id };
  return (
    <>
      <Confirm
        {...{ opened: asked === 'hangup', onClose, title: t('hangup.title'), verb: t('hangup.verb') }}
        text={t('hangup.text')}
        act={() => hangUp.mutateAsync({ params })}
      />
      <Confirm
        {...{ opened: asked === 'again', onClose, title: t('again.title'), verb: t('again.verb'), isDangerous: false }}
        text={t('again.text', { agent: `\u2068${call.agent}\u2069`, number: `\u2066${other}\u2069` })}
        act={async () => {
          await place.mutateAsync({ body: { agent: call.agent_id, to: other } });
          tellDone(t('again.done'));
          await navigate('/live');
        }}
      />
      <Confirm
        {...{ opened: asked === 'erase', onClose, title: t('erase.title'), verb: t('erase.verb') }}
        text={
          <>
            {t('erase.text')}
            <List size="sm" mt="xs" spacing={2}>
              {(['words', 'recording', 'messages', 'order'] as const).map((what) => (
                <List.Item key={what}>{t(`erase.gone.${what}`)}</List.Item>
              ))}
            </List>
            <p>{t('erase.stays')}</p>
          </>
        }
        act={async () => {
          await erase.mutateAsync({ params });
          tellDone(t('erase.done'));
        }}
      />
    </>
  );
}
