import type { KeptPhone } from '../../src/core/registration.ts';
import type { Phone } from '../../src/core/trunk.ts';
import type { DigestUser } from '../../src/sip/authenticator.ts';
import { authorize, parseChallenges } from '../../src/sip/digest.ts';
import type { RegistrationKeeper } from '../../src/sip/phone-directory.ts';
import { digestHashes } from '../../src/store/phones.ts';

export const REALM = 'nidaa';

/** Phones whose password is `<name>-secret`. */
export function phonesNamed(...names: readonly string[]) {
  const users = new Map<string, DigestUser & { readonly phone: Phone }>(
    names.map((name) => [
      name,
      {
        phone: { id: `pho_${name}`, accountId: 'acc', name, username: name },
        digest: digestHashes(name, REALM, `${name}-secret`),
      },
    ]),
  );
  return { digestOf: (username: string) => Promise.resolve(users.get(username)) };
}

/** The `Authorization` that answers a challenge, with the topmost algorithm. */
export function answerTo(
  challenge: string,
  { user, password, method, uri }: { user: string; password: string; method: string; uri: string },
): string {
  const [first] = parseChallenges(challenge.replaceAll('\r\nWWW-Authenticate:', ','));
  if (!first) throw new Error('no challenge');
  const request = { method, uri, body: '', nonceCount: 1, clientNonce: 'c0ffee' };
  return authorize(first, { username: user, password }, request);
}

/** Keeps what it is told, in memory. */
export class FakeKeeper implements RegistrationKeeper {
  readonly phones = new Map<string, KeptPhone>();
  saves = 0;
  failing = false;
  /** Set: nothing is written until it resolves. */
  held: Promise<void> | undefined;
  load(): Promise<readonly KeptPhone[]> {
    return Promise.resolve([...this.phones.values()]);
  }
  async save(phones: readonly KeptPhone[]): Promise<void> {
    this.saves += 1;
    await this.held;
    if (this.failing) throw new Error('no database');
    for (const phone of phones) {
      if (phone.bindings.length > 0) this.phones.set(phone.phoneId, phone);
      else this.phones.delete(phone.phoneId);
    }
  }
}
