import { type CallWithTurns, presentCall } from '../store/call-rows.ts';
import { writeTurns } from './calls.ts';
import { facts, type Output, paint, seconds } from './output.ts';
import type { PhoneReport } from './phone.ts';

/** What the call was like, apart from what happened on it. */
export interface CallFacts {
  readonly uri: string;
  readonly address: string; // ours
  readonly hears: boolean; // a recogniser listened
  readonly recordTo?: string;
  readonly record?: CallWithTurns; // of the gateway of this machine
}

/** One placed call as programs read it. Times are milliseconds since the answer. */
export function reportJson(report: PhoneReport, { uri, address, hears, recordTo, record }: CallFacts): object {
  return {
    answered: report.answered,
    ...{
      uri,
      called_from: address,
      sip_call_id: report.sipCallId ?? null,
      status: report.answered ? 200 : (report.status ?? null),
      reason: report.refusal?.reason ?? null,
      warning: report.refusal?.warning ?? null,
    },
    ...{ setup_ms: report.setupMs, talk_ms: report.talkMs },
    heard: report.heard.map(({ fromMs, toMs, text }) => ({ from_ms: fromMs, to_ms: toMs, text: text ?? null })),
    words: hears ? 'approximate' : 'none',
    said: report.said.map(({ fromMs, toMs, label }) => ({ from_ms: fromMs, to_ms: toMs, text: label })),
    end: { party: report.end.party, reason: report.end.reason, detail: report.end.detail ?? null },
    quality: report.answered ? report.quality : null,
    audio_from: report.audioFrom ?? null,
    recording: report.answered ? (recordTo ?? null) : null,
    record: record ? presentCall(record) : null,
  };
}

export function printReport(out: Output, report: PhoneReport, known: CallFacts): void {
  const { uri, address, hears, recordTo, record } = known;
  const { end, quality, refusal } = report;
  const ended = `${end.reason} (${end.party})${end.detail ? `: ${end.detail}` : ''}`;
  if (!report.answered) {
    const status = report.status === undefined ? 'no SIP answer' : `SIP ${report.status}`;
    out.write(`${paint(out, 'red', 'not answered')} by ${uri} within ${report.setupMs} ms: ${status}, ${ended}\n`);
    const headers = [['Reason', refusal?.reason] as const, ['Warning', refusal?.warning] as const];
    for (const [name, value] of headers) if (value !== undefined) out.write(`${name}: ${value}\n`);
    return;
  }
  out.write(`${paint(out, 'green', 'answered')} by ${uri} after ${report.setupMs} ms, called from ${address}\n\n`);
  const lines = [
    ...report.heard.map(({ fromMs, toMs, text }) => ({ fromMs, toMs, who: 'heard', text: text ? `~ ${text}` : '' })),
    ...report.said.map(({ fromMs, toMs, label }) => ({ fromMs, toMs, who: 'said', text: label })),
  ].sort((a, b) => a.fromMs - b.fromMs);
  for (const { fromMs, toMs, who, text } of lines) {
    const when = `${seconds(fromMs).padStart(8)} - ${seconds(toMs).padStart(7)}`;
    out.write(`${when}  ${paint(out, who === 'heard' ? 'green' : 'yellow', who.padEnd(5))}  ${text}`.trimEnd());
    out.write('\n');
  }
  if (lines.length === 0) out.write('nothing was heard or said\n');
  if (hears) out.write(`${paint(out, 'dim', '~ words as recognised: approximate')}\n`);
  if (record) {
    out.write(`\nwhat the gateway understood and said (${record.call.id}):\n`);
    writeTurns(out, presentCall(record).turns);
  }
  out.write('\n');
  facts(out, [
    ['ended', `${ended}, after ${seconds(report.talkMs)}`],
    ['audio', `${quality.codec} from ${report.audioFrom ?? 'nobody: no packet was accepted'}`],
    ['encryption', quality.srtpSuite ?? 'none: media in the clear'],
    [
      'quality',
      `MOS ${quality.mos.toFixed(1)}, loss ${quality.lossPercent.toFixed(1)} %, jitter ${quality.jitterMs.toFixed(1)} ms, ` +
        `${quality.packetsReceived} packets in, ${quality.packetsSent} out`,
    ],
    ['SIP Call-ID', report.sipCallId ?? ''],
    ...(recordTo === undefined ? [] : [['recording', `${recordTo} (left: heard, right: said)`] as const]),
  ]);
}
