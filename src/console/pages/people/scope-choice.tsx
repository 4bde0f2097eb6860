import { Checkbox, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SCOPES } from '../../../core/management.ts';
import { type Scope, useWho } from '../../session/session.tsx';

/** What a key may do, each said in a line. Nobody gives what they do not have. */
export function ScopeChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}) {
  const { t } = useTranslation('people');
  const { may } = useWho();
  return (
    <Checkbox.Group
      label={t('keys.scopes')}
      description={t('scopes.none')}
      value={[...chosen]}
      onChange={(values) => onChange(SCOPES.filter((scope) => values.includes(scope)))}
    >
      <Stack gap="sm" mt="sm">
        {SCOPES.filter(may).map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={t(`scopes.${scope}.name`)}
            description={t(`scopes.${scope}.text`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
