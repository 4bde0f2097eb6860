/**
 * A piece of text in its own direction, wherever it is written (FIRST STRONG ISOLATE, UAX #9 §2.4): what runs from left to right,
 * as a timeline does, would else put an Arabic unit or month on the wrong side of its number.
 */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
