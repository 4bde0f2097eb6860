/** Colours of the page as a canvas needs them: of the scheme that is shown now. */
export const COLOURS = ['caller', 'agent', 'person', 'good', 'slow', 'bad', 'quiet', 'line', 'surface'] as const;
export type Palette = Readonly<Record<(typeof COLOURS)[number] | 'text', string>> & { readonly font: string };

/** `light-dark()` is resolved where a colour is used, and not in the variable. */
export function paletteOf(within: HTMLElement): Palette {
  const probe = document.createElement('span');
  within.append(probe);
  const style = getComputedStyle(probe);
  const found: Record<string, string> = { text: style.color, font: style.fontFamily };
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    found[name] = style.color;
  }
  probe.remove();
  return found as Palette;
}
