import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { tortureMessage } from './torture-messages.ts';
import { until } from './until.ts';

/** Where the messages of RFC 4475 ask to be answered: the ports in their Via, at the address that they come from. */
const PORTS = [5060, 5050, 5061, 5070];
const ANSWER_MS = 1_500;

/** Sends the messages of RFC 4475 to a gateway, and hears how each is answered. */
export class TortureListener {
  #heard: string[] = [];
  private constructor(private readonly sockets: readonly Socket[]) {
    for (const socket of sockets) socket.on('message', (data) => this.#heard.push(data.toString('latin1')));
  }

  static async open(address: string): Promise<TortureListener> {
    const sockets = PORTS.map(() => createSocket('udp4'));
    for (const [index, socket] of sockets.entries()) {
      socket.bind(PORTS[index], address);
      await once(socket, 'listening');
    }
    return new TortureListener(sockets);
  }

  /** @returns the final status; undefined where nothing came. */
  async answerTo(name: string, sipPort: number): Promise<number | undefined> {
    const message = ofItsOwn(tortureMessage(name), name);
    const callId = callIdOf(message.toString('latin1'));
    this.#heard = [];
    this.sockets[0]!.send(message, sipPort, '127.0.0.1');
    const final = (): number | undefined =>
      this.#heard
        .filter((text) => callIdOf(text) === callId)
        .map((text) => Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1]))
        .find((status) => status >= 200);
    return until(final, `an answer to ${name}`, ANSWER_MS).catch(() => undefined);
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }
}

const callIdOf = (text: string): string | undefined => /^(?:Call-ID|i)[ \t]*:\s*(\S+)/im.exec(text)?.[1];

/** Some of them share a branch, and would be one transaction (RFC 3261 §17.2.3). */
const ofItsOwn = (message: Buffer, name: string): Buffer =>
  Buffer.from(message.toString('latin1').replace('z9hG4bKkdjuw', `z9hG4bKkdjuw${name}`), 'latin1');
