import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/gateway.ts';
import { someOf } from '../support/property-runs.ts';

/** Runs shell lines with the functions of `scripts/prepare.sh`; programs named there are functions of the lines. */
function prepared(lines: string): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync('bash', ['-c', `source scripts/prepare.sh\n${lines}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout };
}

/** More than a pipe holds after the line that is looked for, as the cache of a machine with many packages. */
const CACHE = `ldconfig() {
  echo '	libpocketsphinx.so.3 (libc6,x86-64) => /lib/x86_64-linux-gnu/libpocketsphinx.so.3'
  for ((i = 0; i < 5000; i++)); do echo "	libother$i.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libother$i.so.1"; done
}`;
/** It is root who asks, and what is asked is heard though nobody is to see what apt says. */
const APT = `exec 3>&1; id() { echo 0; }; apt-get() { echo "apt-get $*" >&3; }`;

describe('what is installed', () => {
  it('is not installed again, however long the list of libraries', () => {
    const lines = `${CACHE}\n${APT}\ninstall_debian libpocketsphinx.so.3:libpocketsphinx3 bash:bash /etc/passwd:base-passwd`;
    expect(prepared(lines)).toEqual({ status: 0, stdout: '' });
  });

  it('may be one of two', () => {
    const has = (names: string): string => prepared(`present '${names}' && echo present || echo missing`).stdout;
    expect(['none-such|bash', 'bash|none-such', 'none-such|none-either'].map(has)).toEqual([
      ...['present\n', 'present\n', 'missing\n'],
    ]);
    const lines = `${APT}\ninstall_debian 'none-such|none-either:a-package' 'none-such|bash:bash' /etc/passwd:base-passwd`;
    expect(prepared(lines).stdout).toBe('apt-get install -y --no-install-recommends a-package\n');
  });

  it('is found by its whole name', () => {
    expect(prepared(`${CACHE}\npresent libpocketsphinx.so || echo missing`).stdout).toBe('missing\n');
    expect(prepared(`${CACHE}\npresent libnone.so.1 || echo missing`).stdout).toBe('missing\n');
  });
});

/** A project with modules of its own making, and how npm was called for them. */
const MODULES = `cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
touch package-lock.json
npm() { mkdir -p node_modules; echo "$*" | tee -a called; }`;
const CLIENTS = 'install_modules clients';
const MORE = 'install_modules clients others';
const ALONE = 'ci --workspaces=false';
const WITH = 'ci --include-workspace-root --workspace=clients';

describe('npm packages', () => {
  it.each([
    { what: 'a gateway, without clients of vendors', runs: ['install_modules'], calls: [ALONE] },
    { what: 'the tests, with them', runs: [CLIENTS], calls: [WITH] },
    { what: 'long tests, with more of them', runs: [MORE], calls: [`${WITH} --workspace=others`] },
    { what: 'a second start, not again', runs: ['install_modules', 'install_modules'], calls: [ALONE] },
    {
      what: 'less after more, not again',
      runs: [MORE, CLIENTS, 'install_modules', MORE],
      calls: [`${WITH} --workspace=others`],
    },
    { what: 'the tests after a gateway', runs: ['install_modules', CLIENTS], calls: [ALONE, WITH] },
    { what: 'long tests after others', runs: [CLIENTS, MORE], calls: [WITH, `${WITH} --workspace=others`] },
    {
      what: 'what changed meanwhile',
      runs: [CLIENTS, 'echo >package-lock.json', 'install_modules'],
      calls: [WITH, ALONE],
    },
  ])('are installed for $what', ({ runs, calls }) => {
    const { status, stdout } = prepared(`${MODULES}\n${runs.join('\n')}\ncat called`);
    const called = stdout.split('\n').map((line) => line.replace(' --no-audit --no-fund --loglevel=error', ''));
    expect({ status, called }).toEqual({ status: 0, called: [...calls, ''] });
  });
});

/** A project whose compiler says that it ran, and takes longer than one tick of the file system's clock. */
const PROJECT = `cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir -p src/deep node_modules/.bin
echo '{"scripts":{"build":"tsc"}}' >package.json
touch src/deep/one.ts tsconfig.json package-lock.json
printf '#!/bin/sh\nsleep 0.02; echo built; exit "\${TSC_CODE:-0}"\n' >node_modules/.bin/tsc
chmod +x node_modules/.bin/tsc
build`;

describe('the build', () => {
  it.each(
    someOf(
      [
        { what: 'nothing that changed', change: ':', built: false },
        { what: 'a source of a release from long ago', change: 'touch -d 2001-01-01 src/deep/one.ts', built: true },
        { what: 'a source that went', change: 'rm src/deep/one.ts', built: true },
        { what: 'other types', change: 'touch package-lock.json', built: true },
        { what: 'a build that is gone', change: 'rm -r dist', built: true },
        { what: 'a build that failed', change: 'touch src/deep/one.ts; (TSC_CODE=2 build) || :', built: true },
      ],
      6,
    ),
  )('is made again for $what: $built', ({ change, built }) => {
    const { status, stdout } = prepared(`${PROJECT}\n${change}\necho now\nbuild`);
    expect({ status, stdout: stdout.split('now\n')[1] }).toEqual({ status: 0, stdout: built ? 'built\n' : '' });
  });
});
