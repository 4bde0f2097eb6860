import './fonts.ts';
import '../style.css';
import './bar.css';
import './reference.css';
import bundle from 'virtual:reference-bundle';
import { storedPreferences } from '../i18n/stored-preferences.ts';
import { configurationOf } from './configuration.ts';

/** What the bundle offers once it has run. */
interface Scalar {
  createApiReference(element: string, configuration: object): unknown;
}
declare global {
  interface Window {
    readonly Scalar?: Scalar;
    __zod_globalConfig?: { jitless: boolean };
  }
}

/** Its reader of settings would make functions of text where it may, which the policy of this page refuses. */
window.__zod_globalConfig = { jitless: true };

const language = document.documentElement.lang === 'ar' ? 'ar' : 'en';
const { theme } = storedPreferences();
document.documentElement.style.colorScheme = theme === 'auto' ? 'light dark' : theme;
const isDark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);

const script = document.createElement('script');
script.src = bundle;
script.addEventListener('load', () => {
  const hasManagement = document.getElementById('reference')?.dataset['manage'] === 'true';
  window.Scalar?.createApiReference('#reference', configurationOf({ language, isDark, hasManagement }));
});
document.head.append(script);
