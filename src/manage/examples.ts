const person = {
  ...{ id: 'per_5xq2k7w3n4b6c2d7e3fa', email: 'noura@example.com', role: 'owner', state: 'active' },
  ...{ created_at: '2026-01-02T03:04:05.678Z', updated_at: '2026-01-02T03:04:05.678Z', signed_in_at: null },
};
const definition = {
  ...{ name: 'Corner Bakery', language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Corner Bakery, how can I help you?' },
  knowledge: [{ question: { en: ['when are you open'] }, answer: { en: 'We are open from seven to nine.' } }],
};
const tests = `dialogues:
  - name: opening hours
    steps:
      - caller: when are you open
        agent: { contains: seven, action: none }
`;
const webhook = {
  ...{ id: 'whk_5xq2k7w3n4b6c2d7e3fa', url: 'https://example.com/nidaa', events: ['call.ended', 'balance.low'] },
  ...{ description: 'orders', enabled: true, disabled_reason: null, failing_since: null, secret_before_until: null },
  ...{ pending: 0, full: false, failed: 0, last_delivered_at: '2026-01-02T03:04:05.678Z' },
  ...{ created_at: '2026-01-02T03:04:05.678Z', updated_at: '2026-01-02T03:04:05.678Z' },
};
const delivery = {
  ...{
    id: 'dlv_5xq2k7w3n4b6c2d7e3fa',
    event_id: 'evt_5xq2k7w3n4b6c2d7e3fa',
    type: 'balance.low',
    state: 'pending',
    tries: 1,
  },
  ...{ next_at: '2026-01-02T03:04:11.012Z', last_status: 500, last_error: 'answered 500' },
  last_error_notice: { code: 'webhook.answered', params: { status: '500' } },
  ...{ created_at: '2026-01-02T03:04:05.678Z', closed_at: null },
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
  createAgent: { request: { definition } },
  changeAgent: { request: { definition: { ...definition, greeting: { en: 'Good morning, Corner Bakery!' } } } },
  restoreAgentVersion: { request: { version: 1 } },
  checkAgent: { request: { definition } },
  tryAgent: {
    request: { text: 'when are you open' },
    answer: {
      ...{ greeting: 'Corner Bakery, how can I help you?', reply: 'We are open from seven to nine.', action: null },
      ...{
        meant: ['knowledge:0'],
        steps: [{ rule: 'answer', why: 'a question was asked', acts: ['ask'] }],
        flow: null,
      },
      ...{ waits_for: 'open', values: {}, timings: { first_text_ms: 4, total_ms: 5 }, cost_cents: 0 },
    },
  },
  addAgentDocument: { request: { file: 'T3BlbiBmcm9tIHNldmVuIHRvIG5pbmUu', filename: 'hours.txt' } },
  getAgentDocument: {
    answer: {
      ...{
        id: 'doc_5xq2k7w3n4b6c2d7e3fa',
        agent_id: 'agt_5xq2k7w3n4b6c2d7e3fa',
        name: 'hours.txt',
        type: 'text/plain',
      },
      ...{ size_bytes: 24, state: 'ready', reason: null, reason_text: null, pages: 1, words: 5, characters: 25 },
      ...{ excerpt: 'Open from seven to nine.', created_at: person.created_at, changed_at: person.updated_at },
    },
  },
  putAgentTests: { request: { yaml: tests, required: true } },
  checkAgentTests: { request: { yaml: tests } },
  runAgentTests: { request: { mode: 'text', only: ['opening hours'] } },
  erasePerson: {
    request: { number: '+966501234567', dry_run: false },
    answer: {
      ...{ id: 'ers_5xq2k7w3n4b6c2d7e3fa', asked_at: '2026-01-02T03:04:05.678Z', state: 'waiting', done_at: null },
      search: null,
      found: { calls: 3, turns: 41, recordings: 3, orders: 1, refused_calls: 0, named_elsewhere: 2, do_not_call: 1 },
      waits_for: { calls: 0, recordings: 1, in_storage: 0, nodes: ['4f0c2ab1'] },
    },
  },
  exportPerson: { request: { number: '050 123 4567' } },
  addDoNotCall: { request: { number: '050 123 4567', reason: 'asked not to be called' } },
  importDoNotCall: { request: { text: '+966501234567,asked not to be called\n0507654321' } },
  talkToAgent: { request: { definition, variables: { name: 'Noura' } } },
  previewVoice: { request: { voice: 'emma', text: 'Corner Bakery, how can I help you?' } },
  assignNumber: { request: { agent_id: 'agt_5xq2k7w3n4b6c2d7e3fa' } },
  switchNumber: { request: { enabled: false } },
  switchTrunk: { request: { enabled: false } },
  changeAccount: {
    request: {
      limits: { calls_at_once: 20, spend_a_day_cents: 10_000 },
      retention: { recordings_days: 30 },
      balance_alert_cents: 2_000,
    },
  },
  topUp: { request: { cents: 5_000, reason: 'bank transfer 4711' } },
  createAccount: { request: { name: 'Corner Bakery' } },
  transferCall: { request: { target: 'phone:reception' } },
  sayOnCall: { request: { text: 'A colleague will call you back today.' } },
  placeCall: {
    request: { agent: 'Corner Bakery', to: '+966501234567', variables: { name: 'Noura' }, ring_seconds: 30 },
  },
  createTrunk: {
    request: {
      definition: {
        ...{ name: 'carrier', hosts: ['sip:sbc.example.net'], inbound: { sources: ['203.0.113.7'] } },
        ...{ outbound: { username: 'nidaa', realm: 'sbc.example.net' }, allowedPrefixes: ['+966'] },
      },
      password: 'of the carrier',
    },
  },
  changeTrunk: { request: { definition: { name: 'carrier', inbound: { sources: ['203.0.113.0/24'] } } } },
  createPhone: { request: { name: 'reception' } },
  createToken: { request: { name: 'website' } },
  createWebhook: {
    request: { url: webhook.url, events: webhook.events, description: webhook.description },
    answer: { webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  },
  getWebhook: { answer: webhook },
  changeWebhook: { request: { enabled: true } },
  getWebhookDelivery: {
    answer: {
      ...delivery,
      body: {
        ...{ id: delivery.event_id, type: 'balance.low', created_at: '2026-01-02T03:04:05.678Z' },
        ...{ account_id: 'acc_5xq2k7w3n4b6c2d7e3fa', data: { balance_cents: 1_998, balance_alert_cents: 2_000 } },
      },
      history: [
        {
          at: '2026-01-02T03:04:06.001Z',
          status: 500,
          ms: 41,
          error: 'answered 500',
          error_notice: { code: 'webhook.answered', params: { status: '500' } },
          answer: 'Internal error',
        },
      ],
    },
  },
  replayFailedWebhookDeliveries: { request: { since: '2026-01-02T00:00:00.000Z' } },
  retryFailedJobs: { request: {} },
  discardFailedJobs: { request: {} },
  drainNode: { request: { drain: true } },
  forgetNode: { answer: { recordings: 12 } },
  createKey: { request: { name: 'reports', scopes: ['read'] } },
};
