import { DirectionProvider, useDirection, useMantineColorScheme } from '@mantine/core';
import i18next from 'i18next';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { directionOf } from './languages.ts';
import type { Preferences } from './preferences.ts';
import { PREFERENCES_KEY } from './stored-preferences.ts';

interface Held {
  readonly preferences: Preferences;
  change(part: Partial<Preferences>): void;
}
const Context = createContext<Held | undefined>(undefined);

export function usePreferences(): Held {
  const held = useContext(Context);
  if (!held) throw new Error('no preferences here');
  return held;
}

/** Language, direction and colours of the whole page. */
export function PreferencesProvider({ start, children }: { start: Preferences; children: ReactNode }) {
  return (
    <DirectionProvider initialDirection={directionOf(start.language)} detectDirection={false}>
      <Inner start={start}>{children}</Inner>
    </DirectionProvider>
  );
}

function Inner({ start, children }: { start: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(start);
  const { setDirection } = useDirection();
  const { setColorScheme } = useMantineColorScheme();
  const change = useCallback((part: Partial<Preferences>) => setPreferences((before) => ({ ...before, ...part })), []);
  useEffect(() => {
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify(preferences));
  }, [preferences]);
  useEffect(() => setColorScheme(preferences.theme), [preferences.theme, setColorScheme]);
  useEffect(() => {
    document.documentElement.lang = preferences.language;
    document.documentElement.dir = directionOf(preferences.language);
    setDirection(directionOf(preferences.language));
    void i18next.changeLanguage(preferences.language);
  }, [preferences.language, setDirection]);
  const held = useMemo(() => ({ preferences, change }), [preferences, change]);
  return <Context value={held}>{children}</Context>;
}
