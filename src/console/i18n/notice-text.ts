import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { noticePieces, type Piece, piecesText, type SaidNotice } from './notice-pieces.ts';

export type { SaidNotice } from './notice-pieces.ts';

function wordsOf(code: string): string | undefined {
  const words: unknown = i18next.getResource(i18next.language, 'notices', code);
  return typeof words === 'string' ? words : undefined;
}

const piecesOf = (notice: SaidNotice | null | undefined): readonly Piece[] | undefined =>
  notice ? noticePieces(notice, wordsOf) : undefined;

export interface Words {
  /** In the language of the reader, in pieces; undefined where the English has to do. */
  pieces(notice: SaidNotice | null | undefined): readonly Piece[] | undefined;
  /** The same where only text can stand. */
  text(notice: SaidNotice | null | undefined, english: string): string;
}
const WORDS: Words = {
  pieces: piecesOf,
  text: (notice, english) => {
    const pieces = piecesOf(notice);
    return pieces ? piecesText(pieces) : english;
  },
};
const NONE_YET: Words = { pieces: () => [], text: () => '' };
const NONE_YET_BUT_ENGLISH: Words = { pieces: () => undefined, text: (_notice, english) => english };

/** Words of sentences of the gateway. They are loaded with the first one; until then only English ones are there. */
export function useNoticeWords(): Words {
  const { ready, i18n } = useTranslation('notices', { useSuspense: false });
  if (ready) return WORDS;
  return i18n.language === 'en' ? NONE_YET_BUT_ENGLISH : NONE_YET;
}

/** The text of a sentence, where there is no page to draw it in again. Never rejects. */
export async function noticeTextSoon(notice: SaidNotice | null | undefined): Promise<string | undefined> {
  if (!notice) return undefined;
  await i18next.loadNamespaces('notices').catch(() => undefined); // where the gateway does not answer
  const pieces = piecesOf(notice);
  return pieces && piecesText(pieces);
}
