import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { DocumentThread } from '../../../src/engines/document/document-thread.ts';
import { createDocumentReader, DOCUMENT_LIMITS } from '../../../src/engines/document/retrieval-reader.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { textPdf } from '../../support/pdf-file.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';

const never = new AbortController().signal;
const text = Buffer.from('The zebra fee is 20 riyals.\nClosed on Friday.');
const fee = { file: text, mimeType: 'text/plain', question: 'What is the zebra fee?' };
const slow = { ...fee, file: Buffer.from('zebra fee? '.repeat(700_000)) };
const open: { close(): void }[] = [];
const readerOf = (options: Partial<Parameters<typeof createDocumentReader>[0]> = {}) => {
  const reader = createDocumentReader({ clock: systemClock, logger: silentLogger, ...options });
  open.push(reader);
  return reader;
};
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

/** For questions that leave its threads as they were: each new one has everything to load. */
const shared = createDocumentReader({ clock: systemClock, logger: silentLogger });
afterAll(() => shared.close());

describe('RetrievalReader', () => {
  it('answers through its thread, one document after the other, and leaves the file to its owner', async () => {
    const reader = readerOf();
    expect(reader.name).toBe('retrieval');
    const [first, second] = await Promise.all([
      reader.ask(fee, never),
      reader.ask(
        { file: textPdf([['The lion fee is 30 riyals.']]), mimeType: '', question: 'What is the lion fee?' },
        never,
      ),
    ]);
    expect(first).toEqual({
      answer: 'The zebra fee is 20 riyals.',
      quotes: ['The zebra fee is 20 riyals.'],
      answered: true,
    });
    expect(second.quotes).toEqual(['The lion fee is 30 riyals.']);
    expect(text.toString()).toContain('zebra');
  });

  it.each([
    ['a type that is not read', { ...fee, mimeType: 'image/png' }, 'unsupported_document'],
    ['a file that cannot be read', { ...fee, mimeType: 'application/pdf' }, 'invalid_document'],
    ['an empty file', { ...fee, file: new Uint8Array() }, 'invalid_document'],
  ])('%s is refused', async (_, question, code) => {
    await expect(shared.ask(question, never)).rejects.toMatchObject({ name: 'ServiceError', code });
  });

  it('names the type it does not read', async () => {
    await expect(shared.ask({ ...fee, mimeType: 'image/png' }, never)).rejects.toThrow('image/png');
  });

  it('refuses what takes too long, and reads the next with a new thread', async () => {
    const clock = new FakeClock();
    const reader = readerOf({ clock });
    const asked = reader.ask(slow, never);
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve)); // until it is copied
    clock.advance(DOCUMENT_LIMITS.timeLimitMs);
    await expect(asked).rejects.toMatchObject({ code: 'invalid_document' });
    expect((await reader.ask(fee, never)).answered).toBe(true);
    reader.close();
    expect(clock.pending).toBe(0);
  });

  it('says to whoever sent a scan what is wrong with it', async () => {
    const scan = { ...fee, file: textPdf([[], []]), mimeType: 'application/pdf' };
    await expect(shared.ask(scan, never)).rejects.toMatchObject({
      message: 'The document could not be read (PDF: no text, a scan needs text recognition first).',
    });
  });

  it.runIf(EVERY_TEST)('refuses what fills the heap of its thread', async () => {
    const reader = readerOf({ limits: { heapMb: 16 } });
    const words = Array.from({ length: 200_000 }, (_, at) => `w${at.toString(36)}`).join('\n');
    await expect(reader.ask({ ...fee, file: Buffer.from(words) }, never)).rejects.toMatchObject({
      code: 'invalid_document',
    });
    expect((await reader.ask(fee, never)).answered).toBe(true);
  });

  it.runIf(EVERY_TEST)('reads a small document while large ones wait for each other', async () => {
    const reader = readerOf({ limits: { threads: 2, largeAtOnce: 1 } });
    const ended: string[] = [];
    const ask = async (name: string, question: typeof fee): Promise<void> => {
      await reader.ask(question, never).catch(() => undefined);
      ended.push(name);
    };
    const [first, second, small] = [ask('first', slow), ask('second', slow), ask('small', fee)];
    await small;
    expect(ended).toEqual(['small']);
    reader.close();
    await Promise.all([first, second]);
  });

  it('an abort ends the work under way and the wait for it', async () => {
    const reader = readerOf();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const asked = [reader.ask(slow, running.signal), reader.ask(slow, waiting.signal)];
    const last = reader.ask(fee, never);
    waiting.abort(new Error('gone'));
    await expect(asked[1]).rejects.toThrow('gone');
    running.abort(new Error('left'));
    await expect(asked[0]).rejects.toThrow('left');
    expect((await last).answered).toBe(true);
    await expect(reader.ask(fee, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  it('holds a bounded queue, and refuses what waits when it closes', async () => {
    const reader = readerOf({ limits: { threads: 1, queue: 1 } });
    const running = reader.ask(slow, never);
    const waiting = reader.ask(fee, never);
    await expect(reader.ask(fee, never)).rejects.toMatchObject({ code: 'unavailable' });
    const ends = Promise.allSettled([running, waiting]);
    reader.close();
    reader.close();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    await expect(reader.ask(fee, never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('DocumentThread', () => {
  const job = (id: number) => ({
    id,
    file: new Uint8Array(text),
    mimeType: 'text/plain',
    filename: undefined,
    question: fee.question,
  });

  it('is stopped when the process grows while it works', async () => {
    const clock = new FakeClock();
    let resident = 100_000_000;
    const thread = new DocumentThread(clock, { ...DOCUMENT_LIMITS, growthMb: 50 }, { residentBytes: () => resident });
    const outcome = thread.run(job(1));
    clock.advance(100);
    resident += 60_000_000;
    clock.advance(100);
    expect(await outcome).toEqual({ type: 'spent', why: 'memory' });
    expect(clock.pending).toBe(0);
  });

  it.runIf(EVERY_TEST)('ends when it has had nothing to do, and starts again', async () => {
    const clock = new FakeClock();
    const thread = new DocumentThread(clock, DOCUMENT_LIMITS, { residentBytes: () => 0 });
    expect(await thread.run(job(1))).toMatchObject({ id: 1, type: 'answer' });
    expect(clock.pending).toBe(1);
    clock.advance(DOCUMENT_LIMITS.idleMs);
    expect(clock.pending).toBe(0);
    expect(await thread.run(job(2))).toMatchObject({ id: 2, type: 'answer' });
    thread.stop('done');
    expect(clock.pending).toBe(0);
  });

  it.runIf(EVERY_TEST)('is renewed after its number of documents', async () => {
    const clock = new FakeClock();
    const thread = new DocumentThread(clock, { ...DOCUMENT_LIMITS, jobsMax: 2 }, { residentBytes: () => 0 });
    await thread.run(job(1));
    await thread.run(job(2));
    expect(clock.pending).toBe(0); // no idle timer: it is gone already
    expect(await thread.run(job(3))).toMatchObject({ id: 3, type: 'answer' });
    thread.stop('done');
  });
});
