/**
 * Loaded before a program (`node --import`), its threads and its child processes: writes down whatever leaves it, a line of JSON each,
 * into the file that NIDAA_OUTWARD names. `start` says that a process or thread is watched; `tcp` and `unix` are connections that
 * it makes, and every byte it writes to them (of TLS what was written before it was encrypted); `udp` is where datagrams go, once an
 * address; `dns` is a name that is looked up. What comes in is not written down, nor what is answered to those who connected.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { threadId } from 'node:worker_threads';

const file = process.env['NIDAA_OUTWARD'];
const note = (row) => appendFileSync(file, `${JSON.stringify({ ...row, pid: process.pid, thread: threadId })}\n`);
/** In place of `owner[name]`: `before` is told of every call. A hook that finds nothing to hold on to would see nothing. */
function watch(owner, name, before) {
  const original = owner[name];
  if (typeof original !== 'function') throw new Error(`outward-recorder: there is no ${name}`);
  owner[name] = function watched(...args) {
    before.apply(this, args);
    return original.apply(this, args);
  };
}

const targets = new WeakMap(); // socket -> where it leads, of those that connected
watch(net.Socket.prototype, 'connect', function connect(...args) {
  const given = Array.isArray(args[0]) ? args[0][0] : args[0]; // Node's own calls come with a list
  const options =
    typeof given === 'object' ? given : typeof given === 'string' ? { path: given } : { port: given, host: args[1] };
  const kind = options.path === undefined ? 'tcp' : 'unix';
  const target = { kind, to: options.path ?? `${options.host ?? 'localhost'}:${options.port}` };
  targets.set(this, target);
  note(target);
});
watch(net.Socket.prototype, '_writeGeneric', function write(isList, data, encoding) {
  const target = targets.get(this);
  if (!target || this.connecting) return; // called once more when it is connected
  for (const { chunk, encoding: own } of isList ? data : [{ chunk: data, encoding }])
    note({
      ...target,
      bytes: (typeof chunk === 'string' ? Buffer.from(chunk, own) : Buffer.from(chunk)).toString('base64'),
    });
});

/** An address is looked up without a word to anybody. */
const lookUp = (asked) => {
  if (net.isIP(String(asked)) === 0) note({ kind: 'dns', to: String(asked) });
};

const reached = new Set();
function datagram(port, address) {
  const to = `${address ?? '127.0.0.1'}:${port}`;
  if (reached.has(to)) return;
  reached.add(to);
  note({ kind: 'udp', to });
}
watch(dgram.Socket.prototype, 'connect', (port, address) =>
  datagram(port, typeof address === 'string' ? address : undefined),
);
watch(dgram.Socket.prototype, 'send', (_data, ...args) => {
  const [first, second, third, fourth] = args;
  if (typeof third === 'number') datagram(third, typeof fourth === 'string' ? fourth : undefined);
  else if (typeof first === 'number' && typeof second !== 'number')
    datagram(first, typeof second === 'string' ? second : undefined);
});

for (const owner of [dns, dns.promises])
  for (const name of [
    'lookup',
    'resolve',
    'resolve4',
    'resolve6',
    'resolveAny',
    'resolveSrv',
    'resolveNaptr',
    'resolveTxt',
    'reverse',
  ])
    watch(owner, name, lookUp);
for (const { prototype } of [dns.Resolver, dns.promises.Resolver])
  for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveSrv', 'resolveNaptr']) watch(prototype, name, lookUp);

syncBuiltinESMExports();
note({ kind: 'start', to: process.argv[1] ?? '' });
