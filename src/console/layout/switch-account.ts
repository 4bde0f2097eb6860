import { chooseAccount } from '../api/client.ts';

/** Looks at another account, from the beginning: nothing that was shown of one is left for the other. Without an id, at the own one. */
export function switchAccount(id: string | undefined): void {
  chooseAccount(id);
  location.assign('/console/');
}
