/** Unsaved changes of a tab: they outlive a reload and a way to another page and back, and end with the tab. */
export interface KeptDraft {
  readonly text: string;
  /** What they began with. */
  readonly base: { readonly text: string; readonly tag: string | undefined; readonly version: number };
}
/** The storage of a tab. */
interface Place {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

const keyOf = (agentId: string): string => `nidaa.draft.${agentId}`;

export function keptDraft(agentId: string, place: Place): KeptDraft | undefined {
  try {
    const read = JSON.parse(place.getItem(keyOf(agentId)) ?? 'null') as KeptDraft | null;
    return typeof read?.text === 'string' && typeof read.base?.text === 'string' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** @returns false where there is no room for it. */
export function keepDraft(agentId: string, draft: KeptDraft | undefined, place: Place): boolean {
  try {
    if (draft) place.setItem(keyOf(agentId), JSON.stringify(draft));
    else place.removeItem(keyOf(agentId));
    return true;
  } catch {
    return false;
  }
}
