import { useEffect, useRef, useState } from 'react';

const REST_MS = 300;

/**
 * What is being typed into a field: kept here at once, handed on when the typing rests or the field is left. What comes from elsewhere
 * (the YAML beside it) takes its place, but not over letters that are being typed.
 */
export function useTyped(value: string, change: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waits = useRef(false);
  const current = useRef({ typed, change, value });
  useEffect(() => {
    current.current = { typed, change, value };
  });
  useEffect(() => {
    if (!waits.current) setTyped(value);
  }, [value]);
  const hand = () => {
    clearTimeout(timer.current);
    if (!waits.current) return;
    waits.current = false;
    if (current.current.typed !== current.current.value) current.current.change(current.current.typed);
  };
  // Nothing is lost where the field goes away with its section.
  const last = useRef(hand);
  useEffect(() => {
    last.current = hand;
  });
  useEffect(() => () => last.current(), []);
  return {
    value: typed,
    onChange: (next: string) => {
      setTyped(next);
      current.current.typed = next;
      waits.current = true;
      clearTimeout(timer.current);
      timer.current = setTimeout(hand, REST_MS);
    },
    onBlur: hand,
  };
}
