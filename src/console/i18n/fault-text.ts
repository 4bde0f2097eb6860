import i18next from 'i18next';

/**
 * What went wrong, by its code, in the language of the reader; undefined where the code has no words of its own. Those that a page
 * may need at once stand with the common texts, all others come when the first is wanted (`faults`).
 */
export function faultText(code: string): string | undefined {
  for (const key of [`errors.${code}`, `faults:${code}`]) {
    if (i18next.exists(key)) return i18next.t(key as 'errors.unreachable');
  }
  return undefined;
}

/** The same, once all of them are there. Never rejects. */
export async function faultTextSoon(code: string): Promise<string | undefined> {
  await i18next.loadNamespaces('faults').catch(() => undefined); // where the gateway does not answer
  return faultText(code);
}
