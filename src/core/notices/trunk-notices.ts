/** What is wrong with a trunk as it is written, and what its hosts come to. */
export const TRUNK_NOTICES = {
  'trunk.network': 'expected an address or a network, got <got>',
  'trunk.digest-user': 'expected the user that answers the challenge: auth is digest',
  'trunk.realm': 'expected the realm whose challenges are answered: others must not get our hashes',
  'trunk.register-user': 'expected outbound.username: it says who registers',
  'trunk.no-host': 'expected a host: calls and registrations have nowhere to go',
  'trunk.no-way': 'expected inbound.sources or hosts: nothing can come in or go out',
  'trunk.header-name': 'expected the name of a header, got <name>',
  'trunk.header-needed': 'expected another header, got <name>, which the call needs',
  'trunk.header-secret': 'expected another header, got <name>, which is a secret',
  'trunk.rule-fits-all': 'expected digits, or how many digits the number has: this fits every number',
  'trunk.example-form': 'expected two numbers, like "0512345678 -> +966512345678"',
  'trunk.example-unfit': 'expected a number that this rule fits, got <number>',
  'trunk.example-taken': '<number> is taken by rule <rule> above it',
  'trunk.example-made': 'the rules make <made> of <number>, not <wanted>',

  // What hosts of trunks say to OPTIONS and REGISTER.
  'host.silent': 'silent',
  'host.unreachable': 'unreachable',
  'host.not-public': 'not-public',
  'host.distrusted': 'certificate refused: <code>',
  'registration.failed': '<host>: <why>',
  'registration.refused': '<host>: <status>',
  'registration.no-time': '<host>: grants no time',
  'registration.asks-for-ever': '<host>: asks for ever',
} as const;
