import { describe, expect, it } from 'vitest';
import { type Command, parseCommand } from '../../../src/sip-server/control/command.ts';

const INVITE = 'INVITE sip:1000@127.0.0.1 SIP/2.0\r\nfrom: sip:a@localhost\r\n\r\n';

describe('parseCommand', () => {
  it.each<{ name: string; payload: string; want: Partial<Command> & { type: string } }>([
    {
      name: 'authenticate, no tags',
      payload: 'i|authenticate|s|',
      want: { type: 'authenticate', id: 'i', secret: 's', tags: [] },
    },
    {
      name: 'authenticate, tags',
      payload: 'i|authenticate|s|a,b',
      want: { type: 'authenticate', secret: 's', tags: ['a', 'b'] },
    },
    { name: 'route', payload: 'i|route|INVITE', want: { type: 'route', verb: 'invite' } },
    { name: 'route of CDRs', payload: 'i|route|cdr:start', want: { type: 'route', verb: 'cdr:start' } },
    { name: 'remove_route', payload: 'i|remove_route|options', want: { type: 'remove_route', verb: 'options' } },
    { name: 'ping', payload: 'i|ping', want: { type: 'ping', id: 'i' } },
    {
      name: 'outside a dialog',
      payload: `i|sip||\r\n${INVITE}`,
      want: { type: 'sip', transactionId: '', dialogId: '', nextHop: '' },
    },
    {
      name: 'with a next hop',
      payload: `i|sip|||sip:10.0.0.1:5070;transport=tcp\r\n${INVITE}`,
      want: { type: 'sip', transactionId: '', dialogId: '', nextHop: 'sip:10.0.0.1:5070;transport=tcp' },
    },
    {
      name: 'inside a dialog',
      payload: `i|sip||c;from-tag=t\r\n${INVITE}`,
      want: { type: 'sip', dialogId: 'c;from-tag=t' },
    },
    {
      name: 'answer',
      payload: 'i|sip|txn|\r\nSIP/2.0 200 OK\r\ncseq: 1 INVITE\r\n\r\n',
      want: { type: 'sip', transactionId: 'txn' },
    },
    { name: 'proxy', payload: `i|proxy|txn|||\r\n${INVITE}`, want: { type: 'proxy', transactionId: 'txn' } },
    {
      name: 'bar in the next hop',
      payload: `i|sip|||sip:a|b@c\r\n${INVITE}`,
      want: { type: 'invalid', reason: 'invalid next hop uri' },
    },
    { name: 'no message', payload: 'i|sip||', want: { type: 'invalid', reason: 'invalid message: empty' } },
    {
      name: 'broken start line',
      payload: 'i|sip||\r\nINVITE  SIP/2.0\r\n\r\n',
      want: { type: 'invalid', reason: 'invalid request-uri: INVITE  SIP/2.0' },
    },
    { name: 'unknown', payload: 'i|dance', want: { type: 'unknown', id: 'i' } },
    { name: 'empty', payload: '', want: { type: 'unknown', id: '' } },
  ])('$name', ({ payload, want }) => {
    expect(parseCommand(payload)).toMatchObject(want);
  });

  it('takes the whole body whatever Content-Length says: srf counts characters, not bytes', () => {
    const body = 'نداء نداء';
    const text = `MESSAGE sip:a@b SIP/2.0\r\ncontent-type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const command = parseCommand(`i|sip||\r\n${text}`);
    expect(command.type === 'sip' && command.message.body.toString()).toBe(body);
    expect(body.length).not.toBe(Buffer.byteLength(body));
  });
});
