import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, askTagged, type OperationId } from '../../../api/client.ts';
import type { DraftStore } from '../model/draft-store.ts';
import { isChanged } from '../model/draft-store.ts';
import type { Agent, Loaded } from './open-draft.ts';
import { baseOf } from './open-draft.ts';

export type Work = 'save' | 'publish' | 'pause' | 'delete' | 'restore';
export interface Saving {
  /** The agent as it is saved. */
  readonly agent: Agent;
  readonly busy: Work | undefined;
  readonly error: ApiError | undefined;
  /** What somebody else has saved meanwhile. */
  readonly theirs: Loaded | undefined;
  /** @returns whether it was done. */
  save(): Promise<boolean>;
  publish(): Promise<boolean>;
  pause(): Promise<boolean>;
  restore(version: number): Promise<boolean>;
  /** @throws ApiError. */
  remove(): Promise<void>;
  /** What others saved becomes what the draft is compared with, and `text` the draft. */
  settle(text: string): void;
  forget(): void;
}

const STALE: readonly OperationId[] = ['listAgents', 'listAgentVersions', 'listNumbers', 'getOverview'];

/** What becomes of a draft: saved over what was read, and only over that. */
export function useSaving(store: DraftStore, loaded: Loaded): Saving {
  const client = useQueryClient();
  const [agent, setAgent] = useState(loaded.value);
  const [busy, setBusy] = useState<Work>();
  const [error, setError] = useState<ApiError>();
  const [theirs, setTheirs] = useState<Loaded>();
  const params = { id: agent.id };
  const tagNow = () => ({ ifMatch: store.state().base.tag });

  const done = (saved: Loaded, text?: string) => {
    setAgent(saved.value);
    const { value } = store.state();
    const base = baseOf(saved);
    // What was typed is kept as it was typed, where it says what was saved.
    store.setBase({ ...base, text: text ?? base.text, value }, text ?? base.text);
    for (const one of STALE) void client.invalidateQueries({ queryKey: [one] });
  };
  const work = async (name: Work, run: () => Promise<void>): Promise<boolean> => {
    setBusy(name);
    setError(undefined);
    try {
      await run();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.code === 'edited_meanwhile') await look(thrown);
      else setError(thrown);
      return false;
    } finally {
      setBusy(undefined);
    }
  };
  const look = async (first: ApiError) => {
    try {
      setTheirs(await askTagged('getAgent', { params }));
    } catch (thrown) {
      setError(thrown instanceof ApiError ? thrown : first);
    }
  };
  const put = async () => {
    store.read();
    const { text, parsed } = store.state();
    const [problem] = parsed.problems;
    if (problem) throw new ApiError('unreadable', problem.message, 422, undefined, problem.notice);
    done(await askTagged('changeAgent', { params, body: { yaml: text } }, tagNow()), text);
  };
  const state = async (id: 'publishAgent' | 'pauseAgent') => {
    const { text, base } = store.state();
    const after = await askTagged(id, { params }, tagNow());
    setAgent(after.value);
    store.setBase({ ...base, tag: after.tag, version: after.value.version }, text);
    for (const one of STALE) void client.invalidateQueries({ queryKey: [one] });
  };
  return {
    ...{ agent, busy, error, theirs },
    save: () => work('save', put),
    publish: () =>
      work('publish', async () => {
        if (isChanged(store.state())) await put();
        await state('publishAgent');
      }),
    pause: () => work('pause', () => state('pauseAgent')),
    restore: (version) =>
      work('restore', async () => {
        done(await askTagged('restoreAgentVersion', { params, body: { version } }, tagNow()));
      }),
    remove: async () => {
      await askTagged('deleteAgent', { params }, tagNow());
      for (const one of STALE) void client.invalidateQueries({ queryKey: [one] });
    },
    settle: (text) => {
      if (!theirs) return;
      setAgent(theirs.value);
      store.setBase(baseOf(theirs), text);
      setTheirs(undefined);
    },
    forget: () => {
      setError(undefined);
      setTheirs(undefined);
    },
  };
}
