import 'i18next';
import type account from './locales/en/account.json';
import type agents from './locales/en/agents.json';
import type call from './locales/en/call.json';
import type calls from './locales/en/calls.json';
import type common from './locales/en/common.json';
import type faults from './locales/en/faults.json';
import type live from './locales/en/live.json';
import type notices from './locales/en/notices.json';
import type numbers from './locales/en/numbers.json';
import type overview from './locales/en/overview.json';
import type people from './locales/en/people.json';
import type playground from './locales/en/playground.json';
import type system from './locales/en/system.json';
import type talk from './locales/en/talk.json';
import type tests from './locales/en/tests.json';
import type webhooks from './locales/en/webhooks.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      agents: typeof agents;
      call: typeof call;
      calls: typeof calls;
      common: typeof common;
      faults: typeof faults;
      live: typeof live;
      notices: typeof notices;
      numbers: typeof numbers;
      overview: typeof overview;
      people: typeof people;
      playground: typeof playground;
      system: typeof system;
      talk: typeof talk;
      tests: typeof tests;
      webhooks: typeof webhooks;
    };
  }
}
