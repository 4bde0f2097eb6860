import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SenderFacts } from '../../src/call/admission.ts';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { Authenticator } from '../../src/sip/authenticator.ts';
import { DigestServer } from '../../src/sip/digest-server.ts';
import { FailureGuard } from '../../src/sip/failure-guard.ts';
import { answerTo, phonesNamed, REALM } from '../support/bindings.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { offer, SignallingRig } from '../support/signalling-rig.ts';
import { headerOf, type WireMessage } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const stranger = callEnd('gateway', 'not-allowed', 'no phone of ours');

describe.each(['listen', 'connect'] as const)(
  'callers who have to say who they are, application in %s mode',
  (mode) => {
    let rig: SignallingRig;
    let refused: CallEnd[];
    beforeEach(async () => {
      refused = [];
      const [digest, guard] = [new DigestServer(REALM, systemClock), new FailureGuard(systemClock)];
      const authenticator = new Authenticator({ digest, guard, logger: silentLogger });
      const phones = phonesNamed('alice');
      rig = await SignallingRig.open(
        mode,
        systemClock,
        {},
        {
          admit: (info, { phone }: SenderFacts) => {
            if (!phone) return { kind: 'challenge', end: stranger };
            const { id, name, accountId } = phone;
            return { kind: 'admitted', info: { ...info, source: { kind: 'phone', id, name, accountId } } };
          },
          onRefused: (_info, end) => refused.push(end),
          prove: async (req) => {
            const proof = await authenticator.check(req, (username) => phones.digestOf(username));
            return 'why' in proof ? proof : { phone: proof.user.phone };
          },
        },
      );
    });
    afterEach(() => rig.close());

    const uri = () => `sip:2000@127.0.0.1:${rig.embedded.listening[0]?.port}`;
    async function refusedOnce(headers: readonly string[] = []): Promise<WireMessage> {
      rig.phone.sendRequest('INVITE', {
        uri: uri(),
        body: offer,
        headers: ['Content-Type: application/sdp', ...headers],
      });
      const reply = await rig.phone.final('INVITE');
      rig.phone.sendRequest('ACK', { uri: uri() });
      return reply;
    }
    const answered = (refusal: WireMessage, password: string): string =>
      `Authorization: ${answerTo(headerOf(refusal, 'WWW-Authenticate'), { user: 'alice', password, method: 'INVITE', uri: uri() })}`;

    it('are let in with the right password, as who they are, and nothing is asked inside the call', async () => {
      const refusal = await refusedOnce();
      expect(refusal.status).toBe(401);
      const headers = ['Content-Type: application/sdp', answered(refusal, 'alice-secret')];
      rig.phone.sendRequest('INVITE', { uri: uri(), body: offer, headers });
      const ok = await rig.phone.final('INVITE');
      expect(ok.status).toBe(200);
      rig.phone.adopt(ok);
      rig.phone.sendRequest('ACK');
      await until(() => rig.legs[0]?.info.source?.kind === 'phone');
      rig.phone.sendRequest('BYE');
      expect((await rig.phone.final('BYE')).status).toBe(200);
      expect(refused).toEqual([]);
    });

    it.runIf(EVERY_TEST)('are refused when they give no answer, which is known a while later', async () => {
      expect((await refusedOnce()).status).toBe(401);
      expect(refused).toEqual([]);
      await until(() => refused.length > 0, 'the refusal');
      expect(refused).toEqual([stranger]);
    });

    it('are refused with a wrong one, and at the eleventh try without a look', async () => {
      let reply = await refusedOnce();
      const statuses: number[] = [];
      for (let tries = 0; tries < 12; tries += 1) {
        reply = await refusedOnce([answered(reply, 'guess')]);
        statuses.push(reply.status);
        if (reply.status !== 401) break;
      }
      expect(statuses).toEqual([...Array<number>(10).fill(401), 403]);
      expect(refused.at(-1)).toMatchObject({ reason: 'not-allowed', detail: 'digest: blocked' });
      expect(rig.legs).toEqual([]);
    });
  },
);
