import { useEffect, useRef } from 'react';

export interface CallKeys {
  toggle(): void;
  by(ms: number): void;
  step(by: 1 | -1): void;
  zoom(by: number): void;
}
const JUMP_MS = 5_000;

/** Keys of the page, where nothing is being typed and no button has them. */
export function useCallKeys(keys: CallKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const within = event.target instanceof Element ? event.target : document.body;
      if (within.closest('input, textarea, select, [role="dialog"], [role="menu"], [role="radiogroup"]')) return;
      const act = actOf(event, current.current, within.closest('button, a') !== null);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** By the place of a key where it is a letter: an Arabic keyboard has others there. */
function actOf(event: KeyboardEvent, keys: CallKeys, isOnButton: boolean): (() => void) | undefined {
  if (event.key === ' ') return isOnButton ? undefined : keys.toggle;
  if (event.key === 'ArrowRight') return () => keys.by(JUMP_MS);
  if (event.key === 'ArrowLeft') return () => keys.by(-JUMP_MS);
  if (event.code === 'KeyJ') return () => keys.step(1);
  if (event.code === 'KeyK') return () => keys.step(-1);
  if (event.key === '+' || event.key === '=') return () => keys.zoom(0.5);
  if (event.key === '-') return () => keys.zoom(2);
  return undefined;
}
