import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isNetwork } from '../core/address-filter.ts';
import { errorText } from '../core/errors.ts';
import { notice } from '../core/notice.ts';
import { exampleProblem } from '../core/number-rules.ts';
import type { TrunkDefinition } from '../core/trunk.ts';
import { Problems } from './problems.ts';
import type { FieldProblem, Refuse } from './references.ts';
import { TrunkFileSchema } from './trunk-schema.ts';
import { type ProblemList, YamlFile } from './yaml-file.ts';

/** A trunk as its file says it. */
export interface TrunkFile {
  readonly definition: TrunkDefinition;
  readonly account: string | undefined; // id or name
  /** Of calls and registrations of ours. */
  readonly password: string | undefined;
  /** That the other side answers challenges with. */
  readonly inboundPassword: string | undefined;
  /** Variables that it names for passwords, and that nobody has set: no matter once it is stored. */
  readonly unset: readonly string[];
  readonly path: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
const FILES_MAX = 1_000;
/** A dialog is made of them: nobody else may write them. */
const OWN_HEADERS =
  /^(via|from|to|call-id|cseq|contact|content-(length|type)|route|record-route|max-forwards|require|(proxy-)?authorization)$/i;
const SECRET_HEADERS = /^(proxy-)?authorization$/i;

/**
 * Every trunk of a folder (`*.yaml`, in order of file name), or the one of a file, checked for shape and for sense. Passwords
 * come from the environment variables that a file names. A folder that is not there has none.
 *
 * @throws OperatorError that lists every problem of every file.
 */
export function loadTrunks(place: string, env: Environment, cwd = process.cwd()): TrunkFile[] {
  const problems = new Problems(cwd);
  const isOne = /\.ya?ml$/u.test(place);
  const paths = isOne ? [place] : fileNames(place, problems).map((file) => join(place, file));
  const files = paths.map((path) => readTrunk(new YamlFile(path, problems), env));
  problems.throwIfAny();
  return files.filter((file) => file !== undefined);
}

/** The same of text that stands in no file. @throws OperatorError that lists every problem. */
export function parseTrunk(text: string, called: string, env: Environment): TrunkFile {
  const problems = new Problems(process.cwd());
  const read = readTrunk(new YamlFile(called, problems, text), env);
  problems.throwIfAny();
  return read!;
}

/** A definition that comes from elsewhere than a file, held to the same rules; passwords stand beside it. */
export function readTrunkDefinition(
  value: object,
): { readonly file: TrunkFile } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const list: ProblemList = {
    get count() {
      return problems.length;
    },
    add: (_file, _line, field, said) => void problems.push({ field, said }),
  };
  const file = readTrunk(new YamlFile('definition', list, JSON.stringify(value)), {});
  return file && problems.length === 0 ? { file } : { problems };
}

function readTrunk(file: YamlFile, env: Environment): TrunkFile | undefined {
  const written = file.read(TrunkFileSchema);
  if (!written) return undefined;
  const { account, hosts, inbound, outbound, ...rest } = written;
  const { passwordEnv: inboundEnv, ...asked } = inbound;
  const { passwordEnv: outboundEnv, ...said } = outbound;
  const passwordIn = (variable: string | undefined): string | undefined =>
    (variable !== undefined && env[variable]) || undefined;
  const definition: TrunkDefinition = {
    ...rest,
    hosts: hosts.map((host) => (typeof host === 'string' ? { uri: host, priority: 10, weight: 1 } : host)),
    inbound: asked,
    outbound: said,
  };
  checkTrunk(definition, (path, said) => file.problem(path, said));
  return {
    ...{ definition, account, path: file.path },
    ...{ password: passwordIn(outboundEnv), inboundPassword: passwordIn(inboundEnv) },
    unset: [outboundEnv, inboundEnv].filter((name) => name !== undefined && passwordIn(name) === undefined) as string[],
  };
}

/** The sense of a definition that has the right shape; also of one that comes from elsewhere than a file. */
export function checkTrunk(trunk: TrunkDefinition, refuse: Refuse): void {
  const { hosts, inbound, outbound, register, allowedPrefixes, headersIn, headersOut } = trunk;
  inbound.sources.forEach((entry, index) => {
    if (!isNetwork(entry)) refuse(['inbound', 'sources', index], notice('trunk.network', { got: entry }));
  });
  if (inbound.auth === 'digest' && inbound.username === undefined) {
    refuse(['inbound', 'username'], notice('trunk.digest-user'));
  }
  if (outbound.username !== undefined && outbound.realm === undefined) {
    refuse(['outbound', 'realm'], notice('trunk.realm'));
  }
  if (register && outbound.username === undefined) {
    refuse(['register'], notice('trunk.register-user'));
  }
  if (hosts.length === 0 && (allowedPrefixes.length > 0 || register)) {
    refuse(['hosts'], notice('trunk.no-host'));
  }
  const comesIn = inbound.sources.length > 0 || inbound.auth === 'digest' || inbound.certificateName !== undefined;
  if (!comesIn && hosts.length === 0) refuse([], notice('trunk.no-way'));
  for (const direction of ['numbersIn', 'numbersOut'] as const) checkRules(trunk, direction, refuse);
  for (const name of Object.keys(headersOut)) {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) refuse(['headersOut', name], notice('trunk.header-name', { name }));
    if (OWN_HEADERS.test(name)) refuse(['headersOut', name], notice('trunk.header-needed', { name }));
  }
  headersIn.forEach((name, index) => {
    if (SECRET_HEADERS.test(name)) refuse(['headersIn', index], notice('trunk.header-secret', { name }));
  });
}

function checkRules(trunk: TrunkDefinition, direction: 'numbersIn' | 'numbersOut', refuse: Refuse): void {
  const rules = trunk[direction];
  rules.forEach(({ match, digits }, index) => {
    if (match === '' && digits === undefined) {
      refuse([direction, index, 'match'], notice('trunk.rule-fits-all'));
    }
    const problem = exampleProblem(rules, index);
    if (problem !== undefined) refuse([direction, index, 'example'], problem);
  });
}

function fileNames(dir: string, problems: Problems): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /\.ya?ml$/u.test(name))
      .sort()
      .slice(0, FILES_MAX);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      problems.add(dir, 0, '', `cannot be read: ${errorText(error)}`);
    return [];
  }
}
