import { Marked, type Tokens } from 'marked';

/** Markdown of ours as a page: its title, its HTML and its chapters. */
export interface Rendered {
  readonly title: string;
  readonly html: string;
}

/** Where a link to `guide:NAME` leads. */
export type GuideLink = (name: string) => string;

/**
 * Renders `text`. Code stands from left to right whatever the page does, tables scroll by themselves, headings have ids for links to
 * them, and HTML within is shown as text.
 */
export function renderMarkdown(text: string, linkOf: GuideLink): Rendered {
  let title = '';
  const ids = new Map<string, number>();
  const idOf = (heading: string): string => {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    const times = ids.get(id) ?? 0;
    ids.set(id, times + 1);
    return times === 0 ? id : `${id}-${times + 1}`;
  };
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text: raw }) => escapeHtml(raw),
      heading({ tokens, depth, text: plain }) {
        if (depth === 1) title ||= plain;
        return `<h${depth} id="${escapeHtml(idOf(plain))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text: source }) => `<pre dir="ltr" tabindex="0"><code>${escapeHtml(source)}</code></pre>\n`,
      codespan: ({ text: source }) => `<code dir="ltr">${escapeHtml(source)}</code>`,
      link({ href, tokens }) {
        const guide = /^guide:([a-z-]+)$/.exec(href)?.[1];
        const to = guide === undefined ? href : linkOf(guide);
        return `<a href="${escapeHtml(to)}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((row) => cells(row, 'td')).join('');
        return `<div class="table" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text) as string;
  return { title, html };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => ESCAPES[mark]!);
