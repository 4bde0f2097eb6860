/**
 * What may be said, as an expansion in the notation of JSGF (1.0, sections 4.1 to 4.5): tokens in sequence, `a | b`,
 * `( )`, `[ ]`, `*` and `+` after an element, weights `/0.1/` before an element, `<rule>`.
 */
export type Pattern =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly type: 'choice'; readonly options: readonly { readonly weight: number; readonly pattern: Pattern }[] }
  | { readonly type: 'repeat'; readonly pattern: Pattern; readonly min: 0 | 1 };

const EMPTY: Pattern = { type: 'sequence', parts: [] };
const LEXEME = /\s*(?:\/([0-9.e+-]+)\/|<(\w+)>|([()[\]|*+])|([^\s()[\]|*+<>/]+))/y;
const DEPTH_MAX = 12;

type Lexeme = { readonly kind: 'weight' | 'rule' | 'mark' | 'token' | 'end'; readonly text: string };

/**
 * Reads `text`; rules are put in where they are named.
 *
 * @throws SyntaxError when it is not an expansion, or names an unknown rule: both are mistakes in this program.
 */
export function parsePattern(text: string, rules: ReadonlyMap<string, string>, depth = 0): Pattern {
  if (depth > DEPTH_MAX) throw new SyntaxError('rules nest too deeply');
  const parser = new Parser(text, rules, depth);
  return parser.whole();
}

class Parser {
  #at = 0;
  #next: Lexeme;
  constructor(
    readonly text: string,
    readonly rules: ReadonlyMap<string, string>,
    readonly depth: number,
  ) {
    this.#next = this.#read();
  }

  whole(): Pattern {
    const pattern = this.#choice();
    if (this.#next.kind !== 'end') throw new SyntaxError(`unexpected ${this.#next.text} in ${this.text}`);
    return pattern;
  }

  #choice(): Pattern {
    const first = this.#sequence();
    if (!this.#isMark('|')) return first;
    const options = [{ weight: 1, pattern: first }];
    while (this.#isMark('|')) {
      this.#advance();
      options.push({ weight: 1, pattern: this.#sequence() });
    }
    return { type: 'choice', options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    for (;;) {
      const part = this.#element();
      if (!part) return parts.length === 1 && parts[0] ? parts[0] : { type: 'sequence', parts };
      parts.push(this.#repeated(part));
    }
  }

  #repeated(pattern: Pattern): Pattern {
    if (!this.#isMark('*') && !this.#isMark('+')) return pattern;
    const min = this.#isMark('+') ? 1 : 0;
    this.#advance();
    return { type: 'repeat', pattern, min };
  }

  #element(): Pattern | undefined {
    const { kind, text } = this.#next;
    if (kind === 'weight') return this.#weighted(text);
    if (kind === 'token') {
      this.#advance();
      return { type: 'token', token: text };
    }
    if (kind === 'rule') {
      const body = this.rules.get(text);
      if (body === undefined) throw new SyntaxError(`no rule ${text}`);
      this.#advance();
      return parsePattern(body, this.rules, this.depth + 1);
    }
    if (kind !== 'mark' || (text !== '(' && text !== '[')) return undefined;
    this.#advance();
    const inside = this.#choice();
    if (!this.#isMark(text === '(' ? ')' : ']')) throw new SyntaxError(`${text} is not closed in ${this.text}`);
    this.#advance();
    if (text === '(') return inside;
    const options = inside.type === 'choice' ? inside.options : [{ weight: 1, pattern: inside }];
    return { type: 'choice', options: [{ weight: 1, pattern: EMPTY }, ...options] };
  }

  #weighted(text: string): Pattern {
    const weight = Number(text);
    if (!(weight > 0 && weight <= 1)) throw new SyntaxError(`a weight of ${text} in ${this.text}`);
    this.#advance();
    const pattern = this.#element();
    if (!pattern) throw new SyntaxError(`nothing after the weight ${text} in ${this.text}`);
    return { type: 'choice', options: [{ weight, pattern }] };
  }

  #isMark(mark: string): boolean {
    return this.#next.kind === 'mark' && this.#next.text === mark;
  }
  #advance(): void {
    this.#next = this.#read();
  }
  #read(): Lexeme {
    LEXEME.lastIndex = this.#at;
    const match = LEXEME.exec(this.text);
    if (!match) {
      if (this.text.slice(this.#at).trim() !== '') throw new SyntaxError(`unreadable: ${this.text.slice(this.#at)}`);
      return { kind: 'end', text: 'end' };
    }
    this.#at = LEXEME.lastIndex;
    const [, weight, rule, mark, token] = match;
    if (weight !== undefined) return { kind: 'weight', text: weight };
    if (rule !== undefined) return { kind: 'rule', text: rule };
    if (mark !== undefined) return { kind: 'mark', text: mark };
    return { kind: 'token', text: token ?? '' };
  }
}
