import type { Language } from './languages.ts';

/** How a person wants to read. Kept in the browser. */
export interface Preferences {
  readonly language: Language;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly digits: 'latn' | 'arab';
  readonly calendar: 'gregory' | 'islamic-umalqura';
  readonly timeZone: string;
}
