import type { FastifyRequest } from 'fastify';
import { BASE_URL, SOCKET_URL } from './samples.ts';

/** A name or address with an optional port, and nothing that means something to a shell, a program or a page. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The address the reference was asked at. Behind a proxy that speaks TLS, `X-Forwarded-Proto` says so. */
export function addressOf(request: Pick<FastifyRequest, 'headers'>): string {
  const { host = '', 'x-forwarded-proto': forwarded } = request.headers;
  const scheme = forwarded === 'https' ? 'https' : 'http';
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}`;
}

/** The text of a reference with its samples at `address`. */
export function atAddress(text: string, address: string): string {
  return text.replaceAll(BASE_URL, address).replaceAll(SOCKET_URL, address.replace(/^http/, 'ws'));
}
