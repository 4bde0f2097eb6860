import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { usePreferences } from '../../i18n/preferences-provider.tsx';
import { type Palette, paletteOf } from './palette.ts';

/** Colours for all canvases below an element, anew where those of the page have changed. */
export function usePalette(within: RefObject<HTMLElement | null>): Palette | undefined {
  const scheme = useComputedColorScheme('light');
  const { preferences } = usePreferences();
  const [palette, setPalette] = useState<Palette>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change what the page computes.
  useEffect(() => {
    // The scheme is an attribute of the page: it is set after this component was drawn.
    const frame = requestAnimationFrame(() => within.current && setPalette(paletteOf(within.current)));
    return () => cancelAnimationFrame(frame);
  }, [scheme, preferences.language, within]);
  useEffect(() => {
    void document.fonts?.ready.then(() => within.current && setPalette(paletteOf(within.current)));
  }, [within]);
  return palette;
}
