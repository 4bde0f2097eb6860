import { parentPort } from 'node:worker_threads';
import { DocumentIndex } from '../document-index.ts';
import { unpacked } from '../packed-lines.ts';
import { IndexShelf } from './index-shelf.ts';
import type { FromLibraryWorker, PackedDocument, ToLibraryWorker } from './library-protocol.ts';

const shelf = new IndexShelf<DocumentIndex>();

function work(job: ToLibraryWorker): FromLibraryWorker {
  const { id, key } = job;
  try {
    if (job.type === 'load') return { id, type: 'loaded', characters: load(key, job.documents) };
    const index = shelf.get(key);
    return index ? { id, type: 'found', passages: index.find(job.question, job.limit) } : { id, type: 'unknown' };
  } catch (error) {
    return { id, type: 'failed', why: error instanceof Error ? error.name : 'unknown' };
  }
}

/** Documents whose text cannot be unpacked are left out. */
function load(key: string, packed: readonly PackedDocument[]): number {
  const documents = packed.flatMap(({ id, name, lines: bytes }) => {
    const lines = unpacked(bytes);
    return lines ? [{ id, name, lines }] : [];
  });
  const characters = documents.reduce((sum, { lines }) => sum + lines.text.length, 0);
  shelf.makeRoom(characters); // before the index is made
  shelf.put(key, new DocumentIndex(documents), characters);
  return characters;
}

parentPort?.on('message', (job: ToLibraryWorker) => parentPort?.postMessage(work(job)));
