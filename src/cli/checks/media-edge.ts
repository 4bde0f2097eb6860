import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { randomToken } from '../../core/ids.ts';
import { type Bencoded, textAt } from '../../media/edge/bencode.ts';
import { NgClient, type NgReply, resultOf } from '../../media/edge/ng-client.ts';
import { hostAndPort } from '../../media/edge/rtpengine-edge.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'media edge';
/** Of nobody: what is learnt is whether there are ports, and at which address. */
const TRIAL = ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', 'm=audio 9 RTP/AVP 0', ''];

/** Every rtpengine of the configuration: whether it answers, and gives a call ports. */
export async function checkMediaEdge({ media }: Config): Promise<Finding[]> {
  const { edge } = media;
  if (!edge) return [];
  const found = await Promise.all(edge.engines.map(({ address }) => checkEngine(address, media)));
  const isSilent = found.every(({ state }) => state === 'fail');
  // One that is away takes no calls from the others.
  return found.map((one) => (one.state === 'fail' && !isSilent ? { ...one, state: 'warn' } : one));
}

async function checkEngine(address: string, { edge, rtpPorts }: Config['media']): Promise<Finding> {
  const { timeoutMs = 1_000, innerInterface, outerInterface } = edge ?? {};
  const client = new NgClient({ ...hostAndPort(address), clock: systemClock, timeoutMs });
  try {
    const startedMs = systemClock.nowMs();
    const pong = await client.ask('ping');
    if (typeof pong === 'string') {
      const fix = `Start it with --listen-ng=${address}, or correct media.edge.engines (NIDAA_MEDIA_EDGE).`;
      return fail(CHECK, `no rtpengine answers at ${address}`, fix);
    }
    const tookMs = Math.round(systemClock.nowMs() - startedMs);
    const call = { 'call-id': `doctor-${randomToken()}`, 'from-tag': 'doctor' };
    const direction = innerInterface && outerInterface ? [outerInterface, innerInterface] : undefined;
    const offer = { ...call, direction, sdp: TRIAL.join('\r\n'), 'transport-protocol': 'RTP/AVP' };
    const [statistics, offered] = [await client.ask('statistics'), await client.ask('offer', offer)];
    await client.ask('delete', { ...call, 'delete-delay': 0 });
    const inside = typeof offered === 'string' ? undefined : placeIn(offered);
    if (!inside) return warn(CHECK, `rtpengine at ${address} gives a call no ports: ${whyNot(offered)}`, PORTS_FIX);
    const detail = `rtpengine at ${address} answers in ${tookMs} ms${ageOf(statistics)}; media inside is at ${inside.address}`;
    if (inside.port < rtpPorts.min || inside.port > rtpPorts.max) return ok(CHECK, detail);
    const overlap = `its ports overlap media.rtpPorts (${rtpPorts.min}-${rtpPorts.max})`;
    return warn(CHECK, `${detail}, ${overlap}`, 'Give rtpengine another range where both are on one machine.');
  } finally {
    client.close();
  }
}

const PORTS_FIX =
  'Look at its --interface, --port-min and --port-max, and at media.edge.innerInterface and outerInterface.';

function placeIn(offered: NgReply): { readonly address: string; readonly port: number } | undefined {
  const sdp = textAt(offered, 'sdp') ?? '';
  const port = /^m=audio (\d+)/m.exec(sdp)?.[1];
  const address = /^c=IN IP[46] (\S+)/m.exec(sdp)?.[1];
  return port === undefined || address === undefined ? undefined : { address, port: Number(port) };
}

const whyNot = (reply: NgReply | string): string =>
  typeof reply === 'string' ? 'it fell silent' : (textAt(reply, 'error-reason') ?? resultOf(reply));

/** ng tells no version. */
function ageOf(statistics: NgReply | string): string {
  const at = (value: Bencoded | undefined, key: string): Bencoded | undefined =>
    value instanceof Map ? value.get(key) : undefined;
  const all = typeof statistics === 'string' ? undefined : statistics.get('statistics');
  const [uptime, calls] = [
    textAt(at(all, 'totalstatistics'), 'uptime'),
    at(at(all, 'currentstatistics'), 'sessionstotal'),
  ];
  return uptime === undefined || typeof calls !== 'number' ? '' : `, runs for ${uptime} s and has ${calls} calls`;
}
