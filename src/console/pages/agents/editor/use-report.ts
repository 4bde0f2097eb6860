import { useEffect, useMemo, useState } from 'react';
import { ApiError, ask } from '../../../api/client.ts';
import type { DraftStore } from '../model/draft-store.ts';
import { type Finding, findingsOf, type Report } from '../model/findings.ts';
import { useDraft } from './draft-context.ts';

const REST_MS = 600;

export interface Checked {
  readonly findings: readonly Finding[];
  /** Share of the words that a voice says as meant; undefined until it is known. */
  readonly coverage: number | undefined;
  readonly isChecking: boolean;
  /** The gateway could not check. */
  readonly error: ApiError | undefined;
}

/** What the gateway finds about the draft, asked when it rests; of an older draft until then. */
export function useReport(store: DraftStore, isWanted: boolean): Checked {
  const value = useDraft(store, (state) => state.value);
  const parsed = useDraft(store, (state) => state.parsed);
  const [report, setReport] = useState<{ readonly of: unknown; readonly report?: Report; readonly error?: ApiError }>();
  // One check at a time: the gateway makes the whole agent ready for each.
  const [asked, setAsked] = useState<unknown>();
  const isAsking = asked !== undefined && report?.of !== asked;
  useEffect(() => {
    if (!isWanted || isAsking || value === asked) return undefined;
    const timer = setTimeout(() => {
      setAsked(value);
      ask('checkAgent', { body: { definition: value as never } }).then(
        (found) => setReport({ of: value, report: found as Report }),
        (error: unknown) =>
          setReport({
            of: value,
            error: error instanceof ApiError ? error : new ApiError('unreachable', String(error), 0),
          }),
      );
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [value, isWanted, isAsking, asked]);
  const findings = useMemo(() => findingsOf(parsed, report?.report), [parsed, report]);
  return {
    ...{ findings, coverage: report?.report?.pronunciation?.coverage, error: report?.error },
    isChecking: isWanted && report?.of !== value,
  };
}
