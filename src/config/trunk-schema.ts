import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { notice } from '../core/notice.ts';

/** Shape and defaults of a file in `config/trunks/`; what it means is checked in `trunks.ts`. */
const section = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { default: {} });
const oneOf = <T extends string>(byDefault: T, ...others: readonly T[]) =>
  Type.Union(
    [byDefault, ...others].map((value) => Type.Literal(value)),
    { default: byDefault },
  );
const name = Type.String({
  ...{ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$', expected: notice('wanted.trunk-name') },
});
const uri = Type.String({
  pattern: '^sips?:(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)(:\\d{1,5})?(;[A-Za-z0-9=;._-]*)?$',
  expected: notice('wanted.sip-uri'),
});
const source = Type.String({
  pattern: '^[0-9a-fA-F.:]+(/\\d{1,3})?$',
  expected: notice('wanted.network'),
});
const header = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', expected: notice('wanted.header') });
const variable = Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: notice('wanted.variable') });
const short = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\s"<>\\\\]+$',
  expected: notice('wanted.word'),
});
const digits = '[+]?[0-9*#]{0,15}';
const count = (byDefault: number) => Type.Integer({ minimum: 0, maximum: 100_000, default: byDefault });
const rate = (byDefault: number) => Type.Number({ minimum: 0, maximum: 1_000, default: byDefault });

const rule = Type.Object({
  match: Type.String({ pattern: `^${digits}$`, expected: notice('wanted.first-digits') }),
  replace: Type.String({ pattern: `^${digits}$`, expected: notice('wanted.other-digits') }),
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
      Type.String({ pattern: '^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)$', expected: notice('wanted.host') }),
    ),
  }),
  register: Type.Optional(
    Type.Object({ expiresSeconds: Type.Integer({ minimum: 60, maximum: 86_400, default: 3_600 }) }),
  ),
  pingSeconds: Type.Integer({ minimum: 0, maximum: 3_600, default: 30 }),
  encryption: oneOf('none', 'allow', 'require'),
  keysInClear: Type.Boolean({ default: false }),
  dtls: Type.Boolean({ default: false }),
  dtmf: oneOf('auto', 'rfc4733', 'info', 'inband'),
  numbersIn: rules,
  numbersOut: rules,
  callerId: oneOf('from', 'p-asserted-identity', 'remote-party-id'),
  headersIn: Type.Array(header, { default: [] }),
  headersOut: Type.Record(Type.String(), Type.String({ maxLength: 512 }), { default: {} }),
  limits: section({ callsIn: count(100), callsOut: count(10), callsPerSecondIn: rate(10), callsPerSecondOut: rate(1) }),
  allowedPrefixes: Type.Array(
    Type.String({ pattern: '^([+][0-9]{0,15}|[0-9*#]{1,15})$', expected: notice('wanted.prefix') }),
    { default: [] },
  ),
});

export type TrunkFileShape = Static<typeof TrunkFileSchema>;
