import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** Which side of the recording is heard. */
export type Side = 'both' | 'caller' | 'agent';

/** What is played, and where on the call it is. Without a recording there is still a place on the call. */
export interface Player {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly isPlaying: boolean;
  readonly rate: number;
  readonly side: Side;
  /** The sound could not be had. */
  readonly isBroken: boolean;
  nowMs(): number;
  toggle(): void;
  seek(ms: number): void;
  setRate(rate: number): void;
  setSide(side: Side): void;
  /** Called for every frame while it plays, and when the place has changed otherwise. */
  watch(watcher: (ms: number) => void): () => void;
}

export function usePlayer(durationMs: number, startMs: number): Player {
  const audio = useRef<HTMLAudioElement>(null);
  const place = useRef(startMs);
  const watchers = useRef(new Set<(ms: number) => void>());
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [rate, setRateState] = useState(1);
  const [side, setSideState] = useState<Side>('both');
  const sides = useRef<Sides | undefined>(undefined);
  const length = useRef(durationMs);
  useEffect(() => {
    length.current = durationMs;
  }, [durationMs]);

  const tell = useCallback(() => {
    for (const watcher of watchers.current) watcher(place.current);
  }, []);

  useEffect(() => {
    const element = audio.current;
    if (!element) return undefined;
    let frame = 0;
    const follow = () => {
      place.current = element.currentTime * 1_000;
      tell();
      frame = requestAnimationFrame(follow);
    };
    const stop = () => {
      cancelAnimationFrame(frame);
      setPlaying(false);
    };
    const play = () => {
      setPlaying(true);
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(follow);
    };
    const ready = () => {
      setBroken(false);
      if (place.current > 0) element.currentTime = place.current / 1_000;
    };
    const fail = () => setBroken(true);
    const events = [
      ['play', play],
      ['pause', stop],
      ['ended', stop],
      ['loadedmetadata', ready],
      ['error', fail],
    ] as const;
    for (const [name, act] of events) element.addEventListener(name, act);
    return () => {
      cancelAnimationFrame(frame);
      for (const [name, act] of events) element.removeEventListener(name, act);
    };
  }, [tell]);
  useEffect(() => () => void sides.current?.context.close(), []);

  const seek = useCallback(
    (ms: number) => {
      place.current = Math.min(Math.max(0, ms), length.current);
      if (audio.current?.src) audio.current.currentTime = place.current / 1_000;
      tell();
    },
    [tell],
  );
  const toggle = useCallback(() => {
    const element = audio.current;
    if (!element?.src) return;
    if (!element.paused) return element.pause();
    void element.play().catch(() => setBroken(element.error !== null));
  }, []);
  const setRate = useCallback((value: number) => {
    setRateState(value);
    if (audio.current) audio.current.playbackRate = value;
  }, []);
  const setSide = useCallback((value: Side) => {
    setSideState(value);
    if (!audio.current) return;
    sides.current ??= splitSides(audio.current);
    sides.current.hear(value);
  }, []);
  const watch = useCallback((watcher: (ms: number) => void) => {
    watchers.current.add(watcher);
    return () => void watchers.current.delete(watcher);
  }, []);
  return useMemo(
    () => ({
      ...{ audio, isPlaying, isBroken, rate, side, seek, toggle, setRate, setSide, watch },
      nowMs: () => place.current,
    }),
    [isPlaying, isBroken, rate, side, seek, toggle, setRate, setSide, watch],
  );
}

interface Sides {
  readonly context: AudioContext;
  hear(side: Side): void;
}

/** Both sides to both ears, each as loud as is wanted. */
function splitSides(element: HTMLAudioElement): Sides {
  const context = new AudioContext();
  const splitter = context.createChannelSplitter(2);
  context.createMediaElementSource(element).connect(splitter);
  const gains = [0, 1].map((channel) => {
    const gain = context.createGain();
    gain.channelCount = 1;
    splitter.connect(gain, channel);
    gain.connect(context.destination);
    return gain;
  });
  return {
    context,
    hear: (side) => {
      void context.resume();
      gains[0]!.gain.value = side === 'agent' ? 0 : 1;
      gains[1]!.gain.value = side === 'caller' ? 0 : 1;
    },
  };
}
