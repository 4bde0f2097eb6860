import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mayGive, ROLE_SCOPES, ROLES, type Role } from '../../../core/management.ts';
import { useWho } from '../../session/session.tsx';

/** What a person may do, each said in a line. Nobody makes another mightier than they are. */
export function RoleChoice({ chosen, onChange }: { chosen: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  const { who } = useWho();
  return (
    <Radio.Group label={t('people.role')} value={chosen} onChange={(value) => onChange(value as Role)}>
      <Stack gap="sm" mt="xs">
        {ROLES.filter((role) => mayGive(who.scopes, ROLE_SCOPES[role])).map((role) => (
          <Radio key={role} value={role} label={common(`roles.${role}`)} description={t(`roles.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
