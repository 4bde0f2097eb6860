import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { type FieldPath, valueAt } from '../../../../config/agent-text/yaml-document.ts';
import type { DraftState, DraftStore } from '../model/draft-store.ts';
import { type Finding, within } from '../model/findings.ts';

/** What every part of the editor knows. */
export interface Editing {
  readonly agentId: string;
  readonly store: DraftStore;
  readonly findings: readonly Finding[];
  readonly canEdit: boolean;
  /** The language the agent speaks by itself, and the other one. */
  readonly language: Language;
  /** Shows in the YAML where a field is written. */
  readonly show: (path: FieldPath) => void;
  /** What was asked for last, by a finding or from the YAML: lists open what holds it. */
  readonly wanted: { readonly path: FieldPath } | undefined;
}
export type Language = 'ar' | 'en';
export const otherThan = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error('nothing is edited');
  return editing;
}

/** A part of the draft; shown anew only where it has changed. `pick` answers the same part for the same state. */
export function useDraft<T>(store: DraftStore, pick: (state: DraftState) => T): T {
  return useSyncExternalStore(store.watch, () => pick(store.state()));
}

/** The value of a field, and how it is changed; `undefined` takes the field away. */
export function useField(path: FieldPath): readonly [unknown, (value: unknown) => void] {
  const { store } = useEditing();
  const value = useDraft(store, (state) => valueAt(state.value, path));
  const key = JSON.stringify(path);
  const set = useCallback((next: unknown) => void store.setField(JSON.parse(key) as FieldPath, next), [store, key]);
  return [value, set];
}

/** What was found about a field and what is in it. */
export function useFindings(path: FieldPath): readonly Finding[] {
  return within(useEditing().findings, path);
}

/** Whether the form may change something now: not for viewers, and not while the text cannot be read. */
export function useCanChange(): boolean {
  const { store, canEdit } = useEditing();
  return useDraft(store, ({ parsed }) => parsed.problems.length === 0) && canEdit;
}
