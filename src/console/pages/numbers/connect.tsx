import { Alert, Loader, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { ApiError } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { usePreferences } from '../../i18n/preferences-provider.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Section } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Copyable, Ltr, WithCode } from '../../parts/text.tsx';
import classes from './connect.module.css';
import { ConnectHere } from './connect-here.tsx';
import type { RecipeAsk as Ask, Recipe } from './routing.ts';

/** What the gateway takes: the rest is not asked with until it is right. */
const ALLOWED: Readonly<Record<Ask, RegExp>> = {
  theirs: /^[A-Za-z0-9.:-]{1,253}$/,
  number: /^[A-Za-z0-9+*#._-]{1,64}$/,
  username: /^[A-Za-z0-9+_.~-]{1,128}$/,
};
const EXAMPLES: Readonly<Record<Ask, string>> = { theirs: '203.0.113.7', number: '1000', username: '500123' };
const TYPED_MS = 300;

/** Connects an exchange or a carrier: which, with what, what is entered there, what is made here, and whether it works. */
export function Connect() {
  const { t } = useTranslation('numbers');
  const { preferences } = usePreferences();
  const [query, setQuery] = useSearchParams();
  const [typed, setTyped] = useState<Record<Ask, string>>({
    ...{ theirs: query.get('theirs') ?? '', number: query.get('number') ?? '', username: '' },
  });
  const [settled] = useDebouncedValue(typed, TYPED_MS);
  const filled = Object.fromEntries(
    (Object.keys(ALLOWED) as Ask[]).flatMap((ask) => {
      const text = settled[ask].trim();
      return ALLOWED[ask].test(text) ? [[ask, text]] : [];
    }),
  ) as Partial<Record<Ask, string>>;
  const recipes = useAsk('listTrunkRecipes', { query: { language: preferences.language, ...filled } });
  const id = query.get('recipe');
  const items = recipes.data?.items ?? [];
  const recipe = items.find((one) => one.id === id) ?? items[0];
  if (!recipes.data || !recipe) {
    return recipes.error ? (
      <Failed error={recipes.error as ApiError} again={() => void recipes.refetch()} />
    ) : (
      <Loading height={320} />
    );
  }
  const { gateway } = recipes.data;
  const isReady = recipe.asks.every((ask) => ask === 'username' || filled[ask] !== undefined);
  return (
    <Stack gap="lg">
      <Section title={t('connect.which')} aside={recipes.isFetching && <Loader size="xs" />}>
        <SegmentedControl
          className={classes['which']!}
          aria-label={t('connect.which')}
          data={items.map(({ id: value, name: label }) => ({ value, label }))}
          value={recipe.id}
          onChange={(chosen) => setQuery({ tab: 'connect', recipe: chosen }, { replace: true })}
        />
        <Text size="sm" c="dimmed" mt="sm">
          {recipe.about}
        </Text>
        <div className={classes['asks']}>
          {recipe.asks.map((ask) => {
            const text = typed[ask].trim();
            return (
              <TextInput
                key={ask}
                label={t(`connect.asks.${ask}`)}
                description={t(`connect.hints.${ask}`)}
                error={text !== '' && !ALLOWED[ask].test(text) && t('connect.wrong')}
                dir="ltr"
                placeholder={EXAMPLES[ask]}
                value={typed[ask]}
                onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [ask]: value }))}
              />
            );
          })}
        </div>
        <Text size="sm" c="dimmed" mt="md" component="div">
          {t('connect.gateway')} <Copyable value={`${gateway.address}:${gateway.port}`} /> · {t('connect.rtp')}{' '}
          <Ltr>{`${gateway.rtp_ports.min}-${gateway.rtp_ports.max}`}</Ltr>
        </Text>
        {gateway.only_local && (
          <Alert color="orange" icon={<IconPlugConnectedX size={18} />} mt="sm">
            <Text size="sm">
              {t('connect.onlyLocal')} <Ltr mono>NIDAA_HOST=0.0.0.0</Ltr>
            </Text>
          </Alert>
        )}
      </Section>
      <Section title={t('connect.there', { name: recipe.name })}>
        <There recipe={recipe} />
      </Section>
      <Section title={t('connect.here')}>
        <ConnectHere key={recipe.id} recipe={recipe} filled={filled} isReady={isReady} />
      </Section>
    </Stack>
  );
}

function There({ recipe }: { recipe: Recipe }) {
  return (
    <Stack gap="md">
      {recipe.there.map(({ title, text, fields }) => (
        <div key={title}>
          <Text size="sm" fw={600} mb={6}>
            <bdi>{title}</bdi>
          </Text>
          {text !== '' && <CodeBlock text={text} label={title} />}
          {fields.length > 0 && (
            <table className={classes['fields']} aria-label={title} dir="ltr">
              <tbody>
                {fields.map(({ name, value }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>
                      <Copyable value={value} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      ))}
      <ul className={classes['notes']}>
        {recipe.notes.map((note) => (
          <li key={note}>
            <Text size="sm" dir="auto">
              <WithCode text={note} />
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
