import '@fontsource/ibm-plex-sans/latin-400.css';
import '@fontsource/ibm-plex-sans/latin-600.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css';
import '@fontsource/ibm-plex-mono/latin-400.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './style.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTexts } from './i18n/i18n.ts';
import { directionOf } from './i18n/languages.ts';
import { storedPreferences } from './i18n/stored-preferences.ts';

const RELOADED = 'nidaa.reloaded';
const RELOAD_PAUSE_MS = 10_000;
const LOOK_MS = 2_000;

/**
 * A new version of the gateway has other files: a page that was open asks for all of it anew, once the gateway answers. Until
 * then what is on the screen stays.
 */
window.addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  event.preventDefault();
  const look = async (): Promise<void> => {
    const answers = await fetch('/console/', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!answers) return void setTimeout(look, LOOK_MS);
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  };
  void look();
});

const preferences = storedPreferences();
document.documentElement.lang = preferences.language;
document.documentElement.dir = directionOf(preferences.language);
await startTexts(preferences.language);
createRoot(document.getElementById('root')!).render(<App preferences={preferences} />);
