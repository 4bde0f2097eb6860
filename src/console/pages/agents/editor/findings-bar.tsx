import { Loader, Text, UnstyledButton } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconEar,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldName } from '../../../../config/agent-text/yaml-document.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { ErrorText } from '../../../parts/states.tsx';
import { COLOURS, FindingLine } from '../form/frame.tsx';
import type { Finding } from '../model/findings.ts';
import classes from './editor.module.css';
import type { Checked } from './use-report.ts';

const ICONS = { error: IconAlertCircle, warning: IconAlertTriangle, speech: IconEar } as const;
const SHOWN_MAX = 200;

/** Everything that was found about the draft; each leads to its field and line. */
export function FindingsBar({ checked, onPick }: { checked: Checked; onPick: (finding: Finding) => void }) {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { findings, coverage, isChecking, error } = checked;
  const hasMore = findings.length > 0;
  const isReadable = findings.every(({ place }) => place === undefined);
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <section className={classes['findings']} aria-label={t('findings.title')}>
      <UnstyledButton
        className={classes['summary']}
        onClick={() => setOpen(!isOpen)}
        disabled={!hasMore}
        aria-expanded={isOpen && hasMore}
        aria-controls={id}
      >
        {(['error', 'warning', 'speech'] as const).map((severity) => (
          <Total
            key={severity}
            severity={severity}
            count={findings.filter((one) => one.severity === severity).length}
          />
        ))}
        {!hasMore && !error && !isChecking && (
          <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center' }}>
            <IconCircleCheck size={16} color="var(--good)" aria-hidden />
            {t('findings.none')}
          </span>
        )}
        {!hasMore && isChecking && (
          <Text span size="sm" c="dimmed">
            {t('findings.checking')}
          </Text>
        )}
        {coverage !== undefined && isReadable && (
          <Text span size="sm" c="dimmed">
            {t('findings.coverage', { share: format.percent(coverage, 1) })}
          </Text>
        )}
        {error && <ErrorText error={error} />}
        <span style={{ flex: 1 }} />
        {isChecking && <Loader size={14} aria-label={t('findings.checking')} />}
        {hasMore && <Chevron size={16} aria-hidden />}
      </UnstyledButton>
      {isOpen && hasMore && (
        <div className={classes['list']} id={id}>
          {findings.slice(0, SHOWN_MAX).map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be found twice
            <UnstyledButton key={index} className={classes['finding']} onClick={() => onPick(finding)}>
              <FindingLine finding={finding} as="div" />
              {finding.path.length > 0 && (
                <Text size="xs" c="dimmed" component="div" ps={22}>
                  <bdi dir="ltr">{fieldName(finding.path)}</bdi>
                </Text>
              )}
            </UnstyledButton>
          ))}
        </div>
      )}
    </section>
  );
}

function Total({ severity, count }: { severity: Finding['severity']; count: number }) {
  const { t } = useTranslation('agents');
  if (count === 0) return null;
  const Icon = ICONS[severity];
  return (
    <span
      style={{ display: 'inline-flex', gap: 6, alignItems: 'center', color: COLOURS[severity] }}
      className="figures"
    >
      <Icon size={16} aria-hidden />
      {t(`findings.total.${severity}`, { count })}
    </span>
  );
}
