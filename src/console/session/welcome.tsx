import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { PASSWORD_CHARS } from '../../core/management.ts';
import { useChange } from '../api/hooks.ts';
import { Failed } from '../parts/states.tsx';
import { Gate } from './gate.tsx';

/** The secret comes in the fragment and leaves the address at once, so that it is in no history. */
const secret = location.hash.slice(1);

/** The page behind a one-time link: it sets a password. */
export function Welcome() {
  const { t } = useTranslation();
  const go = useNavigate();
  const client = useQueryClient();
  const useLink = useChange('useLink');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const differ = again !== '' && again !== password;
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (differ) return;
    useLink.mutate(
      { body: { secret, password, ...(email !== '' && { email }) } },
      {
        onSuccess: () => {
          client.clear();
          void go('/');
        },
      },
    );
  };
  return (
    <Gate title={t('welcome.title')} text={t('welcome.text')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('signIn.email')}
            description={t('welcome.email')}
            type="email"
            autoComplete="username"
            dir="ltr"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('signIn.password')}
            description={t('welcome.password', { count: PASSWORD_CHARS.min })}
            required
            minLength={PASSWORD_CHARS.min}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('welcome.again')}
            required
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            error={differ && t('welcome.differ')}
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
          />
          {useLink.error && <Failed error={useLink.error} />}
          <Button type="submit" loading={useLink.isPending} disabled={differ} fullWidth>
            {t('welcome.go')}
          </Button>
        </Stack>
      </form>
    </Gate>
  );
}
