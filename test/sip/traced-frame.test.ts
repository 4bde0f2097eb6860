import { expect, it } from 'vitest';
import { tracedFrame } from '../../src/sip/traced-frame.ts';

const INVITE = 'INVITE sip:1000@127.0.0.1 SIP/2.0\r\nCall-ID: a\r\n\r\n';

it.each([
  {
    name: 'what came over the network',
    frame: `3dd9|sip|network|509|udp|192.0.2.7|5555|09:36:32.604874|ebbb||127.0.0.1|5090|\r\n${INVITE}`,
    told: { direction: 'in', peer: 'udp/192.0.2.7:5555' },
  },
  {
    name: 'what was sent for us',
    frame: `5377|response|2e55|OK|application|273|tcp|2001:db8::7|5060|09:36:32.6|ebbb|a;from-tag=1||Msg sent:|\r\n${INVITE}`,
    told: { direction: 'out', peer: 'tcp/[2001:db8::7]:5060' },
  },
  {
    name: 'an ACK whose transport is not told',
    frame: `f43a|sip|network|357||127.0.0.1|5555|09:36|ebbb|a|\r\n${INVITE}`,
    told: { direction: 'in', peer: '' },
  },
])('$name', ({ frame, told }) => {
  const message = tracedFrame(frame);
  expect(message).toMatchObject(told);
  expect(message?.bytes.toString()).toBe(INVITE);
});

it.each([
  '',
  '1|response|2|OK',
  '1|response|2|OK|application',
  '1|response|2|NOK|no such dialog\r\n',
  '1|sip|application|0|udp|127.0.0.1|5060|09:36|x|y|\r\nBYE sip:a SIP/2.0\r\n\r\n',
  'cdr:start|network|09:36|uas\r\nx',
])('nothing in %j', (frame) => {
  expect(tracedFrame(frame)).toBeUndefined();
});
