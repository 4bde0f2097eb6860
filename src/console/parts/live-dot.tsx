import classes from './live-dot.module.css';

/** Something goes on now. Without a label it stands beside words that say so. */
export function LiveDot({ label, inlineEnd }: { label?: string; inlineEnd?: string }) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return <span className={classes['dot']} style={{ marginInlineEnd: inlineEnd }} {...named} />;
}
