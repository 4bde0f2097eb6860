import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Answer, ApiError, ask, askTagged, type Input } from '../../api/client.ts';

export type Tests = Answer<'getAgentTests'>;
/** What came of a dialogue. */
export type Result = Answer<'getAgentTestRun'>['dialogues'][number];
export interface Loaded {
  readonly value: Tests;
  readonly tag: string | undefined;
}
type Checked = Pick<Tests, 'dialogues' | 'problems'>;

const REST_MS = 600;

export interface Editing {
  readonly text: string;
  readonly isChanged: boolean;
  /** What is in the text, and what is wrong with it; of an older text for a moment. */
  readonly checked: Checked;
  readonly isChecking: boolean;
  readonly isRequired: boolean;
  readonly isSaving: boolean;
  readonly error: ApiError | undefined;
  setText(text: string): void;
  /** @returns whether it is saved. */
  save(): Promise<boolean>;
  require(isRequired: boolean): Promise<boolean>;
  /** Of somebody who saved first: theirs takes the place of what is here, or what is here goes over theirs. */
  takeTheirs(): Promise<void>;
  saveOver(): Promise<boolean>;
}

/** The dialogues of an agent under edit, checked while they are written. */
export function useTests(agentId: string, loaded: Loaded, canEdit: boolean): Editing {
  const client = useQueryClient();
  const [base, setBase] = useState(loaded);
  const [text, setText] = useState(loaded.value.yaml);
  const [checked, setChecked] = useState<{ readonly of: string; readonly found: Checked }>({
    ...{ of: loaded.value.yaml, found: loaded.value },
  });
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<ApiError>();
  const params = { id: agentId };
  useEffect(() => {
    if (!canEdit || checked.of === text) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask('checkAgentTests', { params: { id: agentId }, body: { yaml: text } }, { signal: abort.signal }).then(
        ({ problems, dialogues }) =>
          // A text that cannot be read has none: those of before stay to be seen.
          setChecked(({ found: before }) => ({
            of: text,
            found: { problems, dialogues: problems.length > 0 ? before.dialogues : dialogues },
          })),
        () => undefined, // asked again with the next letter; the same is told when it is saved
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [agentId, canEdit, checked.of, text]);

  const put = async (body: Input<'putAgentTests'>['body'], tag: string | undefined): Promise<boolean> => {
    setSaving(true);
    setError(undefined);
    try {
      const after = await askTagged('putAgentTests', { params, body }, { ...(tag !== undefined && { ifMatch: tag }) });
      setBase(after);
      await client.invalidateQueries({ queryKey: ['getAgentTests'] });
      return true;
    } catch (thrown) {
      setError(thrown instanceof ApiError ? thrown : new ApiError('unreachable', String(thrown), 0));
      return false;
    } finally {
      setSaving(false);
    }
  };
  return {
    ...{ text, setText, isSaving, error, checked: checked.found },
    isChanged: text !== base.value.yaml,
    isChecking: canEdit && checked.of !== text,
    isRequired: base.value.required,
    save: () => put({ yaml: text }, base.tag),
    require: (isRequired) => put({ required: isRequired }, base.tag),
    takeTheirs: async () => {
      const theirs = await askTagged('getAgentTests', { params });
      setBase(theirs);
      setText(theirs.value.yaml);
      setError(undefined);
    },
    saveOver: async () => put({ yaml: text }, (await askTagged('getAgentTests', { params })).tag),
  };
}
