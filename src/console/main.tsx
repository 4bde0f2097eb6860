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

/** A new version of the gateway has other files: the page that was open asks for those once. */
window.addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('nidaa.reloaded') ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem('nidaa.reloaded', String(Date.now()));
  event.preventDefault();
  location.reload();
});

const preferences = storedPreferences();
document.documentElement.lang = preferences.language;
document.documentElement.dir = directionOf(preferences.language);
await startTexts(preferences.language);
createRoot(document.getElementById('root')!).render(<App preferences={preferences} />);
