import { Badge, NavLink, Select, Text } from '@mantine/core';
import {
  IconAdjustments,
  IconArrowsShuffle,
  IconBook,
  IconClipboardText,
  IconCpu,
  IconFiles,
  IconIdBadge2,
  IconMessage2,
  IconMessages,
  IconTable,
  IconUserShare,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { SECTIONS, type SectionId } from '../model/fields.ts';
import { countBySection, type Finding } from '../model/findings.ts';
import classes from './editor.module.css';

const ICONS: Readonly<Record<SectionId, ComponentType<{ size?: number; stroke?: number }>>> = {
  identity: IconIdBadge2,
  greeting: IconMessage2,
  intents: IconMessages,
  flows: IconArrowsShuffle,
  knowledge: IconBook,
  documents: IconFiles,
  tables: IconTable,
  people: IconUserShare,
  behaviour: IconAdjustments,
  afterCall: IconClipboardText,
  engines: IconCpu,
};

interface Props {
  readonly open: SectionId;
  readonly findings: readonly Finding[];
  readonly isNarrow: boolean;
  readonly onOpen: (section: SectionId) => void;
}

/** The sections of the form, each with what was found in it. */
export function SectionNav({ open, findings, isNarrow, onOpen }: Props) {
  const { t } = useTranslation('agents');
  const counts = countBySection(findings);
  if (isNarrow) {
    const data = SECTIONS.map(({ id }) => {
      const count = counts.get(id);
      const all = count ? count.errors + count.others : 0;
      return { value: id, label: all > 0 ? `${t(`sections.${id}`)} (${all})` : t(`sections.${id}`) };
    });
    return (
      <Select
        aria-label={t('sections.title')}
        data={data}
        value={open}
        onChange={(next) => next && onOpen(next as SectionId)}
        allowDeselect={false}
      />
    );
  }
  return (
    <nav aria-label={t('sections.title')}>
      {SECTIONS.map(({ id }) => {
        const Icon = ICONS[id];
        const count = counts.get(id);
        return (
          <NavLink
            key={id}
            component="button"
            type="button"
            className={classes['entry']}
            active={id === open}
            aria-current={id === open ? 'true' : undefined}
            label={<Text size="sm">{t(`sections.${id}`)}</Text>}
            leftSection={<Icon size={18} stroke={1.6} />}
            rightSection={
              count && (
                <Badge size="sm" color={count.errors > 0 ? 'red' : 'yellow'} className="figures">
                  {count.errors + count.others}
                </Badge>
              )
            }
            onClick={() => onOpen(id)}
          />
        );
      })}
    </nav>
  );
}
