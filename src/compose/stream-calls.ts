import type { CarrierDoor, StreamCalls } from '../api/streams/stream-calls.ts';
import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { Config } from '../config/load.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import { AsteriskProtocol } from '../streams/asterisk-protocol.ts';
import { bringsSecret, signedByTwilio } from '../streams/carrier-auth.ts';
import type { StreamProtocol } from '../streams/stream-protocol.ts';
import type { Streams } from '../streams/streams.ts';
import { type TalkCall, TalkProtocol } from '../streams/talk-protocol.ts';
import { TwilioProtocol } from '../streams/twilio-protocol.ts';
import { hearingRateHz } from './conversation-parts.ts';

/** What the HTTP server needs to take calls over WebSockets. */
export function streamCalls(
  streams: Streams,
  settings: Config['streams'],
  engines: Pick<EngineSet, 'speechFor'>,
): StreamCalls {
  return {
    talk: (socket, ends, agentId, admission) => {
      let known: Omit<TalkCall, 'sessionId' | 'agentId'> = {
        from: '',
        variables: {},
        hearingRateHz: TELEPHONE_RATE_HZ,
      };
      const admitted = admission.then((found) => {
        if (!('agent' in found)) return found;
        const { agent, from, variables } = found;
        known = { from, variables, hearingRateHz: hearingRateHz(engines, agent) };
        return found;
      });
      // Asked when the call begins, which is after the admission.
      const protocol = (id: string): StreamProtocol => new TalkProtocol(() => ({ sessionId: id, agentId, ...known }));
      streams.accept(socket, ends, protocol, admitted);
    },
    carriers: [...twilio(streams, settings), ...asterisk(streams, settings)],
    close: () => streams.close(),
  };
}

const ADMITTED = Promise.resolve({});

function twilio(streams: Streams, { twilio: settings }: Config['streams']): CarrierDoor[] {
  if (!settings) return [];
  const { secret, authToken, publicUrl } = settings;
  return [
    {
      path: '/streams/twilio',
      admits: (request) =>
        (secret === undefined || bringsSecret(request, secret)) &&
        (authToken === undefined || signedByTwilio(request, authToken, publicUrl)),
      open: (socket, ends) => streams.accept(socket, ends, () => new TwilioProtocol(), ADMITTED),
    },
  ];
}

function asterisk(streams: Streams, { asterisk: settings }: Config['streams']): CarrierDoor[] {
  if (!settings) return [];
  return [
    {
      path: '/streams/asterisk',
      admits: (request) => bringsSecret(request, settings.secret),
      open: (socket, ends, { parameters }) =>
        streams.accept(socket, ends, () => new AsteriskProtocol(parameters), ADMITTED),
    },
  ];
}
