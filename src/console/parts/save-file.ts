import { reach } from '../api/client.ts';

/** Saves a file of the gateway, asked for as everything is: by the account that is looked at. @throws ApiError. */
export async function saveFile(address: string, name: string): Promise<void> {
  const answer = await reach(address);
  const held = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = held;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(held), 60_000); // a browser may still be reading it
}
