import { useMemo } from 'react';
import { type Format, formatOf } from './format.ts';
import { usePreferences } from './preferences-provider.tsx';

/** Numbers, times and money as the person has chosen to read them. */
export function useFormat(): Format {
  const { preferences } = usePreferences();
  return useMemo(() => formatOf(preferences), [preferences]);
}
