import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { createResampler } from '../audio/resampler.ts';
import { readWav } from '../audio/wav.ts';
import type { DialCredentials } from '../call/dialer.ts';
import { languageOf } from '../core/agent.ts';
import { systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { MediaEncryption } from '../core/trunk.ts';
import { createPocketsphinxStt } from '../engines/stt/pocketsphinx.ts';
import { EspeakTts } from '../engines/tts/espeak.ts';
import { parseSipUri } from '../sip/sip-uri.ts';
import { printReport, reportJson } from './call-report.ts';
import { callerVoice, joined, synthesize } from './caller-speech.ts';
import type { CommandContext } from './context.ts';
import { emit } from './output.ts';
import { isOwnGateway, ownRecord } from './own-record.ts';
import { Phone, type PhoneReport } from './phone.ts';
import { sourceAddressToHost } from './source-address.ts';
import type { CallerStep } from './synthetic-caller.ts';

/** One step as the command line names it. */
export type CallStepWish =
  | { readonly type: 'say' | 'interrupt'; readonly text: string }
  | { readonly type: 'wav'; readonly file: string }
  | { readonly type: 'keys'; readonly keys: string }
  | { readonly type: 'pause'; readonly ms: number };

export interface CallWish {
  readonly uri: string;
  readonly steps: readonly CallStepWish[];
  readonly from: string;
  readonly credentials?: DialCredentials;
  readonly transport?: 'udp' | 'tcp';
  readonly encryption?: MediaEncryption;
  readonly proxy?: string;
  readonly bind?: string;
  readonly language: string;
  readonly voice?: string;
  readonly seconds: number;
  readonly patience: number;
  readonly record?: string;
}

/** Places the call and prints what happened. @returns whether it was answered. */
export async function call(context: CommandContext, wish: CallWish): Promise<boolean> {
  const uri = targetUri(wish.uri, wish.transport);
  const nextHop = wish.proxy === undefined ? undefined : targetUri(wish.proxy, wish.transport);
  const address = wish.bind ?? (await ownAddress(nextHop ?? uri));
  const recordTo = wish.record === undefined ? undefined : writable(wish.record);
  const steps = await prepareSteps(context, wish);
  const hangUp = new AbortController();
  const onSignal = (): void => hangUp.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { logger } = context;
  const stt = createPocketsphinxStt({ cacheDir: join(context.config.dataDir, 'cache'), clock: systemClock, logger });
  // The gateway of this machine wrote down what was said. A second recogniser would guess, and take the time of the first.
  const isOwn = isOwnGateway(context, nextHop ?? uri, address);
  const hears = !isOwn && languageOf(wish.language) === 'en' && stt.available(wish.language).ok;
  const phone = await Phone.open({ address, logger, avoid: context.config.media.rtpPorts });
  let report: PhoneReport;
  try {
    const options = { language: wish.language, sampleRateHz: TELEPHONE_RATE_HZ, interim: false };
    report = await phone.call({
      ...{ uri, from: wish.from, steps, patienceMs: wish.patience, maxMs: wish.seconds * 1000, signal: hangUp.signal },
      ...(nextHop !== undefined && { nextHop }),
      ...(wish.credentials && { credentials: wish.credentials }),
      ...(wish.encryption && {
        encryption: { encryption: wish.encryption, keysInClear: context.config.sip.keysInClear },
      }),
      ...(hears && { stt: stt.open(options, new AbortController().signal) }),
      ...(recordTo !== undefined && { recordTo }),
    });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await phone.close();
    await stt.close();
  }
  const record = isOwn && report.sipCallId !== undefined ? await ownRecord(context, report.sipCallId) : undefined;
  const facts = { uri, address, hears, ...(recordTo !== undefined && { recordTo }), ...(record && { record }) };
  emit(context.out, reportJson(report, facts), () => printReport(context.out, report, facts));
  return report.answered;
}

/** `1000@host` means `sip:1000@host`; `transport` goes in where the URI names none. */
function targetUri(text: string, transport: CallWish['transport']): string {
  const number = /^(?:sips?:)?(\+?[\d*#-]+)$/i.exec(text)?.[1] ?? /^tel:(.+)$/i.exec(text)?.[1];
  if (number !== undefined) {
    throw new OperatorError(`${text} names no host: whom to call is written like sip:${number}@127.0.0.1:5060`);
  }
  const uri = /^(sips?|tel):/i.test(text) ? text : `sip:${text}`;
  const parsed = parseSipUri(uri);
  if (!parsed || parsed.hostPort === '') {
    throw new OperatorError(`${text} is no SIP address. Write it like sip:1000@192.0.2.10:5060`);
  }
  if (parsed.scheme === 'sips') throw new OperatorError('Calls over TLS (sips:) cannot be placed from here; use sip:');
  return transport === undefined || /;transport=/i.test(uri) ? uri : `${uri};transport=${transport}`;
}

async function ownAddress(uri: string): Promise<string> {
  const host = (parseSipUri(uri)?.hostPort ?? '').replace(/:\d+$/, '');
  const address = await sourceAddressToHost(host);
  if (address !== undefined) return address;
  throw new OperatorError(`There is no way from this machine to ${host}. Name the address to call from with --bind`);
}

function writable(path: string): string {
  const absolute = resolve(path);
  try {
    closeSync(openSync(absolute, 'w'));
    return absolute;
  } catch (error) {
    throw new OperatorError(`The recording cannot be written: ${errorText(error)}`, { cause: error });
  }
}

async function prepareSteps(context: CommandContext, wish: CallWish): Promise<CallerStep[]> {
  const tts = new EspeakTts({ clock: systemClock });
  const steps: CallerStep[] = [];
  try {
    for (const step of wish.steps) {
      if (step.type === 'keys' || step.type === 'pause') steps.push(step);
      else if (step.type === 'wav') {
        steps.push({ type: 'speak', samples: readSpeech(step.file), label: step.file });
      } else {
        const samples = await synthesize(tts, step.text, callerVoice(context, wish));
        steps.push({ type: 'speak', samples, label: step.text, ...(step.type === 'interrupt' && { interrupt: true }) });
      }
    }
    return steps;
  } finally {
    await tts.close();
  }
}

/** The first channel of a WAV file at the telephone rate. */
function readSpeech(file: string): Int16Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new OperatorError(`The WAV file cannot be read: ${errorText(error)}`, { cause: error });
  }
  const wav = readWav(bytes);
  if (typeof wav === 'string') throw new OperatorError(`${file} cannot be played: ${wav}`);
  try {
    const resampler = createResampler(wav.sampleRateHz, TELEPHONE_RATE_HZ);
    return joined([resampler.push(wav.channels[0]!), resampler.flush()]);
  } catch (error) {
    throw new OperatorError(`${file} cannot be played: ${errorText(error)}`, { cause: error });
  }
}
