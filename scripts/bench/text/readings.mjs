/** Whether what is spoken is what a labelled sentence accepts: one spelling for what is heard the same. */

function fold(text) {
  return text
    .toLowerCase()
    .replace(/[\u064b-\u0652\u0670\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The oblique forms for the nominative ones, for sentences that leave the case open (`anyCase`). */
function withoutCase(words) {
  return words.replace(/[\u0621-\u064a]+/g, (word) =>
    word.replace(/(?:ون|ان)$/, 'ين').replace(/(مئت|الف|مليون|مليار|اثن|اثنت)ا$/, '$1ي'),
  );
}

export function isRead({ language, input, accept, anyCase }, normalizer) {
  const compared = (text) => (anyCase ? withoutCase(fold(text)) : fold(text));
  const spoken = compared(normalizer.normalize(input, language).normalized);
  return accept.some((wanted) => compared(wanted) === spoken);
}
