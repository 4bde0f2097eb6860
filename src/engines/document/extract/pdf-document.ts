import type { getDocumentProxy } from 'unpdf';

/** An open PDF, and one of its pages, as its reader gives them. */
export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
