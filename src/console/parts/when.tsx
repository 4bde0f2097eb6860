import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/use-format.ts';

const TICK_MS = 15_000;
const watchers = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const one of [...watchers]) one();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now, moved on for all of the page together. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => nowMs);
}

/** How long ago, or how long until; the moment itself when it is pointed at. */
export function Ago({ iso }: { iso: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  if (iso === null) return <span style={{ color: 'var(--quiet)' }}>{t('never')}</span>;
  // What has come since the last tick is not yet to come.
  const at = Date.parse(iso) - now > 0 && Date.parse(iso) <= Date.now() ? new Date(now).toISOString() : iso;
  return (
    <time dateTime={iso} title={format.dateTime(iso)} style={{ whiteSpace: 'nowrap' }}>
      {format.ago(at, now)}
    </time>
  );
}
