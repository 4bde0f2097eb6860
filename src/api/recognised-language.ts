/** What is spoken when a request does not say. */
export const DEFAULT_LANGUAGE = 'ar-SA';

/**
 * The language of a transcription: any Arabic tag (English in the same sentence is understood too), en, en-US, en-GB.
 *
 * @returns `ar-SA`, `en-US`, ...; undefined for what is not recognised. Case and `_` do not matter.
 */
export function recognisedLanguage(tag: string): string | undefined {
  const [, language = '', region] = /^([a-z]{2})(?:[-_]([a-z]{2}))?$/i.exec(tag) ?? [];
  if (language.toLowerCase() === 'ar') return `ar-${(region ?? 'SA').toUpperCase()}`;
  if (language.toLowerCase() !== 'en') return undefined;
  const spoken = (region ?? 'US').toUpperCase();
  return spoken === 'US' || spoken === 'GB' ? `en-${spoken}` : undefined;
}
