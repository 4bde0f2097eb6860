import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type HostPort, parseHostports } from './own-endpoints.ts';
import type { SipServerAddress } from './srf-wire.ts';

/** What asking a SIP server for entry came to. `silent`: it takes connections and says nothing. */
export type ProbeResult =
  | { readonly state: 'taken'; readonly listens: readonly HostPort[]; readonly version: string }
  | { readonly state: 'refused' }
  | { readonly state: 'silent' }
  | { readonly state: 'away'; readonly why: string };

const ANSWER_CHARACTERS_MAX = 10_000;

/** Connects to a drachtio-server, says the secret, and leaves again: no call goes to such a connection. Never rejects. */
export function probeSipServer({ host, port, secret }: SipServerAddress, timeoutMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    let heard = '';
    const done = (result: ProbeResult): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => {
      const command = `${randomUUID()}|authenticate|${secret}|`;
      socket.write(`${Buffer.byteLength(command)}#${command}`);
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard = (heard + text).slice(0, ANSWER_CHARACTERS_MAX);
      const result = readAnswer(heard);
      if (result) done(result);
    });
    socket.once('timeout', () =>
      done(socket.connecting ? { state: 'away', why: 'no answer in time' } : { state: 'silent' }),
    );
    socket.once('error', (error: NodeJS.ErrnoException) => done({ state: 'away', why: error.code ?? error.message }));
    socket.once('close', () => done({ state: 'silent' }));
  });
}

/** `<length>#<id>|response|<id>|OK|<hostports>|<version>|...` or `NO|<reason>`; undefined while it is not whole. */
function readAnswer(heard: string): ProbeResult | undefined {
  const [length, frame] = [heard.slice(0, heard.indexOf('#')), heard.slice(heard.indexOf('#') + 1)];
  if (!/^[0-9]{1,5}$/.test(length) || Buffer.byteLength(frame) < Number(length)) return undefined;
  const [, , , verdict, hostports = '', version = ''] = frame.split('|', 7);
  return verdict === 'OK' ? { state: 'taken', listens: parseHostports(hostports), version } : { state: 'refused' };
}
