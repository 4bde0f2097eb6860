import classes from './bar.module.css';

/** How much something is beside others; its figure stands next to it. `share` is 0..1. */
export function Bar({ share, colour = 'var(--agent)' }: { share: number; colour?: string }) {
  return (
    <div className={classes['bar']} aria-hidden>
      <div style={{ inlineSize: `${Math.min(1, Math.max(0, share)) * 100}%`, background: colour }} />
    </div>
  );
}
