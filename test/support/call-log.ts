import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

interface EndedLine {
  readonly services?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The line of the log that tells of a whole call. */
export async function endedLine(gateway: Pick<Gateway, 'log'>, sipCallId: string): Promise<EndedLine> {
  const found = (): string | undefined =>
    gateway
      .log()
      .split('\n')
      .find((line) => line.includes('"call ended"') && line.includes(sipCallId));
  await until(() => found() !== undefined, 'the log tells of the call');
  return JSON.parse(found()!) as EndedLine;
}
