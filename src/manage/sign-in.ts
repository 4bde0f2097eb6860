import type { FastifyReply, FastifyRequest } from 'fastify';
import { TokenBuckets } from '../api/token-bucket.ts';
import { ServiceError } from '../core/errors.ts';
import { emailAddress, PASSWORD_CHARS } from '../core/management.ts';
import type { Person } from '../store/people.ts';
import type { ManageDeps } from './deps.ts';
import { ManageError } from './manage-error.ts';
import { setSessionCookie } from './who.ts';

/** Attempts: of one name from one address, of one name from anywhere, and from one address for any name. */
const RULES = {
  pair: { perMinute: 5, burst: 5 },
  name: { perMinute: 20, burst: 20 },
  address: { perMinute: 30, burst: 30 },
} as const;

/** Lets people in by e-mail and password: unknown people, wrong passwords and people without one take as long, and read the same. */
export class SignIn {
  readonly #pairs = new TokenBuckets(RULES.pair);
  readonly #names = new TokenBuckets(RULES.name);
  readonly #addresses = new TokenBuckets(RULES.address);

  constructor(private readonly deps: ManageDeps) {}

  /** @throws ManageError `wrong_sign_in`; ServiceError `rate_limited`, `unavailable`. */
  async byPassword(request: FastifyRequest, reply: FastifyReply, written: string, password: string): Promise<Person> {
    const { store, passwords } = this.deps;
    const email = emailAddress(written) ?? '';
    this.#count(request, reply, email);
    const found = await store.people.byEmail(email);
    const isRight = await passwords.matches(password.slice(0, PASSWORD_CHARS.max + 1), found?.passwordHash);
    if (!found || !isRight) throw new ManageError('wrong_sign_in');
    await this.open(request, reply, found.person.id);
    return (await store.people.get(found.person.accountId, found.person.id))!;
  }

  /** Counts one attempt to find something out. @throws ServiceError `rate_limited`. */
  count(request: FastifyRequest, reply: FastifyReply): void {
    this.#count(request, reply, '');
  }

  /** A session for somebody who has shown who it is. @returns its id. */
  async open(request: FastifyRequest, reply: FastifyReply, personId: string): Promise<string> {
    const { store } = this.deps;
    const from = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const { secret, session } = await store.personAccess.createSession(personId, from);
    await store.people.signedIn(personId);
    setSessionCookie(request, reply, secret);
    return session.id;
  }

  #count({ ip }: FastifyRequest, reply: FastifyReply, email: string): void {
    const nowMs = this.deps.clock.nowMs();
    const asked = [
      this.#addresses.take(ip, nowMs),
      ...(email === '' ? [] : [this.#pairs.take(`${email} ${ip}`, nowMs), this.#names.take(email, nowMs)]),
    ];
    const refused = asked.filter(({ allowed }) => !allowed);
    if (refused.length === 0) return;
    reply.header('retry-after', Math.max(...refused.map(({ retrySeconds }) => retrySeconds)));
    throw new ServiceError('rate_limited');
  }
}

/** @throws ManageError `weak_password`, ServiceError `invalid_request`. */
export function requireGoodPassword(password: string): void {
  const characters = [...password].length;
  if (characters < PASSWORD_CHARS.min) throw new ManageError('weak_password');
  if (characters > PASSWORD_CHARS.max) {
    throw new ServiceError('invalid_request', `password must have at most ${PASSWORD_CHARS.max} characters`);
  }
}
