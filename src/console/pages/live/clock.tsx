import { useEffect, useRef } from 'react';
import { useFormat } from '../../i18n/use-format.ts';
import { Ltr } from '../../parts/text.tsx';

const TICK_MS = 1_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `watcher` each second, with all others at once. */
export function everySecond(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    for (const one of [...watchers]) one();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** How long since; written by itself each second: nothing else is drawn anew for it. */
export function Clock({ since, until }: { since: string; until: number | undefined }) {
  const format = useFormat();
  const shown = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = () => {
      if (shown.current) shown.current.textContent = format.clock((until ?? Date.now()) - Date.parse(since));
    };
    write();
    return until === undefined ? everySecond(write) : undefined;
  }, [format, since, until]);
  return (
    <Ltr>
      <span ref={shown} className="figures" role="timer" aria-live="off" />
    </Ltr>
  );
}
