import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AGENT_CHARACTERS_MAX, DOCUMENT_TRIES_MAX } from '../../src/core/agent-documents.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { unpacked } from '../../src/engines/document/packed-lines.ts';
import { type IndexDocumentDeps, type Indexed, indexDocument } from '../../src/jobs/index-document.ts';
import type { AgentDocument } from '../../src/store/agent-documents.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { patientReader } from '../support/patient-reader.ts';
import { textPdf } from '../support/pdf-file.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/documents/${name}`, import.meta.url));
const NEVER: IndexDocumentDeps['reader'] = { read: () => Promise.reject(new ServiceError('unavailable')) };
const BROKEN: IndexDocumentDeps['reader'] = { read: () => Promise.reject(new ServiceError('answer_failed')) };

describe('a document of an agent is read', () => {
  let test: TestStore;
  let accountId: string;
  let agentId: string;
  const reader = patientReader();
  beforeAll(async () => {
    test = await openTestStore();
    accountId = (await test.store.accounts.create('test')).id;
  });
  afterAll(async () => {
    reader.close();
    await test.close();
  });
  let made = 0;
  beforeEach(async () => {
    made += 1;
    agentId = (await test.store.agents.create(accountId, { ...DEFINITION, name: `agent ${made}` })).id;
  });

  const add = async (name: string, type: string, bytes: Uint8Array): Promise<string> => {
    const file = { name, type, bytes: Buffer.from(bytes) };
    const added = await test.store.agentDocuments.add(accountId, agentId, file, { bytesMax: 1e9 });
    return (added as AgentDocument).id;
  };
  const get = (id: string) => test.store.agentDocuments.get(accountId, agentId, id);
  const index = (id: string, by: IndexDocumentDeps['reader'] = reader): Promise<Indexed> =>
    indexDocument(id, { store: test.store, reader: by });

  it.each([
    ['a PDF', 'returns-ar.pdf', 'application/pdf'],
    ['a Word file', 'rental-ar.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a page', 'hotel-en.html', 'text/html'],
    ['a table', 'fees-ar.csv', 'text/csv'],
    ['Markdown', 'leave-policy-en.md', 'text/markdown'],
  ])('%s: its lines are kept as they were read', async (_what, name, type) => {
    const id = await add(name, type, fixture(name));
    expect(await index(id)).toBe('ready');
    const row = (await get(id))!;
    const lines = unpacked(await test.store.agentDocuments.lines(id))!;
    expect([row.state, row.characters, lines.starts.length]).toEqual(['ready', lines.text.length, lines.count + 1]);
    expect(lines.text.startsWith(row.excerpt!.slice(0, 50))).toBe(true);
    expect(lines.line(lines.count - 1).length).toBeGreaterThan(0);
    expect(await test.store.agentDocuments.ready(accountId, agentId)).toEqual([{ id, name }]);
    expect(await index(id)).toBe('gone'); // run twice
  });

  it.each([
    ['a scan', textPdf([[], []]), 'application/pdf', 'scanned'],
    ['letters without meaning', fixture('glyphs-without-meaning.pdf'), 'application/pdf', 'scanned'],
    ['what is no PDF', Buffer.from('hello'), 'application/pdf', 'unreadable'],
    ['a broken archive', Buffer.from('PK\u0003\u0004 and nothing else'), 'application/pdf', 'unreadable'],
    ['only signs', Buffer.from('--- ... ***'), 'text/plain', 'no_text'],
    ['too much text', Buffer.from('word '.repeat(300_000)), 'text/plain', 'too_long'],
    ['JSON without an end', Buffer.from('{"a": [1, 2'), 'application/json', 'unreadable'],
  ])('%s fails for good, with the reason', async (_what, bytes, type, reason) => {
    const id = await add('a', type, bytes);
    expect(await index(id)).toBe('failed');
    expect(await get(id)).toMatchObject({ state: 'failed', reason });
    expect(await index(id)).toBe('gone');
    expect(await test.store.agentDocuments.ready(accountId, agentId)).toEqual([]);
  });

  it('waits where the reader is away, however often', async () => {
    const id = await add('a.txt', 'text/plain', Buffer.from('Open from seven.'));
    for (let time = 0; time <= DOCUMENT_TRIES_MAX; time += 1) await expect(index(id, NEVER)).rejects.toThrow();
    expect(await get(id)).toMatchObject({ state: 'queued', tries: 0 });
    expect(await index(id)).toBe('ready');
  });

  it('is given up where the reader is lost with it again and again, or the process', async () => {
    const id = await add('a.txt', 'text/plain', Buffer.from('Open from seven.'));
    await expect(index(id, BROKEN)).rejects.toThrow();
    for (let time = 1; time < DOCUMENT_TRIES_MAX; time += 1) await test.store.agentDocuments.begin(id); // and killed
    expect(await index(id)).toBe('failed');
    expect(await get(id)).toMatchObject({ state: 'failed', reason: 'broke_off' });
  });

  it('that was deleted is not read', async () => {
    const id = await add('a.txt', 'text/plain', Buffer.from('Open from seven.'));
    await test.store.agentDocuments.remove(accountId, agentId, id);
    expect(await index(id)).toBe('gone');
  });

  it('is too much where the agent has enough already, also at the same time', async () => {
    const text = Buffer.from('word '.repeat(AGENT_CHARACTERS_MAX / 10));
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => add(name, 'text/plain', text.subarray(0, 900_000))));
    const outcomes = await Promise.all(ids.map((id) => index(id)));
    expect(outcomes.sort()).toEqual(['failed', 'ready', 'ready']);
    const rows = await test.store.agentDocuments.list(accountId, agentId);
    expect(rows.filter(({ reason }) => reason === 'agent_full')).toHaveLength(1);
  });
});
