import type { Sample } from './operation.ts';
import { AGENT_ID, API_KEY } from './samples.ts';

/** Pieces of the reference page. Everything that goes in is escaped. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const text = (value: string): string => value.replace(/[&<>"']/g, (mark) => ESCAPES[mark]!);
/** A name as code, which may break where its words do. */
export const name = (value: string): string => `<code>${text(value).replace(/[_.]/g, '$&<wbr>')}</code>`;
/** Descriptions use backquotes for code, and nothing else. */
export const prose = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Program text with what the reader fills in marked. */
function program(source: string): string {
  const marked = (html: string, placeholder: string): string =>
    html.replaceAll(text(placeholder), `<mark>${text(placeholder)}</mark>`);
  return [API_KEY, AGENT_ID].reduce(marked, text(source));
}

const figure = (label: string, source: string): string =>
  `<figure data-label="${text(label)}"><figcaption>${text(label)}</figcaption><pre dir="ltr"><code>${program(source)}</code></pre></figure>`;

export const sampleTabs = (samples: readonly Pick<Sample, 'label' | 'source'>[]): string =>
  `<div class="samples">${samples.map(({ label, source }) => figure(label, source)).join('')}</div>`;

export const exampleOf = (value: unknown): string =>
  `<h3>Example answer</h3><div class="samples">${figure('JSON', JSON.stringify(value, null, 2))}</div>`;

export function table(headings: readonly string[], rows: readonly (readonly string[])[], className = ''): string {
  const head = headings.map((heading) => `<th>${text(heading)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<table${className && ` class="${className}"`}><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** What an operation costs and where it ends. */
export function factsList(facts: { readonly 'x-price'?: string; readonly 'x-limits'?: readonly string[] }): string {
  const price = facts['x-price'] === undefined ? [] : [`Price: ${facts['x-price']}`];
  const items = [...price, ...(facts['x-limits'] ?? [])].map((fact) => `<li>${prose(fact)}</li>`);
  return items.length === 0 ? '' : `<ul class="facts">${items.join('')}</ul>`;
}
