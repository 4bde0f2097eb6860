/** One way a database cannot be used, and what to do about it. `<...>` is filled in; nothing filled in can be the password. */
export interface DatabaseFaultRow {
  readonly name: string;
  /** SQLSTATE, or the code of the system, of TLS, of Node; empty for what has none. */
  readonly code: RegExp;
  /** What message and detail have to say besides. */
  readonly says?: RegExp;
  readonly wrong: string;
  readonly mend: string;
}

const ANY = /^/;
const NONE = /^$/;
const REFUSED = /^28000$/;
const NO_RIGHT = /^42501$/;

/** The first row that fits counts. Texts of PostgreSQL are looked at in English, as it says them to whom sets no other language. */
export const DATABASE_FAULTS: readonly DatabaseFaultRow[] = [
  {
    name: 'no URL',
    ...{ code: /^(ERR_INVALID_URL)?$/, says: /invalid url|uri malformed|invalid port/i },
    wrong: 'DATABASE_URL is no URL that can be read.',
    mend:
      'Write postgres://user:password@host:5432/database; within the user and the password, % is %25 and @ : / ? # are ' +
      '%40 %3A %2F %3F %23.',
  },
  {
    name: 'file of TLS missing',
    ...{ code: /^(ENOENT|EACCES|EISDIR)$/, says: /\b(open|read)\b/ },
    wrong: 'A file that DATABASE_URL names cannot be read (<said>).',
    mend: 'Correct sslrootcert, sslcert or sslkey in it, or let the user of the gateway read the file.',
  },
  {
    name: 'file of TLS is none',
    ...{ code: /^ERR_OSSL_/ },
    wrong: 'A file that DATABASE_URL names has no certificate or key of the kind that is asked for (<said>).',
    mend: 'sslrootcert and sslcert have to be certificates, and sslkey the key of sslcert without a passphrase, all as PEM.',
  },
  {
    name: 'name does not resolve',
    ...{ code: /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL)$/ },
    wrong: 'The name <host> of the database does not resolve to an address.',
    mend: 'Correct the host in DATABASE_URL, or the name service of this machine (try `getent hosts <host>`).',
  },
  {
    name: 'nobody there',
    ...{ code: /^(ECONNREFUSED|ENOENT|ENOTSOCK)$/ },
    wrong: 'No PostgreSQL answers at <where>.',
    mend: 'Start it, or correct host and port in DATABASE_URL; on another machine it has to listen on that address (listen_addresses).',
  },
  {
    name: 'no way there',
    ...{ code: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT)$/ },
    wrong: 'Nothing at <where> can be reached (<said>).',
    mend: 'Correct host and port in DATABASE_URL, or open the way there: route, firewall, security group.',
  },
  {
    name: 'no answer',
    ...{ code: NONE, says: /timeout/i },
    wrong: 'Nothing at <where> answers in time.',
    mend: 'Look whether the server hangs, and whether a firewall on the way drops what is sent to that port.',
  },
  {
    name: 'pooler of statements',
    ...{ code: /^08P01$/, says: /statement pooling mode/ },
    wrong: 'The pooler at <where> allows no transactions (pool_mode = statement).',
    mend: 'Set pool_mode = transaction for this database in the pooler.',
  },
  {
    name: 'pooler refuses a setting',
    ...{ code: /^08P01$/, says: /startup parameter/ },
    wrong: 'The pooler at <where> does not take what DATABASE_URL sets for the session (<said>).',
    mend: 'Take that parameter out of DATABASE_URL and set it for the role: ALTER ROLE <user> SET ...',
  },
  {
    name: 'TLS is not offered',
    ...{ code: NONE, says: /does not support ssl/i },
    wrong: 'DATABASE_URL asks for TLS, and the server at <where> offers none.',
    mend: 'Switch it on there (ssl = on, with ssl_cert_file and ssl_key_file), or take sslmode out of DATABASE_URL where the network is yours.',
  },
  {
    name: 'certificate of nobody',
    ...{ code: /SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)/ },
    wrong: 'No authority that this machine knows vouches for the certificate of <where>.',
    mend: 'Name its authority, or where it vouches for itself the certificate: sslmode=verify-full&sslrootcert=/path/to/ca.pem in DATABASE_URL.',
  },
  {
    name: 'certificate out of date',
    ...{ code: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/ },
    wrong: 'The certificate of <where> has expired, or is not valid yet.',
    mend: 'Renew it and have the server read it again (SELECT pg_reload_conf()); or correct the clock of this machine.',
  },
  {
    name: 'certificate of another name',
    ...{ code: /^ERR_TLS_CERT_ALTNAME_INVALID$/ },
    wrong: 'The certificate of <where> is for another name than <host>.',
    mend: 'Use a name that it is for in DATABASE_URL, or give the server a certificate for <host>.',
  },
  {
    name: 'client certificate wanted',
    ...{ code: REFUSED, says: /client certificate|certificate authentication failed/i },
    wrong: 'The server at <where> takes <user> only with a client certificate of its own (<said>).',
    mend: 'Name the pair in DATABASE_URL: sslcert=/path/to/cert.pem&sslkey=/path/to/key.pem; its common name has to be the role.',
  },
  {
    name: 'client certificate refused',
    ...{ code: /^ERR_SSL_.*(ALERT|CERTIFICATE)/ },
    wrong: 'The server at <where> refuses our client certificate, or how TLS is spoken (<said>).',
    mend: 'sslcert in DATABASE_URL has to be of an authority that the server knows (ssl_ca_file there), and must not have expired.',
  },
  {
    name: 'only over TLS',
    ...{ code: REFUSED, says: /no pg_hba\.conf entry.*no encryption/s },
    wrong: 'The server at <where> takes <user> from here without TLS not at all.',
    mend:
      'Add sslmode=verify-full to DATABASE_URL, with sslrootcert=/path/to/ca.pem where the authority is your own; or let it in ' +
      'with a line in pg_hba.conf.',
  },
  {
    name: 'not from here',
    ...{ code: REFUSED, says: /pg_hba\.conf/ },
    wrong: 'The server at <where> takes <user> from this machine to the database <database> not at all.',
    mend: 'Add a line for this address, role and database to pg_hba.conf of the server, and have it read (SELECT pg_reload_conf()).',
  },
  {
    name: 'another Unix user',
    ...{ code: REFUSED, says: /(peer|ident) authentication failed/i },
    wrong: 'The server at <where> takes <user> only from the Unix user of that name.',
    mend: 'Run the gateway as that user, or name host and password in DATABASE_URL (postgres://user:password@127.0.0.1/database).',
  },
  {
    name: 'role may not log in',
    ...{ code: REFUSED, says: /not permitted to log in/ },
    wrong: 'The role <user> may not log in.',
    mend: 'Allow it (ALTER ROLE <user> LOGIN), or name another role in DATABASE_URL.',
  },
  {
    name: 'no such role',
    ...{ code: REFUSED, says: /role .* does not exist/ },
    wrong: 'There is no role <user> on the server at <where>.',
    mend: 'Make it (CREATE ROLE <user> LOGIN PASSWORD ...), or correct the user in DATABASE_URL.',
  },
  {
    name: 'no password',
    ...{ code: NONE, says: /client password must be/i },
    wrong: 'The server at <where> asks for the password of <user>, and DATABASE_URL has none.',
    mend: 'Write it into DATABASE_URL: postgres://user:password@host/database.',
  },
  {
    name: 'wrong password',
    ...{ code: /^28P01$|^08P01$/, says: /password|SASL/ },
    wrong: 'The server at <where> refuses the password of <user>, or has no such role.',
    mend: 'Correct it in DATABASE_URL, where @ : / ? # % are written %40 %3A %2F %3F %23 %25; or set it: ALTER ROLE <user> PASSWORD ...',
  },
  {
    name: 'no such database',
    ...{ code: /^3D000$/ },
    wrong: 'There is no database <database> on the server at <where>.',
    mend: 'Make it (CREATE DATABASE <database> OWNER <user>), or correct the name in DATABASE_URL.',
  },
  {
    name: 'may not connect',
    ...{ code: NO_RIGHT, says: /CONNECT privilege/ },
    wrong: 'The role <user> may not connect to the database <database>.',
    mend: 'Allow it: GRANT CONNECT ON DATABASE <database> TO <user>.',
  },
  {
    name: 'may not make schemas',
    ...{ code: NO_RIGHT, says: /permission denied for database/ },
    wrong: 'The role <user> may not make the schema of the job queues in the database <database>.',
    mend: 'Give it the database (ALTER DATABASE <database> OWNER TO <user>), or GRANT CREATE ON DATABASE <database> TO <user>; or set REDIS_URL.',
  },
  {
    name: 'may not make tables',
    ...{ code: /^(42501|3F000)$/, says: /schema/ },
    wrong: 'The role <user> may not make tables in the database <database> (<said>).',
    mend: 'Give it the database (ALTER DATABASE <database> OWNER TO <user>), or GRANT USAGE, CREATE ON SCHEMA public TO <user> in it.',
  },
  {
    name: 'tables of another role',
    ...{ code: NO_RIGHT },
    wrong: 'The role <user> may not use what another role made in the database <database> (<said>).',
    mend: 'Name the role that made the tables in DATABASE_URL, or give them to <user>: REASSIGN OWNED BY that_role TO <user>.',
  },
  {
    name: 'no connection left',
    ...{ code: /^53300$/ },
    wrong: 'The server at <where> gives no more connections (<said>).',
    mend: 'Raise what it allows (max_connections; CONNECTION LIMIT of role or database), or have each gateway take fewer.',
  },
  {
    name: 'not ready',
    ...{ code: /^(57P03|57P01|57P02)$/ },
    wrong: 'The server at <where> is starting or stopping (<said>).',
    mend: 'Start the gateway again when it is ready (pg_isready says so).',
  },
  {
    name: 'closed to all',
    ...{ code: /^55000$/, says: /accepting connections/ },
    wrong: 'The database <database> takes no connections.',
    mend: 'Open it: ALTER DATABASE <database> ALLOW_CONNECTIONS true.',
  },
  {
    name: 'read-only',
    ...{ code: /^25006$/ },
    wrong: 'The server at <where> is read-only: a replica, or one whose sessions are set so.',
    mend: 'Name the primary in DATABASE_URL, promote this one, or reset default_transaction_read_only.',
  },
  {
    name: 'no PostgreSQL',
    ...{
      code: /^(ECONNRESET|EPIPE)?$/,
      says: /terminated unexpectedly|ECONNRESET|EPIPE|unexpected|There was an error establishing an SSL/i,
    },
    wrong: 'What answers at <where> breaks the connection off: it is no PostgreSQL, or one that just ended.',
    mend: 'Correct host and port in DATABASE_URL; a proxy on the way has to pass on the protocol of PostgreSQL.',
  },
  {
    name: 'anything else',
    code: ANY,
    wrong: 'The database <database> at <where> cannot be used (<said>).',
    mend: 'Look into the log of the server, and correct DATABASE_URL.',
  },
];
