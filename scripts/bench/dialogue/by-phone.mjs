/**
 * A caller's sentences as the agent hears them by phone: spoken by a machine voice through the telephone band, recognised by the
 * embedded recogniser with what the agent expects in that state, and trusted or not by how sure the recogniser was.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBackchannels } from '../../../dist/call/barge-in.js';
import { BACKCHANNELS } from '../../../dist/core/backchannels.js';
import { expectationOf } from '../../../dist/engines/reply/expectation.js';
import { DEFAULT_LIMITS } from '../../../dist/engines/reply/scripted-dialogue.js';
import { createPocketsphinxStt } from '../../../dist/engines/stt/pocketsphinx.js';
import { people, say } from '../recognition/voices.mjs';

const BLOCK = 160;
/** What is written to the recogniser at once: it decodes while the caller speaks. */
const BURST = 20 * BLOCK;

export class PhoneLine {
  #cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-phone-'));
  #engine = createPocketsphinxStt({ cacheDir: this.#cacheDir, threads: 1 });
  #voices = people();
  #spoken = 0;

  constructor(agent) {
    if (agent.language !== 'en') throw new Error('the embedded recogniser hears English only');
    if (this.#voices.length === 0) throw new Error('no machine voice: install flite and sox');
    this.agent = agent;
  }

  /** The next caller has the next voice. */
  nextVoice() {
    this.#spoken += 1;
  }

  /** @returns what the agent is told: the words (`?` where none were recognised), their confidence, whether they are trusted. */
  async hear(state, text) {
    const samples = say(this.#voices[this.#spoken % this.#voices.length], digitByDigit(text));
    const hints = withBackchannels(expectationOf(this.agent, state).hints, BACKCHANNELS.en);
    const setting = { language: 'en-US', sampleRateHz: 8000, interim: false, hints };
    const stream = this.#engine.open(setting, new AbortController().signal);
    const finals = collect(stream);
    for (let at = 0; at < samples.length; at += BURST) {
      for (let n = at; n < Math.min(at + BURST, samples.length); n += BLOCK)
        stream.write({ samples: samples.slice(n, n + BLOCK), sampleRateHz: 8000 });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    stream.flush();
    stream.end();
    const heard = (await finals).filter((final) => final.text.trim() !== '');
    const confidence = heard.length === 0 ? 1 : Math.min(...heard.map((final) => final.confidence));
    const words = heard.map((final) => final.text.trim()).join(' ');
    return { text: words || '?', confidence, trusted: confidence >= DEFAULT_LIMITS.trustedConfidence };
  }

  async close() {
    await this.#engine.close();
    rmSync(this.#cacheDir, { recursive: true, force: true });
  }
}

async function collect(stream) {
  const finals = [];
  for await (const event of stream) if (event.type === 'final') finals.push(event);
  return finals;
}

/** Numbers of records and phones are read digit by digit. */
const digitByDigit = (text) => text.replace(/\d{3,}/g, (run) => [...run].join(' '));
