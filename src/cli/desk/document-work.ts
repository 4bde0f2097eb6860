import { delay, systemClock } from '../../core/clock.ts';
import { OperatorError, ServiceError } from '../../core/errors.ts';
import { createDocumentReader } from '../../engines/document/retrieval-reader.ts';
import { indexDocument } from '../../jobs/index-document.ts';
import { keepDocument } from '../../manage/agent-upload.ts';
import { ManageError } from '../../manage/manage-error.ts';
import type { AgentDocument } from '../../store/agent-documents.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import type { DocumentFile, DocumentOwner } from './desk.ts';

const MB = 1024 * 1024;

/** @throws OperatorError in the words of the management API. */
export async function keepHere(
  store: Store,
  { config }: Pick<Settings, 'config'>,
  of: DocumentOwner,
  { name, bytes }: DocumentFile,
): Promise<AgentDocument | undefined> {
  const limits = { bytesMax: config.documents.accountMb * MB };
  try {
    const file = { bytes, filename: name, mediaType: undefined };
    return await keepDocument(store.agentDocuments, of, file, limits);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof ManageError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}

/** Reads a document in this process, for that time at most: the gateway may not run, and where it does it need not be told. */
export async function readHere(
  store: Store,
  { logger }: Pick<Settings, 'logger'>,
  id: string,
  waitMs: number,
): Promise<void> {
  const reader = createDocumentReader({ clock: systemClock, logger, limits: { threads: 1 } });
  const enough = new AbortController();
  try {
    await Promise.race([indexDocument(id, { store, reader }), delay(systemClock, waitMs, enough.signal)]);
  } finally {
    enough.abort();
    await reader.close();
  }
}
