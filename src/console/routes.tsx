import { createBrowserRouter, type RouteObject } from 'react-router';
import { Frame } from './layout/frame.tsx';
import { PageError } from './layout/page-error.tsx';
import { Welcome } from './session/welcome.tsx';

type Page = { default: () => React.ReactNode };
const page = (path: string, load: () => Promise<Page>): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

/** Every page; each is loaded when it is first opened. */
export const router = createBrowserRouter(
  [
    { path: 'welcome', Component: Welcome, ErrorBoundary: PageError },
    {
      Component: Frame,
      ErrorBoundary: PageError,
      children: [
        {
          ErrorBoundary: PageError,
          HydrateFallback: () => null,
          children: [
            page('', () => import('./pages/overview/overview.tsx')),
            page('live', () => import('./pages/live/live.tsx')),
            page('calls', () => import('./pages/calls/calls.tsx')),
            page('calls/:id', () => import('./pages/call/call.tsx')),
            page('agents', () => import('./pages/agents/agents.tsx')),
            page('agents/:id', () => import('./pages/agents/editor.tsx')),
            page('tests', () => import('./pages/tests/tests.tsx')),
            page('tests/:id', () => import('./pages/tests/agent-tests.tsx')),
            page('numbers', () => import('./pages/numbers/numbers.tsx')),
            page('playground', () => import('./pages/playground/playground.tsx')),
            page('account', () => import('./pages/account/account.tsx')),
            page('people', () => import('./pages/people/people.tsx')),
            page('webhooks', () => import('./pages/webhooks/webhooks.tsx')),
            page('system', () => import('./pages/system/system.tsx')),
            page('*', () => import('./layout/unknown-page.tsx')),
          ],
        },
      ],
    },
  ],
  { basename: '/console' },
);
