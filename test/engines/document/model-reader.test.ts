import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentAnswer } from '../../../src/engines/document/contract.ts';
import type { EngineSet } from '../../../src/engines/engine-set.ts';
import { claimOf } from '../../../src/engines/openai/document-model.ts';
import { type ChatEnginesOptions, chatEngines } from '../../support/chat-engines.ts';
import { ChatTestServer, refuses, says } from '../../support/chat-server.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';

const TEXT = [
  'Staff handbook',
  '',
  'Annual leave is thirty days for every employee.',
  'The zebra fee is 1,250 riyals and is paid at the desk.',
  'Contact: Mr Khalid Al-Harbi, phone 0551234567, IBAN SA0380000000608010167519.',
  'Visitors without a badge are not admitted after 18:00.',
].join('\n');
const NOT_ANSWERED = {
  answer: 'The document does not contain the answer to this question.',
  quotes: [],
  answered: false,
};

let server: ChatTestServer;
/** By their options: a new set starts a thread that reads documents. */
const opened = new Map<string, Promise<EngineSet>>();
beforeAll(async () => {
  server = await ChatTestServer.start();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  for (const engines of opened.values()) await (await engines).close();
  await server.close();
});

async function ask(question: string, options: ChatEnginesOptions = {}): Promise<DocumentAnswer> {
  const key = JSON.stringify(options);
  if (!opened.has(key)) opened.set(key, chatEngines(server, options));
  const engines = await opened.get(key)!;
  const file = Buffer.from(TEXT);
  return engines.documents!.ask({ file, mimeType: 'text/plain', question }, new AbortController().signal);
}
const claims = (answer: string, quotes: readonly string[], answered = true): void => {
  server.answer = says(JSON.stringify({ answered, answer, quotes }));
};
const FEE = 'What is the zebra fee?';
const FEE_LINE = 'The zebra fee is 1,250 riyals and is paid at the desk.';

describe('a model reads the document', () => {
  it('and is believed where it quotes a line', async () => {
    claims('The zebra fee is 1,250 riyals.', [FEE_LINE]);
    expect(await ask(FEE)).toEqual({ answer: 'The zebra fee is 1,250 riyals.', quotes: [FEE_LINE], answered: true });
    const [request] = server.requests;
    expect(JSON.parse(request!.body)).toMatchObject({ temperature: 0, response_format: { type: 'json_object' } });
  });

  it('and may say that the document is silent', async () => {
    claims('', [], false);
    expect(await ask(FEE)).toEqual(NOT_ANSWERED);
  });

  it('is not asked about a document that says nothing of the question', async () => {
    expect((await ask('Who won the football match in Lisbon?')).answered).toBe(false);
    expect(server.requests).toEqual([]);
  });

  it('sees no personal value, and its answer has them again', async () => {
    server.answer = (response, received) => {
      const { messages } = JSON.parse(received.body) as { messages: { content: string }[] };
      const line = /Contact: .*/.exec(messages[1]!.content)![0];
      const [phone] = /\[Phone Number \d+\]/.exec(line)!;
      says(JSON.stringify({ answered: true, answer: `The contact has the phone ${phone}.`, quotes: [line] }))(
        response,
        received,
      );
    };
    expect(await ask('What is the phone number of the contact?')).toEqual({
      answer: 'The contact has the phone 0551234567.',
      quotes: ['Contact: Mr Khalid Al-Harbi, phone 0551234567, IBAN SA0380000000608010167519.'],
      answered: true,
    });
    expect(server.received).not.toMatch(/Khalid|Harbi|0551234567|608010167519/);
  });
});

describe('a lying model', () => {
  it.each<{ name: string; answer: string; quotes: string[] }>([
    { name: 'makes up a quote', answer: 'It is free.', quotes: ['The zebra fee is waived.'] },
    { name: 'quotes nothing', answer: 'It is 1,250 riyals.', quotes: [] },
    { name: 'changes a figure', answer: 'It is 9,999 riyals.', quotes: [FEE_LINE] },
    {
      name: 'changes a figure in the quote',
      answer: 'It is 1,350 riyals.',
      quotes: ['The zebra fee is 1,350 riyals and is paid at the desk.'],
    },
    { name: 'joins two passages', answer: 'Thirty.', quotes: ['employee. The zebra fee'] },
    { name: 'names a placeholder that it was never given', answer: 'Call [Phone Number 7].', quotes: [FEE_LINE] },
  ])('that $name is not believed', async ({ answer, quotes }) => {
    claims(answer, quotes);
    expect(await ask(FEE)).toMatchObject({ quotes: [FEE_LINE], answered: true });
    expect((await ask(FEE)).answer).not.toBe(answer);
    expect(await ask(FEE, { document: ['openai'] })).toEqual(NOT_ANSWERED);
  });

  it.each([
    ['turns a line into its opposite', 'The zebra fee is not paid at the desk.'],
    ['talks of something else', 'Elephants travel abroad every second winter.'],
  ])('that %s lets the line speak for itself', async (_, answer) => {
    claims(answer, [FEE_LINE]);
    expect(await ask(FEE)).toEqual({ answer: FEE_LINE, quotes: [FEE_LINE], answered: true });
  });
});

describe('without an answer of the model', () => {
  it.each([
    ['refuses', refuses(500), 'answer_failed'],
    ['writes no JSON', says('I think it is free.'), 'answer_failed'],
    ['hangs up', (response: { destroy(): void }) => response.destroy(), 'unavailable'],
  ] as const)('that %s retrieval answers where it may', async (_, answer, code) => {
    server.answer = answer;
    expect(await ask(FEE)).toMatchObject({ quotes: [FEE_LINE], answered: true });
    await expect(ask(FEE, { document: ['openai'] })).rejects.toMatchObject({
      name: 'ServiceError',
      code,
    });
  });

  it.runIf(EVERY_TEST)('what may not leave is not sent', async () => {
    const secret = 'My password is hunter2. What is the zebra fee?';
    const blocked = await ask(secret, { openai: { documentPrivacy: 'block' } });
    expect(blocked).toEqual(await ask(secret, { document: ['retrieval'] }));
    expect(server.requests).toEqual([]);
  });
});

describe('engines.document', () => {
  it('names engines that exist', async () => {
    await expect(chatEngines(server, { document: ['parrot'] })).rejects.toThrow('engines.document: expected one of');
    const none = await chatEngines(server, { document: ['none'] });
    expect(none.documents).toBeUndefined();
    await none.close();
  });
});

describe('claimOf', () => {
  const claim = { answered: true, answer: 'a', quotes: ['q'] };
  const json = JSON.stringify(claim);
  it.each([
    ['bare', json, claim],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``, claim],
    ['after thoughts', `<think>{"answered": false}</think>${json}`, claim],
    [
      'of wrong types',
      '{"answered":"yes","answer":5,"quotes":[1,"q",null]}',
      { answered: false, answer: '', quotes: ['q'] },
    ],
    ['empty', '{}', { answered: false, answer: '', quotes: [] }],
  ])('%s', (_, text, expected) => {
    expect(claimOf(text)).toEqual(expected);
  });
  it.each(['', 'no', '[1]', '{"a":'])('%j is none', (text) => {
    expect(() => claimOf(text)).toThrow('garbage');
  });
});
