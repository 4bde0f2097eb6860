import { Anchor, Button, Code, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import { Failed } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import classes from './connect.module.css';
import { Explanation } from './explain.tsx';
import { isIpAddress } from './model/refusal.ts';
import { bodyOf, draftOf } from './model/trunk-draft.ts';
import { GiveNumber } from './number-dialogs.tsx';
import { type Recipe, type RecipeAsk, sendable, useNumbers, useTrunks } from './routing.ts';

interface Props {
  readonly recipe: Recipe;
  readonly filled: Partial<Record<RecipeAsk, string>>;
  readonly isReady: boolean;
}

/** What is made on this side: the trunk, and an agent for the number; then what becomes of a call. */
export function ConnectHere({ recipe, filled, isReady }: Props) {
  const { t } = useTranslation('numbers');
  const trunks = useTrunks();
  const numbers = useNumbers();
  const create = useChange('createTrunk', ['listTrunks', 'explainCall']);
  const [wantedName, setName] = useState(recipe.id);
  const [password, setPassword] = useState('');
  const [isGiving, setGiving] = useState(false);
  const { theirs, number, username } = filled;
  const made = create.data;
  const isTaken = !made && (trunks.items ?? []).some(({ name }) => name === wantedName.trim());
  const entry = numbers.items?.find((one) => one.number === number);
  const needsUser = recipe.asks.includes('username');
  const submit = () => {
    const draft = draftOf(recipe.definition as Parameters<typeof draftOf>[0]);
    const registers = needsUser && username !== undefined;
    const user = registers ? {} : { user: '', realm: '', fromUser: '', registers: false };
    const body = bodyOf({ ...draft, ...user, name: wantedName, password: registers ? password : '' });
    create.mutate({ body: sendable(body) });
  };
  return (
    <ol className={classes['steps']}>
      <li>
        <Text size="sm" fw={600} mb={6}>
          {t('connect.makeTrunk')}
        </Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('trunk.fields.name')}
            dir="ltr"
            maxLength={64}
            disabled={made !== undefined}
            error={isTaken && t('connect.nameTaken')}
            value={wantedName}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {needsUser && username !== undefined && (
            <PasswordInput
              label={t('trunk.fields.password')}
              dir="ltr"
              w={220}
              disabled={made !== undefined}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('trunk.showPassword') }}
            />
          )}
          <Button
            onClick={submit}
            loading={create.isPending}
            disabled={!isReady || isTaken || made !== undefined || wantedName.trim() === ''}
          >
            {t(made ? 'connect.made' : 'trunk.create')}
          </Button>
        </Group>
        {!isReady && (
          <Text size="sm" c="dimmed" mt={6}>
            {t('connect.fillFirst')}
          </Text>
        )}
        {create.error && (
          <div style={{ marginBlockStart: 8 }}>
            <Failed error={create.error} />
          </div>
        )}
        {made && (
          <Text size="sm" mt={6} component="div">
            <Anchor component={Link} size="sm" to={`/numbers?tab=trunks&edit=${made.id}`}>
              {t('connect.more')}
            </Anchor>
          </Text>
        )}
      </li>
      <li>
        <Text size="sm" fw={600} mb={6}>
          {t('connect.giveNumber')}
        </Text>
        {entry ? (
          <Text size="sm">
            <Ltr mono>{entry.number}</Ltr> · <bdi>{entry.agent_name}</bdi>
          </Text>
        ) : (
          <Button variant="default" disabled={number === undefined} onClick={() => setGiving(true)}>
            {t('fix.give')}
          </Button>
        )}
        {isGiving && number !== undefined && <GiveNumber number={number} onClose={() => setGiving(false)} />}
      </li>
      <li>
        <Text size="sm" fw={600} mb={6}>
          {t('connect.see')}
        </Text>
        {theirs !== undefined && number !== undefined && isIpAddress(theirs) ? (
          <Explanation asked={{ number, address: theirs }} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('connect.seeText')} <Code dir="ltr">{number ?? '1000'}</Code>
          </Text>
        )}
      </li>
    </ol>
  );
}
