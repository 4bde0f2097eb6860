import { Group, Input, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconEar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldPath } from '../../../../config/agent-text/yaml-document.ts';
import { Noticed } from '../../../parts/noticed.tsx';
import { useEditing, useFindings } from '../editor/draft-context.ts';
import type { Finding } from '../model/findings.ts';

const ICONS = { error: IconAlertCircle, warning: IconAlertTriangle, speech: IconEar } as const;
export const COLOURS = { error: 'var(--bad)', warning: 'var(--slow)', speech: 'var(--person)' } as const;
const SHOWN_MAX = 5;

interface Props {
  readonly path: FieldPath;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Beside the label. */
  readonly aside?: ReactNode;
  /** Of the field that the label is for; without it the frame is a group with a name. */
  readonly inputId?: string;
  /** The name is said by what is around it already. */
  readonly isNamed?: boolean;
  readonly children: ReactNode;
}

/** A field with its name, what it does, and what is wrong with it. Shows in the YAML where it stands while it has the focus. */
export function Frame({ path, label, hint, aside, inputId, isNamed, children }: Props) {
  const { show } = useEditing();
  const findings = useFindings(path);
  return (
    <Stack
      gap={4}
      onFocusCapture={(event) => {
        event.stopPropagation();
        show(path);
      }}
      {...(inputId === undefined && { role: 'group', 'aria-label': label })}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-end" display={isNamed ? 'none' : undefined}>
        <Input.Label {...(inputId === undefined ? { labelElement: 'div' as const } : { htmlFor: inputId })}>
          {label}
        </Input.Label>
        {aside}
      </Group>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      {children}
      <Findings findings={findings} />
    </Stack>
  );
}

/** What was found, each with its sign. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation('agents');
  if (findings.length === 0) return null;
  return (
    <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {findings.slice(0, SHOWN_MAX).map((finding) => (
        <FindingLine key={`${finding.path.join('.')} ${finding.message} ${finding.token ?? ''}`} finding={finding} />
      ))}
      {findings.length > SHOWN_MAX && (
        <Text size="xs" c="dimmed" component="li">
          {t('findings.more', { count: findings.length - SHOWN_MAX })}
        </Text>
      )}
    </Stack>
  );
}

export function FindingLine({ finding, as = 'li' }: { finding: Finding; as?: 'li' | 'div' }) {
  const { t } = useTranslation('agents');
  const Icon = ICONS[finding.severity];
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" component={as} c={COLOURS[finding.severity]}>
      <Icon
        size={15}
        style={{ flex: 'none', marginBlockStart: 2 }}
        aria-label={t(`findings.${finding.severity}`)}
        role="img"
      />
      <Text size="xs" component="span" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {finding.token !== undefined && (
          <>
            <bdi style={{ textDecoration: 'underline wavy', textUnderlineOffset: 3 }}>{finding.token}</bdi>{' '}
          </>
        )}
        <Noticed notice={finding.notice} english={finding.message} />
      </Text>
    </Group>
  );
}
