import { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { type SaidNotice, useNoticeWords } from '../../i18n/notice-text.ts';
import { useYamlEditor } from '../agents/yaml/use-yaml-editor.ts';
import { placeOfLine } from './model/results.ts';

const NO_MORE: readonly never[] = [];

export interface TestsProblem {
  readonly line: number;
  readonly field: string;
  readonly message: string;
  readonly notice: SaidNotice | null;
}
export interface TestsEditorProps {
  readonly text: string;
  readonly problems: readonly TestsProblem[];
  readonly canEdit: boolean;
  readonly label: string;
  /** A line to be shown; a new object shows it again. */
  readonly target: { readonly line: number } | undefined;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/** The dialogues as text, with what is wrong at its line. */
export default function TestsEditor(props: TestsEditorProps) {
  const { text, problems, canEdit, label, target } = props;
  const words = useNoticeWords();
  const { host, view, show, mark } = useYamlEditor({
    ...{ label, canEdit, extensions: NO_MORE, textAtFirst: () => text },
    ...{ onChange: props.onChange, onSave: props.onSave },
  });

  useEffect(() => show(text), [text, show]);

  useEffect(() => {
    mark((editor) => {
      const written = editor.state.doc.toString();
      return problems.map(({ line, field, message: english, notice }) => {
        const message = words.text(notice, english);
        return {
          ...placeOfLine(written, line),
          ...{ severity: 'error' as const, message: field === '' ? message : `${field}: ${message}` },
        };
      });
    });
  }, [problems, mark, words]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const { from } = placeOfLine(editor.state.doc.toString(), target.line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }, [target, view]);

  return <div ref={host} dir="ltr" style={{ height: '100%', minHeight: 0 }} />;
}
