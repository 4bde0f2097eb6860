import { ActionIcon, Group, Menu, SegmentedControl, Text, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import classes from './controls.module.css';
import type { Player, Side } from './use-player.ts';

const RATES = [0.75, 1, 1.25, 1.5, 2] as const;
const SIDES: readonly Side[] = ['both', 'caller', 'agent'];

interface Props {
  readonly player: Player;
  readonly durationMs: number;
  readonly hasSound: boolean;
  readonly step: (by: 1 | -1) => void;
  readonly zoom: (by: number) => void;
}

/** Play, where it is, how fast, which side, how near. Times run from left to right, and so do these. */
export function Controls({ player, durationMs, hasSound, step, zoom }: Props) {
  const { t } = useTranslation('call');
  return (
    <Group gap="xs" dir="ltr" className={classes['controls']}>
      {hasSound && (
        <ActionIcon
          size={40}
          radius="xl"
          onClick={player.toggle}
          aria-label={t(player.isPlaying ? 'player.pause' : 'player.play')}
        >
          {player.isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </ActionIcon>
      )}
      <Icon label={t('player.before')} onClick={() => step(-1)} icon={IconPlayerTrackPrevFilled} />
      <Clock player={player} durationMs={durationMs} />
      <Icon label={t('player.after')} onClick={() => step(1)} icon={IconPlayerTrackNextFilled} />
      {hasSound && <Rate player={player} />}
      {hasSound && (
        <SegmentedControl
          size="xs"
          value={player.side}
          onChange={(side) => player.setSide(side as Side)}
          aria-label={t('player.side')}
          data={SIDES.map((value) => ({ value, label: t(`player.sides.${value}`) }))}
        />
      )}
      <Group gap={2} ms="auto">
        <Icon label={t('player.farther')} onClick={() => zoom(2)} icon={IconZoomOut} />
        <Icon label={t('player.nearer')} onClick={() => zoom(0.5)} icon={IconZoomIn} />
      </Group>
    </Group>
  );
}

function Icon({ label, icon: Shown, onClick }: { label: string; icon: typeof IconZoomIn; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Shown size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Written by itself for each frame: nothing else is drawn anew for it. */
function Clock({ player, durationMs }: Pick<Props, 'player' | 'durationMs'>) {
  const format = useFormat();
  const now = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = (ms: number) => {
      if (now.current) now.current.textContent = format.clock(ms, 1);
    };
    write(player.nowMs());
    return player.watch(write);
  }, [player, format]);
  return (
    <Text size="sm" className={`figures ${classes['clock']}`} component="div">
      <span ref={now} className={classes['now']} />
      <Text span c="dimmed">
        {' '}
        / {format.clock(durationMs)}
      </Text>
    </Text>
  );
}

function Rate({ player }: { player: Player }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const text = (rate: number): string => `${format.number(rate)}×`;
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={classes['rate']} aria-label={t('player.rate', { rate: text(player.rate) })}>
          {text(player.rate)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown dir="ltr">
        {RATES.map((rate) => (
          <Menu.Item
            key={rate}
            role="menuitemradio"
            aria-checked={rate === player.rate}
            onClick={() => player.setRate(rate)}
            rightSection={rate === player.rate ? <IconCheck size={14} /> : undefined}
          >
            {text(rate)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
