import { MicrophoneError, type MicrophoneProblem, problemBefore, problemOf } from './microphone-problem.ts';
import worklet from './sound.worklet.ts?worker&url';
import { type FromSpeaker, type HeardPiece, MICROPHONE, SPEAKER, type ToSpeaker } from './sound-messages.ts';

/** What the browser lets pages of this address have. */
export const microphoneProblemNow = (): MicrophoneProblem | undefined =>
  problemBefore({
    isSecure: window.isSecureContext,
    hasDevices: navigator.mediaDevices?.getUserMedia !== undefined,
    hasWorklet: 'AudioWorkletNode' in window,
  });

/** One microphone, and a loudspeaker where one is wanted, on one audio thread. Everything is given back by `close`. */
export class Sound {
  readonly #context: AudioContext;
  readonly #stream: MediaStream;
  #speaker: AudioWorkletNode | undefined;

  private constructor(context: AudioContext, stream: MediaStream) {
    this.#context = context;
    this.#stream = stream;
  }

  /** Asks for the microphone: to be called by a click, so that sound may be played too. @throws MicrophoneError. */
  static async open(): Promise<Sound> {
    const problem = microphoneProblemNow();
    if (problem) throw new MicrophoneError(problem);
    const context = new AudioContext({ latencyHint: 'interactive' });
    let stream: MediaStream | undefined;
    try {
      const resumed = context.resume(); // within the click
      stream = await microphone();
      await Promise.all([context.audioWorklet.addModule(worklet), resumed]);
      return new Sound(context, stream);
    } catch (error) {
      for (const track of stream?.getTracks() ?? []) track.stop();
      void context.close();
      throw error instanceof MicrophoneError ? error : new MicrophoneError('failed');
    }
  }

  /** In seconds, as far as the browser tells. */
  get delays(): { readonly inputS: number; readonly outputS: number } {
    const [track] = this.#stream.getAudioTracks();
    const { latency = 0 } = (track?.getSettings() ?? {}) as { readonly latency?: number };
    const { baseLatency = 0, outputLatency = 0 } = this.#context;
    return { inputS: latency, outputS: baseLatency + outputLatency };
  }

  /** Hands over what is heard, 20 ms at a time, at `rateHz`; `onLost` when the device is pulled out. */
  hear(rateHz: number, onPiece: (piece: HeardPiece) => void, onLost: () => void): void {
    const node = new AudioWorkletNode(this.#context, MICROPHONE, { numberOfOutputs: 1, processorOptions: { rateHz } });
    node.port.onmessage = ({ data }: MessageEvent<HeardPiece>) => onPiece(data);
    this.#context.createMediaStreamSource(this.#stream).connect(node);
    // A node that leads nowhere is not run by every browser; this one says nothing.
    const silent = new GainNode(this.#context, { gain: 0 });
    node.connect(silent).connect(this.#context.destination);
    this.#stream.getAudioTracks()[0]?.addEventListener('ended', onLost);
  }

  /** A loudspeaker for samples at `rateHz`. */
  speak(rateHz: number, onMessage: (message: FromSpeaker) => void): (message: ToSpeaker) => void {
    const options = { numberOfInputs: 0, outputChannelCount: [1], processorOptions: { rateHz } };
    const node = new AudioWorkletNode(this.#context, SPEAKER, options);
    node.port.onmessage = ({ data }: MessageEvent<FromSpeaker>) => onMessage(data);
    node.connect(this.#context.destination);
    this.#speaker = node;
    return (message) => node.port.postMessage(message, message.type === 'audio' ? [message.samples.buffer] : []);
  }

  /** Silence is still heard while muted: a call without any audio ends. */
  mute(isMuted: boolean): void {
    for (const track of this.#stream.getAudioTracks()) track.enabled = !isMuted;
  }

  close(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    this.#speaker?.port.postMessage({ type: 'close' } satisfies ToSpeaker);
    if (this.#context.state !== 'closed') void this.#context.close();
  }
}

async function microphone(): Promise<MediaStream> {
  // The first three are what keeps the agent's voice, out of a loudspeaker, from being taken for a caller's.
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    throw new MicrophoneError(problemOf((error as Error).name));
  }
}
