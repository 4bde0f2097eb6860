import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from './api/client.ts';
import type { Preferences } from './i18n/preferences.ts';
import { PreferencesProvider } from './i18n/preferences-provider.tsx';
import { Loading } from './parts/states.tsx';
import { router } from './routes.tsx';
import { theme, variables } from './theme.ts';

const SESSION = ['getSession'] as const;

/** What only time may cure is tried again; what the gateway refuses is not. */
const mayPass = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const isSession = query.queryKey[0] === SESSION[0];
      if (error instanceof ApiError && error.status === 401 && !isSession)
        void client.invalidateQueries({ queryKey: SESSION });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => mayPass(error) && failures < 5,
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 8_000),
    },
    mutations: { retry: false },
  },
});

export function App({ preferences }: { preferences: Preferences }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'nidaa.colours' })}
    >
      <PreferencesProvider start={preferences}>
        <QueryClientProvider client={client}>
          <Notifications position="bottom-center" limit={3} />
          <Suspense fallback={<Loading />}>
            <RouterProvider router={router} />
          </Suspense>
        </QueryClientProvider>
      </PreferencesProvider>
    </MantineProvider>
  );
}
