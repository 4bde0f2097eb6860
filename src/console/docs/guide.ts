import './fonts.ts';
import '../style.css';
import './bar.css';
import './guide.css';
import { storedPreferences } from '../i18n/stored-preferences.ts';

/** The colours that the reader has chosen in the console; without a choice, those of the browser. */
const { theme } = storedPreferences();
if (theme !== 'auto') document.documentElement.style.colorScheme = theme;
