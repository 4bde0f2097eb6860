import { Progress } from '@mantine/core';

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
  return <Progress value={used * 100} color={colour} size={6} mt={4} aria-label={label} />;
}
