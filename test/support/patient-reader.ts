import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createDocumentReader, type RetrievalReader } from '../../src/engines/document/retrieval-reader.ts';

/**
 * The reader of documents, with one thread and more time for each than the nine seconds of a caller who waits: on a machine that does
 * much else a small PDF takes them too, and a document that took too long has failed for good.
 */
export const patientReader = (): RetrievalReader =>
  createDocumentReader({ clock: systemClock, logger: silentLogger, limits: { threads: 1, timeLimitMs: 120_000 } });
