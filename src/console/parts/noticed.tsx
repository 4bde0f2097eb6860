import { Fragment } from 'react';
import { type SaidNotice, useNoticeWords } from '../i18n/notice-text.ts';
import { WithCode } from './text.tsx';

interface Props {
  /** What the gateway says, as data; without it the English stands. */
  readonly notice: SaidNotice | null | undefined;
  readonly english: string;
}

/** A sentence of the gateway in the language of the reader, its values each with a direction of their own. */
export function Noticed({ notice, english }: Props) {
  const pieces = useNoticeWords().pieces(notice);
  if (!pieces) return <bdi>{english}</bdi>;
  return (
    <span>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence, in its order
        <Fragment key={index}>
          {typeof piece === 'string' ? <WithCode text={piece} /> : <bdi>{piece.value}</bdi>}
        </Fragment>
      ))}
    </span>
  );
}
