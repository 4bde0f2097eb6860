import type { NumberRule, TrunkDefinition, TrunkHost, TrunkLimits } from '../../../../core/trunk.ts';

/** A trunk in a form: everything is there, lists are lists, and what is not said is an empty text. */
export interface TrunkDraft {
  readonly name: string;
  readonly hosts: readonly TrunkHost[];
  readonly transport: TrunkDefinition['transport'];
  readonly sources: readonly string[];
  readonly auth: TrunkDefinition['inbound']['auth'];
  readonly inboundUser: string;
  readonly inboundPassword: string; // empty: as it is
  readonly certificateName: string;
  readonly user: string;
  readonly realm: string;
  readonly password: string; // empty: as it is
  readonly fromUser: string;
  readonly fromDomain: string;
  readonly registers: boolean;
  readonly expiresSeconds: number;
  readonly pingSeconds: number;
  readonly encryption: TrunkDefinition['encryption'];
  readonly keysInClear: boolean;
  readonly dtls: boolean;
  readonly dtmf: TrunkDefinition['dtmf'];
  readonly numbersIn: readonly NumberRule[];
  readonly numbersOut: readonly NumberRule[];
  readonly callerId: TrunkDefinition['callerId'];
  readonly headersIn: readonly string[];
  readonly headersOut: readonly { readonly name: string; readonly value: string }[];
  readonly limits: TrunkLimits;
  readonly prefixes: readonly string[];
}

/** Of `config/trunk-schema.ts`, which a test holds this to. */
export const NEW_TRUNK: TrunkDraft = {
  ...({ name: '', hosts: [], transport: 'udp', sources: [], auth: 'none', inboundUser: '' } as const),
  ...{ inboundPassword: '', certificateName: '', user: '', realm: '', password: '', fromUser: '', fromDomain: '' },
  ...({
    registers: false,
    expiresSeconds: 3_600,
    pingSeconds: 30,
    encryption: 'none',
    keysInClear: false,
    dtls: false,
  } as const),
  ...({ dtmf: 'auto', numbersIn: [], numbersOut: [], callerId: 'from', headersIn: [], headersOut: [] } as const),
  limits: { callsIn: 100, callsOut: 10, callsPerSecondIn: 10, callsPerSecondOut: 1 },
  prefixes: [],
};

type Written = Partial<Omit<TrunkDefinition, 'hosts' | 'register' | 'limits'>> & {
  readonly hosts?: readonly (string | (Partial<TrunkHost> & { readonly uri: string }))[];
  readonly register?: { readonly expiresSeconds?: number };
  readonly limits?: Partial<TrunkLimits>;
};

/** A definition, whole or with parts left out, as it is edited. Pure. */
export function draftOf(written: Written): TrunkDraft {
  const { inbound, outbound, register, hosts = [], headersOut = {}, allowedPrefixes, limits, ...rest } = written;
  return {
    ...NEW_TRUNK,
    ...rest,
    hosts: hosts.map((host) => ({ priority: 10, weight: 1, ...(typeof host === 'string' ? { uri: host } : host) })),
    ...{ sources: inbound?.sources ?? [], auth: inbound?.auth ?? 'none', inboundUser: inbound?.username ?? '' },
    ...{ certificateName: inbound?.certificateName ?? '', user: outbound?.username ?? '' },
    ...{ realm: outbound?.realm ?? '', fromUser: outbound?.fromUser ?? '', fromDomain: outbound?.fromDomain ?? '' },
    ...{ registers: register !== undefined, expiresSeconds: register?.expiresSeconds ?? NEW_TRUNK.expiresSeconds },
    headersOut: Object.entries(headersOut).map(([name, value]) => ({ name, value })),
    limits: { ...NEW_TRUNK.limits, ...limits },
    prefixes: allowedPrefixes ?? [],
  };
}

/** What is sent: a definition, and the passwords that were typed. Pure. */
export function bodyOf(draft: TrunkDraft): {
  readonly definition: TrunkDefinition;
  readonly password?: string;
  readonly inbound_password?: string;
} {
  const { inboundUser, inboundPassword, certificateName, user, password, realm, fromUser, fromDomain } = draft;
  const { registers, expiresSeconds, headersOut, prefixes, sources, auth, ...same } = draft;
  const definition: TrunkDefinition = {
    ...{ name: same.name.trim(), hosts: same.hosts.filter(({ uri }) => uri.trim() !== '').map(withScheme) },
    transport: same.transport,
    inbound: {
      ...{ sources, auth },
      ...said({ username: auth === 'digest' ? inboundUser : '', certificateName }),
    },
    outbound: said({ username: user, realm, fromUser, fromDomain }),
    ...(registers && { register: { expiresSeconds } }),
    ...{ pingSeconds: same.pingSeconds, encryption: same.encryption, keysInClear: same.keysInClear },
    ...{ dtls: same.dtls, dtmf: same.dtmf },
    ...{ numbersIn: same.numbersIn, numbersOut: same.numbersOut, callerId: same.callerId, headersIn: same.headersIn },
    headersOut: Object.fromEntries(
      headersOut.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
    ),
    ...{ limits: same.limits, allowedPrefixes: prefixes },
  };
  return {
    definition,
    ...(password !== '' && { password }),
    ...(inboundPassword !== '' && auth === 'digest' && { inbound_password: inboundPassword }),
  };
}

/** People write `sbc.example.net`. */
const withScheme = (host: TrunkHost): TrunkHost => {
  const uri = host.uri.trim();
  return { ...host, uri: /^sips?:/i.test(uri) ? uri : `sip:${uri}` };
};

const said = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  );

/** Parts of the form, and which fields of a definition are in each. */
export const FORM_PARTS = {
  who: ['name', 'inbound'],
  where: ['hosts', 'transport', 'outbound', 'register', 'pingSeconds'],
  numbers: ['numbersIn', 'numbersOut', 'callerId', 'allowedPrefixes'],
  media: ['encryption', 'keysInClear', 'dtls', 'dtmf'],
  limits: ['limits'],
  headers: ['headersIn', 'headersOut'],
} as const;
export type FormPart = keyof typeof FORM_PARTS;

/** The part whose field a refusal of the gateway names: `inbound.sources[0]: expected an address`. Pure. */
export function partOfProblem(message: string): FormPart | undefined {
  const words = message.match(/[A-Za-z]+/g) ?? [];
  const parts = Object.keys(FORM_PARTS) as FormPart[];
  for (const word of words) {
    const part = parts.find((one) => (FORM_PARTS[one] as readonly string[]).includes(word));
    if (part) return part;
  }
  return undefined;
}
