import type { KeptPhone } from '../core/registration.ts';
import type { Phone } from '../core/trunk.ts';
import type { DigestUser } from './authenticator.ts';

/** A phone that may register. */
export interface PhoneUser extends DigestUser {
  readonly phone: Phone;
}

/** Which phones there are: the rows of the database. */
export interface PhoneDirectory {
  /** By the name it registers as. Rejects where the database is away; takes as long for a name that nobody has. */
  digestOf(username: string): Promise<PhoneUser | undefined>;
}

/** Where bindings are kept. May reject, and may take long. */
export interface RegistrationKeeper {
  load(): Promise<readonly KeptPhone[]>;
  save(phones: readonly KeptPhone[]): Promise<void>;
}
