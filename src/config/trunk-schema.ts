import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** Shape and defaults of a file in `config/trunks/`; what it means is checked in `trunks.ts`. */
const section = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { default: {} });
const oneOf = <T extends string>(byDefault: T, ...others: readonly T[]) =>
  Type.Union(
    [byDefault, ...others].map((value) => Type.Literal(value)),
    { default: byDefault },
  );
const name = Type.String({
  ...{ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$', expected: 'a name of letters, digits, space, dot, _ and -' },
});
const uri = Type.String({
  pattern: '^sips?:(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)(:\\d{1,5})?(;[A-Za-z0-9=;._-]*)?$',
  expected: 'a SIP URI without a user, like sip:sbc1.example.net:5060',
});
const source = Type.String({
  pattern: '^[0-9a-fA-F.:]+(/\\d{1,3})?$',
  expected: 'an address or a network like 203.0.113.0/24',
});
const header = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', expected: 'the name of a header' });
const variable = Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' });
const short = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\s"<>\\\\]+$',
  expected: 'text without spaces and quotes',
});
const digits = '[+]?[0-9*#]{0,15}';
const count = (byDefault: number) => Type.Integer({ minimum: 0, maximum: 100_000, default: byDefault });
const rate = (byDefault: number) => Type.Number({ minimum: 0, maximum: 1_000, default: byDefault });

const rule = Type.Object({
  match: Type.String({ pattern: `^${digits}$`, expected: 'the digits that a number begins with' }),
  replace: Type.String({ pattern: `^${digits}$`, expected: 'the digits that take their place' }),
  digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 40 })),
  example: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
const rules = Type.Array(rule, { default: [] });

export const TrunkFileSchema = Type.Object({
  name,
  /** Name or id of the account that it belongs to; all accounts call by a trunk without. */
  account: Type.Optional(Type.String({ minLength: 1 })),
  hosts: Type.Array(
    Type.Union([
      uri,
      Type.Object({
        uri,
        priority: Type.Integer({ minimum: 0, maximum: 65_535, default: 10 }),
        weight: Type.Integer({ minimum: 0, maximum: 65_535, default: 1 }),
      }),
    ]),
    { default: [] },
  ),
  transport: oneOf('udp', 'tcp', 'tls'),
  inbound: section({
    sources: Type.Array(source, { default: [] }),
    auth: oneOf('none', 'digest'),
    username: Type.Optional(short),
    passwordEnv: Type.Optional(variable),
    certificateName: Type.Optional(short),
  }),
  outbound: section({
    username: Type.Optional(short),
    realm: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern: '^[^"\\\\]+$' })),
    passwordEnv: Type.Optional(variable),
    fromUser: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9+_.~-]+$' })),
    fromDomain: Type.Optional(
      Type.String({ pattern: '^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)$', expected: 'a host name or address' }),
    ),
  }),
  register: Type.Optional(
    Type.Object({ expiresSeconds: Type.Integer({ minimum: 60, maximum: 86_400, default: 3_600 }) }),
  ),
  pingSeconds: Type.Integer({ minimum: 0, maximum: 3_600, default: 30 }),
  encryption: oneOf('none', 'allow', 'require'),
  keysInClear: Type.Boolean({ default: false }),
  dtmf: oneOf('auto', 'rfc4733', 'info', 'inband'),
  numbersIn: rules,
  numbersOut: rules,
  callerId: oneOf('from', 'p-asserted-identity', 'remote-party-id'),
  headersIn: Type.Array(header, { default: [] }),
  headersOut: Type.Record(Type.String(), Type.String({ maxLength: 512 }), { default: {} }),
  limits: section({ callsIn: count(100), callsOut: count(10), callsPerSecondIn: rate(10), callsPerSecondOut: rate(1) }),
  allowedPrefixes: Type.Array(
    Type.String({ pattern: '^([+][0-9]{0,15}|[0-9*#]{1,15})$', expected: 'the beginning of numbers, like "+966"' }),
    { default: [] },
  ),
});

export type TrunkFileShape = Static<typeof TrunkFileSchema>;
