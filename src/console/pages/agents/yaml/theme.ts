import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** In the colours of the page, light and dark. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--agent)' },
  { tag: [tags.string, tags.content, tags.attributeValue], color: 'inherit' },
  { tag: [tags.number, tags.bool, tags.keyword, tags.atom], color: 'var(--caller)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--quiet)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--person)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'inherit', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.7', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--agent)', paddingBlock: '8px' },
  '.cm-cursor': { borderInlineStartColor: 'var(--agent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--agent) 7%, transparent)' },
  '.cm-shown': { backgroundColor: 'color-mix(in srgb, var(--agent) 13%, transparent)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--caller) 28%, transparent) !important',
  },
  '.cm-tooltip': {
    ...{ backgroundColor: 'var(--surface)', border: '1px solid var(--line)', borderRadius: '8px', color: 'inherit' },
    ...{ maxWidth: '420px', fontFamily: 'var(--mantine-font-family)' },
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--agent)', color: 'var(--surface)' },
  '.cm-completionInfo': { padding: '8px 12px', fontSize: '13px' },
  '.cm-panels': { backgroundColor: 'var(--ground)', color: 'inherit', borderBlockEnd: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px', paddingInlineEnd: '32px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search input.cm-textfield, .cm-panel.cm-search button.cm-button': {
    ...{ minHeight: '28px', backgroundImage: 'none', backgroundColor: 'var(--surface)', color: 'inherit' },
    ...{ border: '1px solid var(--line)', borderRadius: '6px', fontSize: '13px', marginBlock: '2px' },
  },
  '.cm-panel.cm-search label': { fontSize: '13px', display: 'inline-flex', alignItems: 'center', minHeight: '28px' },
  '.cm-panel.cm-search label input': { minWidth: '16px', minHeight: '16px' },
  '.cm-panel.cm-search button[name=close]': { minWidth: '28px', minHeight: '28px', fontSize: '18px', color: 'inherit' },
  '.cm-keyHint': { padding: '8px 12px', fontSize: '13px', lineHeight: '1.5' },
  '.cm-keyHint code': { display: 'block', marginBlockStart: '4px', whiteSpace: 'pre-wrap', color: 'var(--quiet)' },
  '.cm-diagnostic': { padding: '6px 10px', borderInlineStart: '3px solid var(--quiet)', borderLeft: 'none' },
  '.cm-diagnostic-error': { borderInlineStartColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderInlineStartColor: 'var(--slow)' },
  '.cm-diagnostic-info': { borderInlineStartColor: 'var(--person)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--slow)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-info': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--person)',
    textUnderlineOffset: '3px',
  },
});

export const appearance: Extension = [syntaxHighlighting(colours), look];
