const THINKING = /<think(?:ing)?>/i;
const THOUGHT = /<\/think(?:ing)?>/i;
/** `</thinking>` cut anywhere: so much may have to wait for the next piece. */
const TAG_CHARS_MAX = 11;

/** Leaves out what a reasoning model thinks aloud between `<think>` and `</think>`, in text that arrives in pieces. */
export class ThoughtFilter {
  #waiting = '';
  #thinking = false;

  /** What is meant for the caller, possibly empty. */
  push(piece: string): string {
    let text = this.#waiting + piece;
    let said = '';
    for (;;) {
      const tag = (this.#thinking ? THOUGHT : THINKING).exec(text);
      if (!tag) break;
      if (!this.#thinking) said += text.slice(0, tag.index);
      text = text.slice(tag.index + tag[0].length);
      this.#thinking = !this.#thinking;
    }
    const open = text.lastIndexOf('<');
    const cut = open >= 0 && text.length - open < TAG_CHARS_MAX ? open : text.length;
    this.#waiting = text.slice(cut);
    return this.#thinking ? said : said + text.slice(0, cut);
  }

  /** What still waited. */
  end(): string {
    const rest = this.#thinking ? '' : this.#waiting;
    this.#waiting = '';
    return rest;
  }
}

/** One sentence as it can be spoken: without the marks of Markdown, pictures, and the speaker's name in front. */
export function spoken(sentence: string): string {
  return sentence
    .replace(/^\s*(?:#{1,6}\s+|[-*•–]\s+|>\s+|\d{1,2}[.)]\s+)/, '')
    .replace(/^(?:agent|assistant|الموظف|المساعد)\s*:\s*/i, '')
    .replace(/\]\((?:https?|tel|mailto):[^)\s]*\)/gi, ']')
    .replace(/\*{1,3}|_{2,3}|`+|~~/g, '')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d|\u20e3/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
