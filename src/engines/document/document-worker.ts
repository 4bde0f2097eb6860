import { parentPort } from 'node:worker_threads';
import type { FromDocumentWorker, ToDocumentWorker } from './document-protocol.ts';
import { extractDocument } from './extract/extract.ts';
import { modelQuestion } from './model-answer.ts';
import { textOf } from './packed-lines.ts';
import { answerFrom } from './retrieval/answer.ts';

// Nothing that a document says may reach the network; no reader of a format needs it either.
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name);

async function work(job: ToDocumentWorker): Promise<FromDocumentWorker> {
  try {
    const extracted = await extractDocument(job.file, job.mimeType, job.filename);
    if (!extracted.ok) return { id: job.id, type: 'refused', code: extracted.code, why: extracted.why };
    const { lines } = extracted;
    const { id, question } = job;
    if (question === undefined) return { id, type: 'text', ...textOf(lines) };
    const passages = job.passages ? modelQuestion(lines, question) : undefined;
    return { id, type: 'answer', answer: answerFrom(lines, question), passages };
  } catch (error) {
    return { id: job.id, type: 'failed', why: error instanceof Error ? error.name : 'unknown' };
  }
}

parentPort?.on('message', (job: ToDocumentWorker) => {
  void work(job).then((message) => parentPort?.postMessage(message));
});
