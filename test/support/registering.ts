import { randomToken } from '../../src/core/ids.ts';
import { authorize, parseChallenges } from '../../src/sip/digest.ts';
import type { OddCaller } from './odd-caller.ts';
import { until } from './until.ts';

export interface Asked {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

export interface Asking {
  readonly authorization?: string;
  readonly to?: string; // whose address it is, where not its own
  readonly contacts?: readonly number[]; // each so many ports above its own
  readonly callId?: string;
  readonly cseq?: number;
}

export function registerOf(sipPort: number, from: OddCaller, user: string, asking: Asking = {}): Buffer {
  const { authorization, to = user, contacts = [0], callId = randomToken(8), cseq = 1 } = asking;
  const headers = {
    From: `<sip:${user}@nidaa>;tag=${randomToken(4)}`,
    To: `<sip:${to}@nidaa>`,
    Contact: contacts.map((n) => `<sip:${user}@${from.address}:${from.port + n}>`).join(', '),
    Expires: '120',
    'Call-ID': callId,
    CSeq: `${cseq} REGISTER`,
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  return from.message({ method: 'REGISTER', port: sipPort, headers });
}

/** Sends a REGISTER and waits for its answer. */
export async function register(sipPort: number, from: OddCaller, user: string, asking: Asking = {}): Promise<Asked> {
  const before = from.answers.length;
  const startMs = performance.now();
  from.send(registerOf(sipPort, from, user, asking), sipPort);
  const text = await until(() => from.answers[before], 'an answer to REGISTER');
  return { status: Number(text.slice(8, 11)), ms: performance.now() - startMs, text };
}

/** Answers the challenge of `asked` for a REGISTER. */
export function answerTo(sipPort: number, { text }: Asked, username: string, password: string): string {
  const offered = [...text.matchAll(/^WWW-Authenticate: (.*)\r$/gim)].flatMap(([, value = '']) =>
    parseChallenges(value),
  );
  const challenge = offered.find(({ algorithm }) => algorithm === 'MD5') ?? offered[0]!;
  const uri = `sip:1000@127.0.0.1:${sipPort}`;
  const request = { method: 'REGISTER', uri, body: '', nonceCount: 1, clientNonce: randomToken(8) };
  return authorize(challenge, { username, password }, request);
}
