import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadTrunks, parseTrunk } from '../../src/config/trunks.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
const MINIMAL = 'name: carrier\nhosts: [sip:sbc.example.net]\n';
const read = (text: string, env = {}) => parseTrunk(text, 'trunk.yaml', env);
const problems = (text: string, env = {}): string => listedProblems(() => read(text, env)).join('\n');

describe('a trunk file', () => {
  it('needs a name and something to come in or go out, and may call nothing by itself', () => {
    const { definition, account } = read(MINIMAL);
    expect(definition).toMatchObject({
      ...{ hosts: [{ uri: 'sip:sbc.example.net', priority: 10, weight: 1 }], transport: 'udp', allowedPrefixes: [] },
      ...{ inbound: { sources: [], auth: 'none' }, encryption: 'none', limits: { callsPerSecondOut: 1 } },
    });
    expect(account).toBeUndefined();
  });

  it('that is shipped as a sample is not read where it stands, and is right where it is copied to', () => {
    expect(loadTrunks(join(SHIPPED_CONFIG_DIR, 'trunks'), {})).toEqual([]);
    const folder = configFolder({ 'notes.txt': '' });
    folders.push(folder);
    copyFileSync(join(SHIPPED_CONFIG_DIR, 'trunks/carrier.yaml.sample'), join(folder.dir, 'carrier.yaml'));
    const [file] = loadTrunks(folder.dir, {});
    expect(file?.definition).toMatchObject({ name: 'carrier', allowedPrefixes: ['+966'] });
    // What is not marked as an example is the default.
    const sample = readFileSync(join(folder.dir, 'carrier.yaml'), 'utf8');
    expect(sample).toContain('limits: { callsIn: 100, callsOut: 10, callsPerSecondIn: 10, callsPerSecondOut: 1 }');
    const { hosts, inbound, numbersIn, numbersOut, allowedPrefixes, name, ...same } = file!.definition;
    const {
      hosts: _,
      inbound: __,
      numbersIn: ___,
      numbersOut: ____,
      allowedPrefixes: _____,
      name: ______,
      ...defaults
    } = read(MINIMAL).definition;
    expect(same).toEqual(defaults);
  });

  it('takes passwords from the environment, and shows none', () => {
    const text = `${MINIMAL}outbound: { username: u, realm: r, passwordEnv: TRUNK_PASSWORD }\n`;
    const file = read(text, { TRUNK_PASSWORD: 's3cret' });
    expect(file.password).toBe('s3cret');
    expect(JSON.stringify(file.definition)).not.toMatch(/s3cret|TRUNK_PASSWORD/);
    expect(read(text)).toMatchObject({ password: undefined, unset: ['TRUNK_PASSWORD'] });
  });

  it.each([
    ['name: "bad/name"\n', /name: expected a name/],
    ['name: x\n', /nothing can come in or go out/],
    [`${MINIMAL}hosst: []\n`, /hosst/],
    ['name: x\nhosts: ["sip:user@h"]\n', /hosts\[0\]/],
    ['name: x\nallowedPrefixes: ["+966"]\ninbound: { sources: [192.0.2.1] }\n', /hosts: expected a host/],
    [`${MINIMAL}inbound: { sources: [192.0.2.0/33] }\n`, /sources\[0\]: expected an address or a network/],
    [`${MINIMAL}inbound: { sources: [192.0.2.300] }\n`, /sources\[0\]/],
    [`${MINIMAL}inbound: { auth: digest }\n`, /inbound\.username/],
    [`${MINIMAL}outbound: { username: u }\n`, /outbound\.realm/],
    [`${MINIMAL}register: {}\n`, /register: expected outbound\.username/],
    [`${MINIMAL}allowedPrefixes: ["966+"]\n`, /allowedPrefixes\[0\]/],
    [`${MINIMAL}allowedPrefixes: [""]\n`, /allowedPrefixes\[0\]/],
    [`${MINIMAL}numbersIn: [{ match: "", replace: "+" }]\n`, /numbersIn\[0\]\.match/],
    [
      `${MINIMAL}numbersIn: [{ match: "05", replace: "+9665", example: "0512 -> +966512x" }]\n`,
      /numbersIn\[0\]\.example/,
    ],
    [`${MINIMAL}numbersIn: [{ match: "05", replace: "+966", example: "0512 -> +966512" }]\n`, /make \+96612 of 0512/],
    [`${MINIMAL}headersOut: { Contact: x }\n`, /headersOut\.Contact/],
    [`${MINIMAL}headersIn: [Authorization]\n`, /headersIn\[0\]/],
  ])('says what is wrong: %j', (text, problem) => {
    expect(problems(text)).toMatch(problem);
  });
});
