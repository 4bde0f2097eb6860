const person = {
  ...{ id: 'per_5xq2k7w3n4b6c2d7e3fa', email: 'noura@example.com', role: 'owner', state: 'active' },
  ...{ created_at: '2026-01-02T03:04:05.678Z', updated_at: '2026-01-02T03:04:05.678Z', signed_in_at: null },
};
const PASSWORD = 'three quiet palms';

/** One example of what is sent and answered, by operation; a test checks each against its shape. */
export const EXAMPLES: Readonly<Record<string, { readonly request?: unknown; readonly answer?: unknown }>> = {
  signIn: {
    request: { email: person.email, password: PASSWORD },
    answer: {
      ...{ kind: 'person', id: person.id, name: person.email, account_id: 'acc_5xq2k7w3n4b6c2d7e3fa' },
      ...{ role: 'owner', scopes: ['read', 'agents', 'calls', 'account'] },
    },
  },
  useLink: {
    request: { secret: 'B9R9cxxZhfOIckMM05yR8IGG1f8Tx5IH64cxeJTHyT4', password: PASSWORD, email: person.email },
  },
  changePassword: { request: { current: PASSWORD, password: 'four quiet palms' } },
  invitePerson: { request: { email: 'faisal@example.com', role: 'editor' } },
  getPerson: { answer: person },
  changePerson: { request: { role: 'viewer' } },
  createToken: { request: { name: 'website' } },
  createKey: { request: { name: 'reports', scopes: ['read'] } },
};
