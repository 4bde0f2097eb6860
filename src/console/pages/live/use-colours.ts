import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { paletteOf } from '../call/palette.ts';
import type { StripColours } from './level-strip.tsx';

/** Colours of the scheme that is shown, looked up once for all canvases of the page. */
export function useColours(within: RefObject<HTMLElement | null>): StripColours | undefined {
  const scheme = useComputedColorScheme('light');
  const [colours, setColours] = useState<StripColours>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it changes what the page computes.
  useEffect(() => {
    // The scheme is an attribute of the page: it is set after this component was drawn.
    const frame = requestAnimationFrame(() => {
      if (!within.current) return;
      const { caller, agent, line } = paletteOf(within.current);
      setColours({ caller, agent, line });
    });
    return () => cancelAnimationFrame(frame);
  }, [scheme, within]);
  return colours;
}
