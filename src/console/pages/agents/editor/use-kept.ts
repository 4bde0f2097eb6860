import { useEffect } from 'react';
import { type DraftStore, isChanged } from '../model/draft-store.ts';
import { keepDraft } from '../model/kept-draft.ts';

const REST_MS = 300;

/** Keeps unsaved changes with the tab, and has the browser ask before it is closed over them. */
export function useKept(agentId: string, store: DraftStore): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      const state = store.state();
      const { text, tag, version } = state.base;
      keepDraft(
        agentId,
        isChanged(state) ? { text: state.text, base: { text, tag, version } } : undefined,
        sessionStorage,
      );
    };
    const stop = store.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(keep, REST_MS);
    });
    const warn = (event: BeforeUnloadEvent) => {
      keep();
      if (isChanged(store.state())) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      stop();
      clearTimeout(timer);
      keep();
      window.removeEventListener('beforeunload', warn);
    };
  }, [agentId, store]);
}
