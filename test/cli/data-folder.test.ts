import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nearestDataFolder } from '../../src/cli/data-folder.ts';
import { PROGRAM } from '../support/gateway.ts';
import { someOf } from '../support/property-runs.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nidaa-cwd-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ran = (path: string): string => {
  mkdirSync(join(folder, path, 'postgres/data'), { recursive: true });
  return join(folder, path);
};

describe('a command where no gateway has run', () => {
  const { NIDAA_DATA_DIR: _dir, DATABASE_URL: _url, ...env } = process.env;
  const run = (cwd: string, ...args: string[]) =>
    spawnSync(process.execPath, [...PROGRAM, 'cli/nidaa', ...args], { cwd, env, encoding: 'utf8' });

  const commands = [
    ['calls', 'list'],
    ['account', 'list'],
    ['token', 'create'],
    ['agents', 'import'],
  ] as const;
  it.each(someOf(commands, 4))('%s %s fails, says where one has run, and makes nothing', (...args) => {
    const other = ran('other/data');
    const empty = join(folder, 'other/deep');
    mkdirSync(empty);
    const { status, stderr } = run(empty, ...args);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: No gateway has run on ./data; the nearest is at ${other}: NIDAA_DATA_DIR=${other}, or go to ${join(folder, 'other')}.\n`,
    });
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe('the nearest data folder', () => {
  it.each([
    { name: 'above', has: ['data'], cwd: 'a/b', is: 'data' },
    { name: 'the nearest of several above', has: ['data', 'a/data'], cwd: 'a/b', is: 'a/data' },
    { name: 'one below', has: ['a/data'], cwd: '.', is: 'a/data' },
    { name: "the program's own", has: ['program/data'], cwd: 'a/b', is: 'program/data' },
    { name: 'nowhere', has: [], cwd: 'a/b', is: undefined },
  ])('$name', ({ has, cwd, is }) => {
    for (const each of has) ran(each);
    mkdirSync(join(folder, cwd), { recursive: true });
    const found = nearestDataFolder(join(folder, cwd), join(folder, 'program'));
    expect(found).toBe(is && join(folder, is));
  });
});
