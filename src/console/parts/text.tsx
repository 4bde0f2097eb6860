import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Numbers, addresses, ids and code: from left to right in both directions of the page. */
export function Ltr({ children, mono = false }: { children: ReactNode; mono?: boolean }) {
  return (
    <bdi dir="ltr" style={mono ? { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.9em' } : undefined}>
      {children}
    </bdi>
  );
}

/** A sentence with commands and names in backquotes, as Markdown has them. */
export function WithCode({ text }: { text: string }) {
  const pieces = text.split('`');
  return (
    <>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence, in its order
        <Fragment key={index}>{index % 2 === 0 ? piece : <Ltr mono>{piece}</Ltr>}</Fragment>
      ))}
    </>
  );
}

/** What a person or another system wrote: its own letters decide on its direction. */
export function Written({
  children,
  ...rest
}: {
  children: string;
  c?: string;
  size?: string;
  fw?: number;
  lineClamp?: number;
}) {
  return (
    <Text dir="auto" {...rest}>
      {children}
    </Text>
  );
}

/** An id or address with a button that copies it. */
export function Copyable({ value, shown = value }: { value: string; shown?: string }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Ltr mono>{shown}</Ltr>
      <CopyIcon value={value} />
    </Group>
  );
}

export function CopyIcon({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy')}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'nidaa' : 'gray'}
            size="sm"
            onClick={copy}
            aria-label={t('copy')}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
