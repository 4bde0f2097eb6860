import { existsSync, mkdirSync } from 'node:fs';
import type pg from 'pg';
import { type Clock, systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { AccountRows } from './accounts.ts';
import { AgentDocumentRows } from './agent-documents.ts';
import { AgentTestRows } from './agent-tests.ts';
import { AgentRows } from './agents.ts';
import { AuditRows } from './audit.ts';
import { BookingRows } from './booking-rows.ts';
import { CallAnalyses } from './call-analyses.ts';
import { CallRows } from './call-rows.ts';
import { ChargeRows } from './charge-rows.ts';
import { budgetFault, type ConnectionBudget, TOOL_BUDGET } from './connection-budget.ts';
import { type Database, endPool, openDatabase, openPool, type Prepared, prepareDatabase } from './database.ts';
import { type DatabaseAccess, ownConnection } from './database-access.ts';
import { DatabaseTrouble } from './database-trouble.ts';
import { DialOrderRows } from './dial-order-rows.ts';
import { DoNotCallRows } from './do-not-call-rows.ts';
import { EmbeddedPostgres, findRunningPostgres } from './embedded-postgres.ts';
import { ErasureRows } from './erasures.ts';
import { type GatewayIdentity, identityOf } from './gateway-identity.ts';
import { GatewayRows } from './gateways.ts';
import { IdempotencyRows } from './idempotency.ts';
import { LadderRows } from './ladders.ts';
import { LeaseConnection } from './lease-connection.ts';
import { locksFault } from './lock-room.ts';
import { ManagementKeyRows } from './management-keys.ts';
import { MonthRows } from './months.ts';
import { NumberRows } from './numbers.ts';
import { OneUseTokenRows } from './one-use-tokens.ts';
import { OverviewRows } from './overview.ts';
import { PersonRows } from './people.ts';
import { PersonAccessRows } from './person-access.ts';
import { PhoneRows } from './phones.ts';
import { RecordingRows } from './recordings.ts';
import { RefusedCallRows } from './refused-calls.ts';
import { RegistrationRows } from './registrations.ts';
import { RetentionRows } from './retention-rows.ts';
import { openSecretBox, requireRightKey, type SecretBox } from './secrets.ts';
import { SessionRows } from './session-rows.ts';
import { SettingRows } from './settings.ts';
import { TokenRows } from './tokens.ts';
import { TrunkStateRows } from './trunk-states.ts';
import { TrunkRows } from './trunks.ts';
import { UsageRows } from './usage.ts';
import { WebhookDeliveryRows } from './webhook-deliveries.ts';
import { WebhookRows } from './webhooks.ts';

export interface StoreOptions {
  /** postgres://...; without it the gateway runs its own server in `dataFolder`. */
  readonly databaseUrl?: string;
  /** The PostgreSQL itself, where `databaseUrl` names a pooler before it. */
  readonly directUrl?: string;
  /** How many connections to open; without it, as many as a command needs. */
  readonly budget?: ConnectionBudget;
  readonly dataFolder: string;
  /** Calls of one account that may go on at once, over all gateways; undefined: as many as it likes. */
  readonly callsPerAccountMax?: number;
  /** What secrets are sealed with (`NIDAA_SECRET_KEY`); without it a file in `dataFolder` has the key. */
  readonly secretKey?: string | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** For tools beside the gateway: uses the server of one that is running on the folder, and starts one only without. */
  readonly attach?: boolean;
  /** Makes neither tables nor the folder: what is not there, or not up to date, is an error. */
  readonly asItIs?: boolean;
}

const CLOSE_MS_MAX = 5_000;
const NO_TIME_LIMIT =
  'nothing on the server ends statements that take too long, since the pooler takes no settings: ALTER ROLE ... SET statement_timeout = 5000';
/** A database that takes longer to say that it lives is of no use to anybody who waits for an answer. */
const ANSWER_MS_MAX = 2_000;

/** The database and everything that is read from or written to it. `close()` also stops a server of our own. */
export class Store {
  readonly db: Database;
  readonly accounts: AccountRows;
  readonly tokens: TokenRows;
  readonly agents: AgentRows;
  readonly agentTests: AgentTestRows;
  readonly agentDocuments: AgentDocumentRows;
  readonly numbers: NumberRows;
  readonly calls: CallRows;
  readonly callAnalyses: CallAnalyses;
  readonly recordings: RecordingRows;
  readonly sessions: SessionRows;
  readonly charges: ChargeRows;
  readonly bookings: BookingRows;
  readonly idempotency: IdempotencyRows;
  readonly oneUseTokens: OneUseTokenRows;
  readonly settings: SettingRows;
  readonly gateways: GatewayRows;
  readonly trunks: TrunkRows;
  readonly phones: PhoneRows;
  readonly refusedCalls: RefusedCallRows;
  readonly retention: RetentionRows;
  readonly erasures: ErasureRows;
  readonly dialOrders: DialOrderRows;
  readonly doNotCall: DoNotCallRows;
  readonly registrations: RegistrationRows;
  readonly trunkStates: TrunkStateRows;
  readonly ladders: LadderRows;
  readonly months: MonthRows;
  readonly managementKeys: ManagementKeyRows;
  readonly people: PersonRows;
  readonly personAccess: PersonAccessRows;
  readonly audit: AuditRows;
  readonly usage: UsageRows;
  readonly overview: OverviewRows;
  readonly webhooks: WebhookRows;
  readonly webhookDeliveries: WebhookDeliveryRows;
  #asking: Promise<boolean> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    readonly pool: pg.Pool,
    /** Whole transactions in one message each. */
    readonly oneTrip: pg.Pool,
    private readonly lease: LeaseConnection,
    private readonly access: DatabaseAccess,
    /** The server we run, if we do. */
    readonly server: EmbeddedPostgres | undefined,
    own: GatewayIdentity,
    private readonly clock: Clock,
    secrets: () => SecretBox,
    { dataFolder, callsPerAccountMax }: StoreOptions,
  ) {
    this.db = openDatabase(pool);
    this.accounts = new AccountRows(this.db, clock);
    this.tokens = new TokenRows(this.db, clock);
    this.agents = new AgentRows(this.db, () => this.numbers.forget());
    this.agentTests = new AgentTestRows(this.db);
    this.agentDocuments = new AgentDocumentRows(this.db, clock);
    this.numbers = new NumberRows(this.db, this.agents, clock);
    this.calls = new CallRows(this.db, own);
    this.recordings = new RecordingRows(this.db, pool, own);
    this.callAnalyses = new CallAnalyses(this.pool);
    this.sessions = new SessionRows(own);
    this.charges = new ChargeRows(pool, clock);
    this.bookings = new BookingRows(pool, own, callsPerAccountMax, clock);
    this.idempotency = new IdempotencyRows(pool, own, clock);
    this.oneUseTokens = new OneUseTokenRows(pool);
    this.settings = new SettingRows(this.db);
    this.gateways = new GatewayRows(pool, own, lease);
    this.trunks = new TrunkRows(this.db, secrets);
    this.phones = new PhoneRows(this.db, secrets);
    this.refusedCalls = new RefusedCallRows(this.db, own);
    this.retention = new RetentionRows(this.db, pool);
    this.erasures = new ErasureRows(pool, access.direct ?? access.connection, secrets, dataFolder);
    this.dialOrders = new DialOrderRows(this.db, pool, own);
    this.doNotCall = new DoNotCallRows(this.db);
    this.registrations = new RegistrationRows(pool);
    this.trunkStates = new TrunkStateRows(pool, own);
    this.ladders = new LadderRows(this.db, own);
    this.months = new MonthRows(pool, clock);
    this.managementKeys = new ManagementKeyRows(this.db, clock);
    this.personAccess = new PersonAccessRows(this.db, pool, clock);
    this.people = new PersonRows(this.db, pool, () => this.personAccess.forget());
    this.audit = new AuditRows(this.db);
    this.usage = new UsageRows(pool, clock);
    this.overview = new OverviewRows(pool, clock);
    this.webhooks = new WebhookRows(this.db, secrets, clock);
    this.webhookDeliveries = new WebhookDeliveryRows(this.db, pool, clock);
  }

  /**
   * Starts or reaches the database and brings its tables up to date, unless they are to stay as they are.
   *
   * @throws OperatorError when that is not possible, saying what to do.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { dataFolder, logger, clock = systemClock, asItIs = false, budget = TOOL_BUDGET } = options;
    if (!asItIs && !existsSync(dataFolder)) mkdirSync(dataFolder, { recursive: true, mode: 0o711 });
    const secrets = secretBoxOf(options);
    const running = options.attach && !options.databaseUrl ? findRunningPostgres(dataFolder) : undefined;
    const server =
      options.databaseUrl || running ? undefined : await EmbeddedPostgres.start({ dataFolder, logger, clock });
    const connection = options.databaseUrl
      ? { connectionString: options.databaseUrl }
      : (running ?? server!.connection);
    const direct = options.directUrl === undefined ? undefined : { connectionString: options.directUrl };
    const identity = identityOf(dataFolder, asItIs);
    let prepared: Prepared;
    try {
      prepared = await prepareDatabase(connection, direct, asItIs, asItIs ? undefined : identity);
      if (prepared.applied > 0) logger.info({ applied: prepared.applied }, 'database brought up to date');
    } catch (error) {
      await server?.close();
      if (options.databaseUrl) throw error;
      throw new OperatorError(`Cannot use the embedded database: ${errorText(causeOf(error))}.`, { cause: error });
    }
    const { pooled } = prepared;
    const { pool, trips } = budget;
    const access = { connection, direct, pooled };
    const store = new Store(
      openPool({ ...connection, max: pool }, logger, pooled),
      openPool({ ...connection, max: trips }, logger, pooled),
      new LeaseConnection(access, logger),
      access,
      server,
      identity,
      clock,
      secrets,
      options,
    );
    try {
      if (!asItIs) await requireRightKey(store.pool, secrets());
      if (!asItIs) await store.months.prepare();
      const fault = options.budget && !pooled && (await budgetFault(store.pool, budget, identity.node));
      if (fault) logger.warn({ fault }, 'connections to the database may run out');
      const locks = options.budget && !pooled && (await locksFault(store.pool, budget, identity.node));
      if (locks) logger.warn({ fault: locks }, 'locks of the database may run out');
      if (pooled && !prepared.timeLimited) logger.warn(NO_TIME_LIMIT);
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  /** How others (the job queues) open connections of their own to the same database. @throws OperatorError where they cannot. */
  get connection(): pg.PoolConfig {
    return ownConnection(this.access);
  }

  /** For a transaction on a connection of its own, which a pooler has too. */
  get reachable(): pg.PoolConfig {
    return this.access.direct ?? this.access.connection;
  }

  /** Whether the database answers now, or at least soon. Never throws. However many ask, one question is under way. */
  isUp(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  #ask(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.clock.setTimer(ANSWER_MS_MAX, () => resolve(false));
      const answered = (isUp: boolean): void => {
        this.clock.clearTimer(timer);
        resolve(isUp);
      };
      this.pool.query('SELECT 1').then(
        () => answered(true),
        () => answered(false),
      );
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    let timer: object | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.clock.setTimer(CLOSE_MS_MAX, resolve);
    });
    const ended = Promise.all([endPool(this.pool), endPool(this.oneTrip), this.lease.close()]);
    await Promise.race([ended, late]); // A statement on a dead server must not keep us.
    this.clock.clearTimer(timer);
    await this.server?.close();
  }
}

/** Of a server of ours, whose URL nobody wrote, only what it said itself is of use. */
const causeOf = (error: unknown): unknown => (error instanceof DatabaseTrouble && error.cause ? error.cause : error);

/** A gateway has its key from its start on, so that a fault of it is seen then; tools look for it when they need it. */
function secretBoxOf({ secretKey, dataFolder, asItIs = false }: StoreOptions): () => SecretBox {
  let box = asItIs ? undefined : openSecretBox({ secretKey, dataFolder, make: true });
  return () => (box ??= openSecretBox({ secretKey, dataFolder, make: false }));
}
