import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/load.ts';
import { errorText } from '../../core/errors.ts';
import { chooseMediaIo, type MediaIoKind } from '../../media/io/choose-io.ts';
import { monotonicMs } from '../../media/plane/monotonic.ts';
import { type ChosenSrtp, chooseSrtp } from '../../media/srtp/choose-srtp.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';
import { linesOf } from './network.ts';

const NODE_MIN = [20, 19] as const;
/** Two sockets, a recording and a synthesiser's pipe for a call; database, HTTP and files besides. */
const DESCRIPTORS_PER_CALL = 5;
const DESCRIPTORS_BESIDES = 300;
const DISK_BYTES_MIN = 200e6;
const DISK_BYTES_COMFORTABLE = 2e9;
const RECORDING_BYTES_PER_HOUR = 8000 * 2 * 2 * 3600; // stereo, 16 bits, 8 kHz
const YEAR_MIN = 2025;
const PROGRAM_MS_MAX = 3_000;

/** Node.js itself and whom it runs as: what is known before any configuration. */
export function checkProgram(): Finding[] {
  return [checkNode(process.versions.node), ...checkUser(process.getuid?.())];
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fine = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (fine) return ok('Node.js', version);
  return fail('Node.js', `${version} is too old`, `Install ${NODE_MIN.join('.')} or newer: https://nodejs.org`);
}

function checkUser(uid: number | undefined): Finding[] {
  if (uid !== 0) return [];
  const how = 'Better: an account of its own (useradd --system nidaa), with CAP_SYS_NICE for steady audio.';
  return [info('user', 'runs as root; PostgreSQL is started as nidaa or nobody', how)];
}

/** What the machine gives us: files, disk, time, priority, sockets for audio. */
export async function checkMachine(config: Config): Promise<Finding[]> {
  return [
    ...[checkDescriptors(config), checkDisk(config.dataDir), ...checkClock(new Date()), checkPriority()],
    await checkMediaIo(config.media.io),
    ...checkEncryption(config.sip),
  ];
}

function checkDescriptors(config: Config): Finding {
  const limit = descriptorLimit();
  if (limit === undefined) return info('open files', 'the limit is not known on this system');
  const lines = linesOf(config);
  const wanted = lines * DESCRIPTORS_PER_CALL + DESCRIPTORS_BESIDES;
  const detail = `${limit} allowed; ${lines} calls may need ${wanted}`;
  if (limit >= wanted) return ok('open files', detail);
  return warn('open files', detail, `Raise it: ulimit -n ${wanted}, or LimitNOFILE=${wanted} in the systemd unit.`);
}

/** The limit that holds for this process, which Node raised to the most it may have. */
function descriptorLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return undefined;
  }
}

function checkDisk(dataDir: string): Finding {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const hours = Math.floor(free / RECORDING_BYTES_PER_HOUR);
  const detail = `${(free / 1e9).toFixed(1)} GB free in ${folder}, enough for ${hours} h of recorded calls`;
  const mend = 'Free some, move dataDir (NIDAA_DATA_DIR), delete old recordings or set media.recording: false.';
  if (free < DISK_BYTES_MIN) return fail('disk', detail, mend);
  return free < DISK_BYTES_COMFORTABLE ? warn('disk', detail, mend) : ok('disk', detail);
}

/** Records, bills and signed webhooks carry the time. */
export function checkClock(now: Date): Finding[] {
  const shown = now.toISOString().slice(0, 19);
  if (now.getUTCFullYear() < YEAR_MIN) {
    return [fail('clock', `${shown} cannot be now`, 'Set the time, and keep it by NTP: timedatectl set-ntp true.')];
  }
  const run = spawnSync('timedatectl', ['show', '-p', 'NTPSynchronized', '--value'], { timeout: PROGRAM_MS_MAX });
  const synchronized = run.status === 0 ? String(run.stdout).trim() : '';
  if (synchronized === 'no') {
    return [warn('clock', `${shown} UTC, not synchronised`, 'Keep it by NTP: timedatectl set-ntp true.')];
  }
  return [ok('clock', `${shown} UTC, ${synchronized === 'yes' ? 'synchronised' : 'synchronisation not known'}`)];
}

/** Media threads ask for SCHED_FIFO, then for nice -10; without either audio suffers when the machine is busy. */
function checkPriority(): Finding {
  const run = (command: string, args: string[]): string | undefined => {
    const { status, stdout } = spawnSync(command, args, { timeout: PROGRAM_MS_MAX });
    return status === 0 ? String(stdout).trim() : undefined;
  };
  if (run('chrt', ['-f', '10', 'true']) !== undefined) return ok('priority', 'media threads may run in real time');
  if (run('nice', ['-n', '-10', 'nice']) === '-10') return ok('priority', 'media threads may run at nice -10');
  const how =
    'Allow CAP_SYS_NICE: AmbientCapabilities=CAP_SYS_NICE in the systemd unit, --cap-add SYS_NICE in a container.';
  return warn('priority', 'media threads run at normal priority: audio suffers when the machine is busy', how);
}

/** What encrypts media, and whether its keys can be read on the way. @param choose - what a test has chosen. */
export function checkEncryption(
  { mediaEncryption, keysInClear }: Pick<Config['sip'], 'mediaEncryption' | 'keysInClear'>,
  choose: () => ChosenSrtp = chooseSrtp,
): Finding[] {
  const { name, version, reason } = choose();
  const detail = `sip.mediaEncryption: ${mediaEncryption}, by ${version === undefined ? name : `${name} ${version}`}`;
  return [
    reason === undefined
      ? ok('encrypted media', detail)
      : info('encrypted media', `${detail}, not by OpenSSL itself: ${reason}`),
    ...(keysInClear
      ? [
          warn(
            'keys of SRTP',
            'sip.keysInClear: who reads SIP on the way hears the calls',
            'Use TLS, and set it to false.',
          ),
        ]
      : []),
  ];
}

/** @param load - of the C library: what a test has fail. */
export async function checkMediaIo(
  wish: MediaIoKind | 'auto',
  load?: Parameters<typeof chooseMediaIo>[2],
): Promise<Finding> {
  try {
    const { kind, reason } = await chooseMediaIo(wish, monotonicMs, load);
    if (kind === 'direct') return ok('media sockets', 'direct: calls of the C library');
    if (reason === undefined) return ok('media sockets', "dgram: Node's own, as media.io says");
    return info(
      'media sockets',
      `dgram: Node's own, which take more of the processor; direct does not work: ${reason}`,
    );
  } catch (error) {
    return fail('media sockets', errorText(error), 'Set media.io: auto.');
  }
}
