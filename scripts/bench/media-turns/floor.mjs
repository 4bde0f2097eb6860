import { epollEvent, loadSystemCalls } from '../../../dist/media/io/system-calls.js';
import { connect, openSocket, SLOTS, usedNs } from './phones.mjs';

/** A loop over koffi that looks, reads and sends, and does nothing else. */

const [EPOLL_CTL_ADD, EPOLLIN, EVENTS_MAX, PACKET_BYTES] = [1, 1, 512, 172];
const LOOKS_MAX = 16;

export function openFloor(phones) {
  const calls = loadSystemCalls();
  const epoll = calls.epoll_create1(0);
  const fds = phones.ports.map((phonePort, n) => {
    const { fd, port } = openSocket();
    connect(fd, phonePort);
    phones.connect(n, port);
    const event = new Uint32Array(epollEvent.words);
    event[0] = EPOLLIN;
    event[epollEvent.own] = fd;
    calls.epoll_ctl(epoll, EPOLL_CTL_ADD, fd, event);
    return fd;
  });
  const events = new Uint32Array(EVENTS_MAX * epollEvent.words);
  const packet = Buffer.alloc(PACKET_BYTES);
  const header = headerFor(calls);
  const side = {
    usedNs: 0,
    heard: phones.heard,
    frame() {
      for (let slot = 0; slot < SLOTS; slot += 1) {
        phones.speak(slot);
        const before = usedNs();
        for (let look = 0; look < LOOKS_MAX; look += 1) {
          const ready = calls.epoll_wait(epoll, events, EVENTS_MAX, 0);
          if (ready <= 0) break;
          for (let i = 0; i < ready; i += 1) {
            calls.recvmsg(events[i * epollEvent.words + epollEvent.own], header.words, 0);
          }
        }
        for (let n = slot; n < fds.length; n += SLOTS) calls.send(fds[n], packet, PACKET_BYTES, 0);
        side.usedNs += usedNs() - before;
      }
      phones.hear();
    },
  };
  return side;
}

/** `struct msghdr` with room for one datagram. */
function headerFor(calls) {
  const memory = (bytes) => new Uint32Array(new ArrayBuffer(bytes));
  const [words, vector, datagram] = [memory(56), memory(16), memory(2_048)];
  const point = (into, at, address) => into.set([Number(address & 0xffff_ffffn), Number(address >> 32n)], at);
  point(vector, 0, calls.addressOf(datagram));
  vector[2] = 2_048;
  point(words, 4, calls.addressOf(vector));
  words[6] = 1;
  return { words, vector, datagram }; // all of it is to stay where it is
}
