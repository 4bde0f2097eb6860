import { LOAD_OVERHEAD_S, meterRow, stopProgram } from './media-programs.mjs';
import { RtpEngine } from './media-rtpengine.mjs';

/** Other servers with the same packets, for the media bench. @param bench - programs, ports, measureSeconds */

/** The C server: the same work without anything around it. */
export async function plainRow({ programs, ports, measureSeconds }, calls) {
  const firstPort = ports.span(calls);
  const firstServerPort = ports.span(calls * 2);
  const limitSeconds = measureSeconds + LOAD_OVERHEAD_S;
  const child = programs.startServer(programs.path('media-echo'), [calls, firstServerPort, limitSeconds]);
  try {
    await ready(child);
    const serverPorts = Array.from({ length: calls }, (_, i) => firstServerPort + 2 * i);
    const phones = { firstPort, serverPorts, measureSeconds };
    return { server: 'C', ...(await meterRow(programs, phones, child.pid)) };
  } finally {
    await stopProgram(child);
  }
}

/** Its first output says that all ports are open. */
function ready(child) {
  return new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`media-echo ended with ${code}`)));
    child.once('error', reject);
  });
}

/** rtpengine: what a phone sends comes to the one it is joined with, so each sends and hears what it does in the other rows. */
export async function rtpengineRow({ programs, ports, measureSeconds }, calls) {
  const firstPort = ports.span(calls);
  const engine = await RtpEngine.start(programs, ports, calls);
  try {
    const serverPorts = [];
    for (let i = 0; i < calls; i += 2) serverPorts.push(...(await engine.relay(firstPort + i, firstPort + i + 1)));
    const phones = { firstPort, serverPorts, measureSeconds };
    const row = await meterRow(programs, phones, engine.pid);
    await engine.deleteCalls();
    return { server: 'rtpengine', ...row };
  } finally {
    await engine.stop();
  }
}
