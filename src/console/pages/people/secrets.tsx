import { Button, Code, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pages } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, PagedTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/when.tsx';
import { RevokeButton } from './revoke-button.tsx';

interface Revocable {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

interface Props<T> {
  /** Which texts are used. */
  readonly kind: 'tokens' | 'keys';
  /** What they open. */
  readonly address: string;
  readonly pages: Pages<T>;
  readonly nameOf: (one: T) => ReactNode;
  /** What stands between the name and when it was used last. */
  readonly columns: readonly Column<T>[];
  readonly revoke: (id: string) => Promise<unknown>;
  /** The window that makes one. */
  readonly create: (props: { onClose: () => void; onMade: (secret: string) => void }) => ReactNode;
}

/** Secrets of programs: made, shown once, listed by their beginning and end, revoked. */
export function Secrets<T extends Revocable>({ kind, address, pages, nameOf, columns, revoke, create }: Props<T>) {
  const { t } = useTranslation('people');
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoked, setRevoked] = useState<T>();
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t(`${kind}.create`)}
    </Button>
  );
  const all: readonly Column<T>[] = [
    { name: t('name'), cell: nameOf },
    ...columns,
    { name: t('lastUsed'), cell: (one) => <Ago iso={one.last_used_at} /> },
    { name: t('created'), isExtra: true, cell: (one) => <Ago iso={one.created_at} /> },
    {
      name: t('revoke'),
      isBare: true,
      isFigure: true,
      cell: (one) => one.revoked_at === null && <RevokeButton name={one.name} onClick={() => setRevoked(one)} />,
    },
  ];
  return (
    <Section title={t(`tabs.${kind}`)} aside={button}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t(`${kind}.lead`)} <Code dir="ltr">{address}</Code>
      </Text>
      <PagedTable
        label={t(`tabs.${kind}`)}
        columns={all}
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t(`${kind}.empty`)}>
            <Text size="sm" c="dimmed">
              {t(`${kind}.emptyText`)}
            </Text>
          </Empty>
        }
      />
      {isCreating && create({ onClose: () => setCreating(false), onMade: setSecret })}
      <SecretOnce title={t(`${kind}.made`)} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('revokeTitle', { name: revoked?.name ?? '' })}
        text={t(`${kind}.revokeText`)}
        verb={t('revoke')}
        act={() => revoke(revoked!.id)}
      />
    </Section>
  );
}

interface NameProps {
  readonly kind: 'tokens' | 'keys';
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** What it is for, in its owner's words. */
export function SecretName({ kind, value, onChange }: NameProps) {
  const { t } = useTranslation('people');
  return (
    <TextInput
      label={t('name')}
      description={t('nameFor')}
      placeholder={t(`${kind}.example`)}
      dir="auto"
      required
      maxLength={100}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
