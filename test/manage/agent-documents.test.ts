import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexDocument } from '../../src/jobs/index-document.ts';
import { documentName, savedAs } from '../../src/manage/document-name.ts';
import { type Answered, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION, foreignThings } from '../support/manage-things.ts';
import { patientReader } from '../support/patient-reader.ts';

interface Document {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly state: string;
  readonly reason: string | null;
  readonly pages: number | null;
  readonly words: number | null;
  readonly excerpt: string | null;
}
interface Listed {
  readonly items: readonly Document[];
  readonly used: { readonly characters: number; readonly account_bytes: number };
}
interface Refused {
  readonly error: { readonly code: string; readonly message: string };
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MB = 1024 * 1024;
const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/documents/${name}`, import.meta.url));

let rig: ManageRig;
let agent: string;
const asked: string[] = [];
const reader = patientReader();
beforeAll(async () => {
  rig = await manageRig(() => ({ documents: { accountBytesMax: 9 * MB, index: (id) => asked.push(id) } }));
});
afterAll(async () => {
  reader.close();
  await rig?.close();
});

let made = 0;
/** An agent of its own for each test. */
const newAgent = async (): Promise<string> => {
  made += 1;
  return (await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: `Bakery ${made}` })).id;
};
const send = async <B = Document>(bytes: Uint8Array, name: string, type = ''): Promise<Answered<B>> => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await fetch(`${rig.url}/manage/v1/agents/${agent}/documents`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${rig.key}` }, body: form },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as B };
};
const list = async (): Promise<Listed> => (await rig.ask<Listed>(`GET /agents/${agent}/documents`)).body;

describe('documents of an agent', () => {
  it('are taken as a form and in JSON, read by a job, listed, saved as they were sent, and deleted', async () => {
    agent = await newAgent();
    const pdf = fixture('school-en.pdf');
    const sent = await send(pdf, 'School rules.pdf', 'application/pdf');
    expect([sent.status, sent.body.state, sent.body.type]).toEqual([201, 'queued', 'application/pdf']);
    const json = await rig.ask<Document>(`POST /agents/${agent}/documents`, {
      body: { file: fixture('rental-ar.docx').toString('base64'), filename: 'تأجير.docx' },
    });
    expect([json.status, json.body.name, json.body.type]).toEqual([201, 'تأجير.docx', DOCX]);
    expect(asked).toEqual([sent.body.id, json.body.id]);
    for (const id of asked) expect(await indexDocument(id, { store: rig.store, reader })).toBe('ready');
    const { items, used } = await list();
    expect(items.map(({ name, state }) => [name, state])).toEqual([
      ['School rules.pdf', 'ready'],
      ['تأجير.docx', 'ready'],
    ]);
    expect(items.every(({ words, pages, excerpt }) => words! > 50 && pages! >= 1 && excerpt!.length > 50)).toBe(true);
    expect(used.characters).toBeGreaterThan(1_000);
    expect(used.account_bytes).toBe(pdf.length + fixture('rental-ar.docx').length);

    const saved = await fetch(`${rig.url}/manage/v1/agents/${agent}/documents/${sent.body.id}/file`, {
      headers: { authorization: `Bearer ${rig.key}` },
    });
    expect(Buffer.from(await saved.arrayBuffer()).equals(pdf)).toBe(true);
    expect(saved.headers.get('x-content-type-options')).toBe('nosniff');

    expect((await rig.ask(`DELETE /agents/${agent}/documents/${sent.body.id}`)).status).toBe(204);
    expect((await rig.ask(`GET /agents/${agent}/documents/${sent.body.id}`)).status).toBe(404);
    expect((await list()).items.map(({ name }) => name)).toEqual(['تأجير.docx']);
    expect(await rig.unaudited()).toEqual([]);
  });

  it('of another agent, or another account, are as unknown as none', async () => {
    agent = await newAgent();
    const { body } = await send(Buffer.from('Open from seven.'), 'hours.txt');
    const other = await newAgent();
    const foreign = (await foreignThings(rig)).get('agents')!;
    for (const [id, key] of [
      [other, rig.key],
      [foreign, rig.key],
      [agent, rig.otherKey],
    ] as const) {
      for (const what of ['GET', 'DELETE'])
        expect((await rig.ask(`${what} /agents/${id}/documents/${body.id}`, { key })).status).toBe(404);
      expect((await rig.ask(`GET /agents/${id}/documents/${body.id}/file`, { key })).status).toBe(404);
    }
    expect((await rig.ask(`GET /agents/${agent}/documents/${body.id}`)).status).toBe(200);
  });

  it('go with their agent', async () => {
    agent = await newAgent();
    const { body } = await send(Buffer.from('Open from seven.'), 'hours.txt');
    expect((await rig.ask(`DELETE /agents/${agent}`)).status).toBe(204);
    const { rows } = await rig.store.pool.query('SELECT 1 FROM agent_documents WHERE id = $1', [body.id]);
    expect(rows).toEqual([]);
    expect(
      await rig.store.agentDocuments.add(
        rig.accountId,
        agent,
        { name: 'b', type: 'text/plain', bytes: Buffer.alloc(1) },
        { bytesMax: MB },
      ),
    ).toBeUndefined();
  });

  it.each([
    ['nothing in it', Buffer.alloc(0), 'a.txt', '', 400, 'empty_file'],
    ['more than 8 MB', Buffer.alloc(8 * MB + 1, 'a'), 'a.txt', '', 413, 'file_too_large'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'), 'a.png', 'image/png', 415, 'unsupported_document'],
    ['a program', Buffer.from('MZ\0\0\0', 'latin1'), 'a.exe', '', 415, 'unsupported_document'],
  ])('are refused with %s', async (_name, bytes, name, type, status, code) => {
    agent = await newAgent();
    const { status: got, body } = await send<Refused>(bytes, name, type);
    expect([got, body.error.code]).toEqual([status, code]);
    expect((await list()).items).toEqual([]);
  });

  it('of a name that the agent has, beyond 20, and beyond the bytes of the account are refused', async () => {
    agent = await newAgent();
    const text = Buffer.from('Open from seven.');
    expect((await send(text, 'hours.txt')).status).toBe(201);
    expect((await send<Refused>(text, 'hours.txt')).body.error).toEqual({
      code: 'taken',
      message: 'There is a document hours.txt already.',
    });
    // Two at once, and only one of them fits.
    const big = Buffer.alloc(5 * MB, 'word ');
    const both = await Promise.all([send<Refused>(big, 'a.txt'), send<Refused>(big, 'b.txt')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)!.body.error.message).toContain('bytes of documents');
    for (let count = 2; count < 20; count += 1) expect((await send(text, `${count}.txt`)).status).toBe(201);
    expect((await send<Refused>(text, '21.txt')).body.error.code).toBe('full');
  });

  it('are not taken without the scope, and a repeated request adds one', async () => {
    agent = await newAgent();
    const body = { file: 'T3Blbg==', filename: 'a.txt' };
    const key = await rig.keyWith('read', 'calls', 'account');
    expect((await rig.ask(`POST /agents/${agent}/documents`, { key, body })).status).toBe(403);
    const headers = { 'idempotency-key': 'twice' };
    const first = await rig.ask<Document>(`POST /agents/${agent}/documents`, { body, headers });
    const again = await rig.ask<Document>(`POST /agents/${agent}/documents`, { body, headers });
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect((await list()).items).toHaveLength(1);
  });
});

describe('names of files', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\price list.pdf', 'price list.pdf'],
    ['a\r\nSet-Cookie: x=1.txt', 'a Set-Cookie: x=1.txt'],
    ['\u202egpj.exe\u0000.txt', 'gpj.exe .txt'],
    ['<img src=x onerror=alert(1)>.md', '<img src=x onerror=alert(1)>.md'],
    ['..', 'document'],
    ['', 'document'],
    [undefined, 'document'],
    ['\ud800.txt', '\ufffd.txt'],
    [`${'ب'.repeat(300)}.pdf`, `${'ب'.repeat(196)}.pdf`],
  ])('%j stands as %j', (sent, kept) => {
    expect(documentName(sent)).toBe(kept);
  });

  it.each([
    ['قائمة.pdf', `attachment; filename="_____.pdf"; filename*=UTF-8''%D9%82%D8%A7%D8%A6%D9%85%D8%A9.pdf`],
    [
      `a"; x="(1)*'.txt`,
      `attachment; filename="a__ x__(1)__.txt"; filename*=UTF-8''a%22%3B%20x%3D%22%281%29%2A%27.txt`,
    ],
  ])('%j is saved by the header %j', (name, header) => {
    expect(savedAs(name)).toBe(header);
  });

  it('reach the header of the file as text', async () => {
    agent = await newAgent();
    const { body } = await send(Buffer.from('<script>alert(1)</script> Open.'), 'قائمة "1".html', 'text/html');
    const saved = await fetch(`${rig.url}/manage/v1/agents/${agent}/documents/${body.id}/file`, {
      headers: { authorization: `Bearer ${rig.key}` },
    });
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w .]+"; filename\*=UTF-8''%D9/);
    expect(saved.headers.get('content-security-policy')).toContain('sandbox');
  });
});
