import { type RefObject, useEffect } from 'react';

/** J and K go from call to call, Enter opens the one that has the focus, `/` goes to the search. */
export function useListKeys(list: RefObject<HTMLElement | null>, search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const within = event.target instanceof Element ? event.target : document.body;
      if (within.closest('input, textarea, select, [role="dialog"], [role="listbox"]')) return;
      if (event.key === '/') {
        event.preventDefault();
        search.current?.focus();
        search.current?.select();
        return;
      }
      // By the place of the key: an Arabic keyboard has other letters there.
      const step = { KeyJ: 1, KeyK: -1 }[event.code];
      if (step === undefined) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>('a[data-call]') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list, search]);
}
