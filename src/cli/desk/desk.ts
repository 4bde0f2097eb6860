import type { Static } from '@sinclair/typebox';
import type { AgentDefinition } from '../../core/agent.ts';
import type { AgentTests } from '../../core/agent-tests.ts';
import type { presentJob } from '../../core/job-queues.ts';
import type { Role, Scope } from '../../core/management.ts';
import type { Phone, TrunkDefinition } from '../../core/trunk.ts';
import type { TrunkStatus } from '../../core/trunk-status.ts';
import type { JudgedTurn } from '../../core/turn-details.ts';
import type { DocumentShape } from '../../manage/schemas/agent-documents.ts';
import type { DialRequest } from '../../outbound/dial-desk.ts';
import type { presentOrder } from '../../outbound/order-view.ts';
import type { presentCall } from '../../store/call-rows.ts';
import type { presentLadder } from '../../store/ladders.ts';
import type { presentNode } from '../../store/node-view.ts';
import type { presentRefused } from '../../store/refused-calls.ts';
import type { WebhookTry } from '../../store/webhook-schema.ts';
import type { CallOutExplanation, ExplainedCallOut } from '../../trunks/explain-call-out.ts';

/**
 * What commands do with a gateway, and see of it: over the database of this machine (`store-desk.ts`), or over the management API of
 * any (`../remote/`). Both give the same, so that no command knows which it has. What nobody has is undefined or false; what is
 * refused is thrown as an OperatorError, in the same words.
 *
 * Times are RFC 3339 in UTC; amounts cents.
 */
export interface Desk {
  readonly accounts: AccountsDesk;
  readonly tokens: SecretsDesk<TokenView, NewToken>;
  readonly keys: SecretsDesk<KeyView, NewKey>;
  readonly people: PeopleDesk;
  readonly agents: AgentsDesk;
  readonly documents: DocumentsDesk;
  readonly calls: CallsDesk;
  readonly orders: OrdersDesk;
  readonly doNotCall: DoNotCallDesk;
  readonly trunks: TrunksDesk;
  readonly phones: PhonesDesk;
  readonly routing: RoutingDesk;
  readonly webhooks: WebhooksDesk;
  readonly jobs: JobsDesk;
  readonly nodes: NodesDesk;
}

/** Of one account where it is named, else of all that may be seen. */
export type OfAccount = string | undefined;

export interface AccountRef {
  readonly id: string;
  readonly name: string;
}
export interface Balance {
  readonly account_id: string;
  readonly balance_cents: number;
  readonly reserved_cents: number;
}
export interface AccountsDesk {
  list(): Promise<readonly AccountRef[]>;
  balances(): Promise<readonly (Balance & { readonly name: string })[]>;
  balance(accountId: string): Promise<Balance>;
  /** With credit and a first token. */
  create(name: string, creditCents: number): Promise<{ readonly account_id: string; readonly token: string }>;
  topup(accountId: string, cents: number): Promise<void>;
}

interface SecretView {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly shown: string; // its beginning and its end
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}
export interface TokenView extends SecretView {
  readonly expiresAt: string | null;
}
export interface KeyView extends SecretView {
  readonly scopes: readonly Scope[];
}
export interface NewToken {
  readonly name: string;
}
export interface NewKey extends NewToken {
  readonly scopes: readonly Scope[];
}
export interface SecretsDesk<View, New> {
  create(accountId: string, made: New): Promise<{ readonly view: View; readonly secret: string }>;
  list(of: OfAccount): Promise<readonly View[]>;
  /** @returns whether it was in force. */
  revoke(id: string): Promise<boolean>;
}

export interface InvitedPerson {
  readonly id: string;
  readonly role: Role;
  readonly accountId: string;
}
export interface PeopleDesk {
  byEmail(email: string): Promise<InvitedPerson | undefined>;
  /** @returns who it is, and the link that sets the password. */
  invite(
    accountId: string,
    email: string,
    role: Role,
  ): Promise<{ readonly person: InvitedPerson; readonly link: string }>;
  link(person: InvitedPerson): Promise<string>;
}

export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly voice: string;
  readonly model: string;
  readonly status: string;
  readonly version: number;
  readonly numbers: readonly string[];
  readonly updated_at: string;
}
export type PublishedAgent = Pick<AgentView, 'id' | 'name' | 'version' | 'status'>;
export interface ImportedAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly number: string;
}
export interface AgentToImport {
  readonly definition: AgentDefinition;
  /** As its file has it, comments and all. */
  readonly text: string | undefined;
  readonly number: string;
  /** The file of its tests; those that are kept stay without it. */
  readonly tests: string | undefined;
  /** The number is taken from whichever account has it. */
  readonly take: boolean;
}
export interface TestsToHold {
  readonly definition: AgentDefinition;
  readonly number: string;
  readonly yaml: string;
  readonly tests: AgentTests;
  readonly voice: boolean;
  readonly only?: readonly string[];
}
export interface WrittenAgent {
  readonly version: number;
  readonly yaml: string;
}
export interface AgentsDesk {
  list(accountId: string): Promise<readonly AgentView[]>;
  /** @throws OperatorError with the first dialogue and turn that differ, where its tests are required and one fails. */
  publish(account: AccountRef, agent: Pick<AgentView, 'id' | 'name'>): Promise<PublishedAgent>;
  /** @returns whether the account has the number. */
  setNumberEnabled(accountId: string, number: string, enabled: boolean): Promise<boolean>;
  numbersElsewhere(accountId: string, numbers: readonly string[]): Promise<readonly string[]>;
  /** The definition of the current version, as somebody wrote it where somebody has. */
  written(accountId: string, agent: Pick<AgentView, 'id' | 'name'>): Promise<WrittenAgent>;
  /** The current version of the agent of that name, new or known, live at once. @throws as `publish`; `taken` as the number. */
  import(accountId: string, agent: AgentToImport): Promise<ImportedAgent | 'number-taken'>;
}

export type DocumentView = Static<typeof DocumentShape>;
/** Whose documents. */
export interface DocumentOwner {
  readonly accountId: string;
  readonly agentId: string;
}
export interface DocumentFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
export interface DocumentsDesk {
  /** The oldest first. */
  list(of: DocumentOwner): Promise<readonly DocumentView[]>;
  /** @throws OperatorError where it is none that an agent answers from, its name is taken, or there is no room. */
  add(of: DocumentOwner, file: DocumentFile): Promise<DocumentView>;
  /** The document when it was read, or as it is after that time; undefined where it is gone. */
  settled(of: DocumentOwner, id: string, waitMs: number): Promise<DocumentView | undefined>;
  /** @returns whether there was one. */
  remove(of: DocumentOwner, id: string): Promise<boolean>;
}

export type CallView = ReturnType<typeof presentCall>;
export type LadderView = ReturnType<typeof presentLadder>;
export interface CallsDesk {
  /** The latest; without `record` nothing that was said, no keys and no quality. */
  list(wish: { readonly limit: number; readonly record: boolean }): Promise<readonly ShownCall[]>;
  /** By our id or the SIP Call-ID. */
  get(id: string): Promise<ShownCall | undefined>;
  ladders(id: string): Promise<readonly LadderView[]>;
  refused(limit: number): Promise<readonly ReturnType<typeof presentRefused>[]>;
  /** Turns of the latest calls, with what models have judged of them. */
  judged(limit: number): Promise<readonly JudgedTurn[]>;
}
export interface ShownCall {
  readonly call: CallView;
  readonly talkMs: number;
}

type Order = ReturnType<typeof presentOrder>;
export type OrderView = Omit<Order, 'end'> & {
  readonly end: { readonly party: string | null; readonly reason: string | null; readonly detail?: string } | null;
};
export type OrderWish = Omit<DialRequest, 'accountId'>;
export interface OrdersDesk {
  /** @throws OperatorError where it is refused, with the reason. */
  place(accountId: string, wish: OrderWish): Promise<OrderView>;
  /** With its attempts. */
  get(id: string): Promise<OrderView | undefined>;
  cancel(id: string): Promise<OrderView | undefined>;
  list(of: OfAccount, limit: number): Promise<readonly OrderView[]>;
}

export interface DoNotCallView {
  readonly number: string;
  readonly account_id: string | null; // null: for all
  readonly note: string;
  readonly since: string;
}
export interface DoNotCallDesk {
  /** @returns the number as it is kept; undefined where it is none. An entry of no account is for all. */
  add(of: OfAccount, written: string, note: string | undefined): Promise<DoNotCallDone | undefined>;
  remove(of: OfAccount, written: string): Promise<DoNotCallDone | undefined>;
  list(of: OfAccount): Promise<readonly DoNotCallView[]>;
}
export interface DoNotCallDone {
  readonly number: string;
  /** Whether it was put there, or taken off. */
  readonly done: boolean;
}

export interface TrunkView {
  readonly id: string;
  readonly name: string;
  readonly accountId: string | undefined; // none: the operator's
  /** Undefined of one of the operator, to others. */
  readonly definition: TrunkDefinition | undefined;
  readonly enabled: boolean;
}
export interface NewTrunkView {
  readonly definition: TrunkDefinition;
  readonly password: string | undefined;
  readonly inboundPassword: string | undefined;
}
export interface PingedHost {
  readonly uri: string;
  readonly ok: boolean;
  readonly status?: number;
  readonly phrase?: string;
  readonly answer_ms?: number;
  readonly why?: string;
  /** That was asked; of a gateway elsewhere it is not known. */
  readonly address?: string;
}
export interface TrunksDesk {
  put(of: OfAccount, trunk: NewTrunkView): Promise<TrunkView>;
  list(of: OfAccount): Promise<readonly (TrunkView & { readonly status: readonly TrunkStatus[] })[]>;
  hasPassword(trunk: TrunkView): Promise<boolean>;
  /** Who asks, in words, and what each host has answered. */
  ping(trunk: TrunkView): Promise<{ readonly asked: string; readonly hosts: readonly PingedHost[] }>;
  setEnabled(trunk: TrunkView, enabled: boolean): Promise<void>;
  remove(trunk: TrunkView): Promise<void>;
}

export interface PhonesDesk {
  create(
    accountId: string,
    made: { readonly name: string; readonly username: string },
  ): Promise<{ readonly phone: Phone; readonly password: string; readonly realm: string } | 'taken'>;
  list(of: OfAccount): Promise<readonly Phone[]>;
  /** The realm of its password, and that of the gateway. */
  realms(phone: Phone): Promise<{ readonly realm: string | undefined; readonly usable: boolean }>;
  remove(phone: Phone): Promise<void>;
}

export interface CallInWish {
  readonly number: string;
  readonly address: string;
  readonly caller: string;
  readonly digest?: string;
}
export interface CallInView {
  readonly taken: boolean;
  readonly sender: 'admitted' | 'challenge' | 'refused';
  readonly source: string | null;
  readonly called: string;
  readonly caller: string;
  readonly agent: string | null;
  readonly account_id: string | null;
  readonly reason: string | null;
  readonly detail: string;
  readonly remedy: string;
}
export interface RoutingDesk {
  in(call: CallInWish): Promise<CallInView>;
  out(call: ExplainedCallOut): Promise<CallOutExplanation>;
}

export interface WebhookView {
  readonly webhook_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly pending: number;
  readonly failed: number;
  readonly last_delivered_at: string | null;
}
export interface DeliveryView {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly tries: number;
  readonly next_at: string | null;
  readonly created_at: string;
  readonly history: readonly WebhookTry[];
}
export interface WebhooksDesk {
  list(of: OfAccount): Promise<readonly WebhookView[]>;
  get(id: string): Promise<Pick<WebhookView, 'webhook_id' | 'account_id' | 'enabled'> | undefined>;
  deliveries(
    webhook: Pick<WebhookView, 'webhook_id' | 'account_id'>,
    wish: { readonly limit: number; readonly state?: DeliveryView['state'] },
  ): Promise<readonly DeliveryView[]>;
  /** @returns how many go again. */
  replaySince(webhook: Pick<WebhookView, 'webhook_id' | 'account_id'>, since: Date): Promise<number>;
  /** @returns whether there is such a delivery. */
  replayOne(webhook: Pick<WebhookView, 'webhook_id' | 'account_id'>, delivery: string): Promise<boolean>;
}

export type FailedJobView = ReturnType<typeof presentJob>;
export interface QueueView {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly failed_jobs: readonly FailedJobView[];
}

/** Work behind the calls; of a queue or a job that is not there undefined. */
export type NodeView = ReturnType<typeof presentNode>;
export interface NodesDesk {
  /** Those that live, those that were lost within the hour, and those that are gone while something on their disk is waited for. */
  list(): Promise<readonly NodeView[]>;
  /** @returns undefined where no such gateway lives. */
  drain(id: string, drains: boolean): Promise<NodeView | undefined>;
  /** @returns how many recordings are gone with it; undefined where there is none that is gone. */
  forget(id: string): Promise<number | undefined>;
}

export interface JobsDesk {
  list(): Promise<readonly QueueView[]>;
  show(queue: string, job: string): Promise<FailedJobView | undefined>;
  /** One job that was given up, else the latest 50. @returns how many begin again. */
  retry(queue: string, job: string | undefined): Promise<number | undefined>;
  /** @returns how many are forgotten. */
  discard(queue: string, job: string | undefined): Promise<number | undefined>;
}
