import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Over the whole width: a bar. */
  readonly below?: ReactNode;
}

/** Names and their values, which line up at the end. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map(({ name, value, below }) => (
        <div key={name} className={classes['fact']}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
          {below !== undefined && <dd className={classes['below']}>{below}</dd>}
        </div>
      ))}
    </dl>
  );
}
