import classes from './meter.module.css';

interface Props {
  /** 0..1; more is shown as full. */
  readonly share: number;
  /** Of what, for screen readers. */
  readonly label: string;
  /** From these shares on it is slow, and bad. */
  readonly warnAt?: number;
  readonly badAt?: number;
}

/** How much of something is used. Its colour says when that is too much, its length says it as well. */
export function Meter({ share, label, warnAt = 0.75, badAt = 0.9 }: Props) {
  const used = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  const colour = used >= badAt ? 'var(--bad)' : used >= warnAt ? 'var(--slow)' : 'var(--good)';
  return (
    <div
      className={classes['meter']}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used * 100)}
    >
      <div style={{ inlineSize: `${used * 100}%`, background: colour }} />
    </div>
  );
}
