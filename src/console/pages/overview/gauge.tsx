import classes from './gauge.module.css';

type Grade = 'good' | 'slow' | 'bad';
interface Props {
  readonly from: number;
  readonly to: number;
  /** From `from` on, each as far as its end; the last one ends at `to`. */
  readonly zones: readonly { readonly grade: Grade; readonly until: number }[];
  readonly value: number | null;
  /** How far it goes at its worst. */
  readonly worst?: number | null;
}

/** Where a figure stands between good and bad; the figure itself stands beside it. */
export function Gauge({ from, to, zones, value, worst }: Props) {
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  let before = from;
  return (
    <div className={classes['gauge']} dir="ltr" aria-hidden>
      {zones.map(({ grade, until }) => {
        const size = share(until) - share(before);
        before = until;
        return (
          <span
            key={grade}
            className={classes['zone']}
            data-grade={value === null ? undefined : grade}
            style={{ flexGrow: size }}
          />
        );
      })}
      {value !== null && worst != null && (
        <span
          className={classes['reach']}
          style={{
            insetInlineStart: `${100 * Math.min(share(value), share(worst))}%`,
            inlineSize: `${100 * Math.abs(share(worst) - share(value))}%`,
          }}
        />
      )}
      {value !== null && <span className={classes['mark']} style={{ insetInlineStart: `${100 * share(value)}%` }} />}
    </div>
  );
}
