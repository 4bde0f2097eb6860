import type { AppPort } from '../control/app-port.ts';
import type { Dialog } from './dialog.ts';

/** Every dialog alive, by its SIP key and by the name the application uses. */
export class DialogStore {
  readonly #byKey = new Map<string, Dialog>();
  /** Forks of one INVITE share the application's name. */
  readonly #byId = new Map<string, Set<Dialog>>();

  /** @param onTerminated - told once of each dialog that ended, after it left the store. */
  constructor(
    readonly capacity: number,
    private readonly onTerminated: (dialog: Dialog) => void = () => undefined,
  ) {}

  get size(): number {
    return this.#byKey.size;
  }

  /** @returns false when full: the request that would make the dialog must be refused. */
  add(dialog: Dialog): boolean {
    if (this.#byKey.size >= this.capacity) return false;
    this.#byKey.set(key(dialog.callId, dialog.localTag, dialog.remoteTag), dialog);
    const same = this.#byId.get(dialog.id) ?? new Set();
    this.#byId.set(dialog.id, same.add(dialog));
    dialog.onState = (state) => {
      if (state !== 'terminated') return;
      this.remove(dialog);
      this.onTerminated(dialog);
    };
    return true;
  }

  /** By the three parts of a dialog identifier (RFC 3261 §12), seen from our side. All three must match. */
  find(callId: string, localTag: string, remoteTag: string): Dialog | undefined {
    return this.#byKey.get(key(callId, localTag, remoteTag));
  }

  /** The dialog an application means: the confirmed one, else the newest early one. */
  byId(id: string): Dialog | undefined {
    let found: Dialog | undefined;
    for (const dialog of this.#byId.get(id) ?? []) {
      if (dialog.state === 'confirmed') return dialog;
      found = dialog;
    }
    return found;
  }

  /** All forks under one name, oldest first. */
  forks(id: string): readonly Dialog[] {
    return [...(this.#byId.get(id) ?? [])];
  }

  /** A live dialog with this Call-ID whose other parts do not matter: for requests that name no dialog. */
  byCallId(callId: string, app: AppPort): Dialog | undefined {
    for (const dialog of this.#byKey.values()) if (dialog.callId === callId && dialog.app === app) return dialog;
    return undefined;
  }

  of(app: AppPort): readonly Dialog[] {
    return [...this.#byKey.values()].filter((dialog) => dialog.app === app);
  }

  all(): readonly Dialog[] {
    return [...this.#byKey.values()];
  }

  remove(dialog: Dialog): void {
    const own = key(dialog.callId, dialog.localTag, dialog.remoteTag);
    if (this.#byKey.get(own) === dialog) this.#byKey.delete(own);
    const same = this.#byId.get(dialog.id);
    same?.delete(dialog);
    if (same?.size === 0) this.#byId.delete(dialog.id);
  }
}

function key(callId: string, localTag: string, remoteTag: string): string {
  return `${callId} ${localTag} ${remoteTag}`;
}
