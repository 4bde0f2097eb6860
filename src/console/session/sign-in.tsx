import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../api/hooks.ts';
import { Failed } from '../parts/states.tsx';
import { Gate } from './gate.tsx';

export function SignIn({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const signIn = useChange('signIn');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { body: { email, password } },
      {
        onSuccess: (who) => {
          client.clear();
          client.setQueryData(['getSession', {}], who);
          onDone();
        },
      },
    );
  };
  return (
    <Gate title={t('signIn.title')} text={t('signIn.text')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('signIn.email')}
            type="email"
            required
            autoComplete="username"
            autoFocus
            dir="ltr"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('signIn.password')}
            required
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {signIn.error && <Failed error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t('signIn.go')}
          </Button>
        </Stack>
      </form>
    </Gate>
  );
}
