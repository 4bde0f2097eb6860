// Sends requests whose answers it ignores: node sip-flood.mjs ADDRESS PORT COUNT PER_SECOND METHOD. In a process of its own, so that
// whoever measures does not measure itself.
import { createSocket } from 'node:dgram';

const [address, port, count, perSecond, method] = process.argv.slice(2);
const socket = createSocket('udp4');
socket.bind(0, address, () => {
  const from = `${address}:${socket.address().port}`;
  const offer = `v=0\r\no=- 1 1 IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n`;
  const body = method === 'INVITE' ? offer : '';
  const type = body && 'Content-Type: application/sdp\r\n';
  const startMs = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(Number(count), Math.floor(((performance.now() - startMs) * Number(perSecond)) / 1000));
    for (; sent < due; sent += 1) {
      const id = `${process.pid}-${sent}`;
      socket.send(
        [
          `${method} sip:1000@127.0.0.1:${port} SIP/2.0`,
          `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${id};rport`,
          'Max-Forwards: 70',
          `From: <sip:flood@${address}>;tag=${id}`,
          `To: <sip:1000@127.0.0.1:${port}>`,
          `Call-ID: ${id}`,
          `CSeq: 1 ${method}`,
          `Contact: <sip:flood@${from}>`,
          `${type}Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
        Number(port),
        '127.0.0.1',
      );
    }
    if (sent < Number(count)) return;
    clearInterval(timer);
    setTimeout(() => socket.close(), 200);
  }, 5);
});
