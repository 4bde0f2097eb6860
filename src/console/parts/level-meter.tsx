import { useEffect, useRef } from 'react';
import type { Level } from '../audio/levels.ts';
import classes from './level-meter.module.css';

/** How loud something is, drawn past React: twenty times a second. Nothing for screen readers, which would read nothing else. */
export function LevelMeter({ level, colour }: { level: Level; colour: string }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      level.watch((share) => {
        bar.current?.style.setProperty('--share', share.toFixed(2));
      }),
    [level],
  );
  return (
    <div className={classes['track']} aria-hidden>
      <div ref={bar} className={classes['bar']} style={{ background: colour }} />
    </div>
  );
}
