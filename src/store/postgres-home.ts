import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../core/errors.ts';

/** The unprivileged user PostgreSQL runs as when the gateway itself is root; PostgreSQL refuses to run as root. */
export interface UnixUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Every path the embedded database uses. `homeDir` has mode 0700 and belongs to `user`, or to us without one. */
export interface PostgresHome {
  readonly homeDir: string; // <data folder>/postgres, or its stand-in (see `postgresHome`)
  readonly dataDir: string; // homeDir/data: what initdb makes
  readonly socketDir: string; // homeDir, or a short folder when the socket's path would be too long
  readonly logFile: string;
  readonly lockFile: string;
  readonly relocated: boolean; // not below the data folder
}

/** Bytes of `sun_path` on Linux without the closing zero (unix(7)). */
export const SOCKET_PATH_BYTES_MAX = 107;
export const POSTGRES_PORT = 5432; // names the socket file only: no TCP port is opened
const SOCKET_FILE = `.s.PGSQL.${POSTGRES_PORT}`;
const STAND_IN_ROOT = '/var/lib/nidaa';
const USER_NAMES = ['nidaa', 'nobody'];

/** By which the processes of a database are told from those of another, also where nobody may see what files they have open. */
export const clusterNameOf = ({ dataDir }: PostgresHome): string => `nidaa-${shortHash(dataDir)}`;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The first of `names` that exists on this machine. */
export function findUser(
  names: readonly string[] = USER_NAMES,
  passwd = readFileSync('/etc/passwd', 'utf8'),
): UnixUser {
  const rows = passwd.split('\n').map((line) => line.split(':'));
  for (const name of names) {
    const row = rows.find((fields) => fields[0] === name);
    const uid = Number(row?.[2]);
    const gid = Number(row?.[3]);
    if (row && uid > 0 && Number.isInteger(gid)) return { name, uid, gid };
  }
  throw new OperatorError(
    `PostgreSQL does not run as root and none of the users ${names.join(', ')} exists. Create one (useradd --system ` +
      'nidaa), run the gateway as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether `user` may enter `folder`: every folder on the way lets it pass. */
export function canEnter(folder: string, user: UnixUser): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * Decides where the embedded database lives and makes its folders.
 *
 * Ordinarily `<data folder>/postgres`. When we are root and the unprivileged `user` cannot reach the data folder (it is
 * below `/root`), the database goes to `/var/lib/nidaa/<hash of the data folder>` instead, since opening up somebody's home
 * is not ours to do; a symbolic link `postgres` in the data folder shows the way.
 *
 * @param user - whom the folders shall belong to; undefined when we are not root.
 */
export function postgresHome(dataFolder: string, user: UnixUser | undefined): PostgresHome {
  const folder = resolve(dataFolder);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o711 });
  const ordinary = join(realpathSync(folder), 'postgres');
  if (user && statSync(folder).uid === 0) letPass(folder);
  const relocated = user !== undefined && !canEnter(folder, user);
  const homeDir = relocated ? join(STAND_IN_ROOT, shortHash(ordinary)) : ordinary;
  if (relocated) standIn(ordinary, homeDir);
  makeOwnFolder(homeDir, user);
  return {
    homeDir,
    dataDir: join(homeDir, 'data'),
    socketDir: socketDirFor(homeDir, user),
    logFile: join(homeDir, 'postgres.log'),
    lockFile: join(homeDir, 'gateway.lock'),
    relocated,
  };
}

/** Lets others walk through our own data folder, not list it. */
function letPass(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, (mode & 0o777) | 0o011);
}

function standIn(ordinary: string, homeDir: string): void {
  const there = lstatSync(ordinary, { throwIfNoEntry: false });
  if (there && !there.isSymbolicLink()) {
    throw new OperatorError(
      `The database in ${ordinary} cannot be reached by an unprivileged user. Move it: mv ${ordinary} ${homeDir}; or let ` +
        'others pass through the folders above it (chmod o+x).',
    );
  }
  mkdirSync(STAND_IN_ROOT, { recursive: true, mode: 0o711 });
  if (!there) symlinkSync(homeDir, ordinary);
}

/** Makes `folder` with mode 0700 for `user`; an existing one must already be theirs and shut. */
function makeOwnFolder(folder: string, user: UnixUser | undefined): void {
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (!there) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
    return;
  }
  if (!there.isDirectory() || (there.mode & 0o077) !== 0 || there.uid !== owner) {
    const name = user?.name ?? `user ${owner}`;
    throw new OperatorError(
      `${folder} must be a folder of ${name} with mode 0700 (it belongs to user ${there.uid}, mode ` +
        `${(there.mode & 0o7777).toString(8)}). Was the gateway started by another user before? Start it as that user, or ` +
        'chown -R the folder.',
    );
  }
}

/** The home, or a short folder below the temporary folder when the socket's path would not fit. */
export function socketDirFor(homeDir: string, user: UnixUser | undefined, temporary = tmpdir()): string {
  if (Buffer.byteLength(join(homeDir, SOCKET_FILE)) <= SOCKET_PATH_BYTES_MAX) return homeDir;
  const short = join(temporary, `nidaa-${shortHash(homeDir)}`);
  if (Buffer.byteLength(join(short, SOCKET_FILE)) > SOCKET_PATH_BYTES_MAX) {
    throw new OperatorError(
      `The folder for temporary files has too long a path for a socket: ${temporary}. Set TMPDIR.`,
    );
  }
  makeOwnFolder(short, user);
  return short;
}
