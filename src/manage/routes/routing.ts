import { isIP } from 'node:net';
import { Type } from '@sinclair/typebox';
import { callEnd } from '../../call/call-end.ts';
import { isLoopback } from '../../core/address-filter.ts';
import { ServiceError } from '../../core/errors.ts';
import { noticeOf } from '../../core/notice.ts';
import { sourceAddressTo } from '../../core/source-address.ts';
import { STRANGER } from '../../trunks/call-admission.ts';
import { type CallExplanation, type ExplainedCall, explainCall, sourceText } from '../../trunks/explain-call.ts';
import { explainCallOut } from '../../trunks/explain-call-out.ts';
import { remedyOf } from '../../trunks/refusal-log.ts';
import type { ManageDeps } from '../deps.ts';
import { type ManageOperation, operation } from '../operation.ts';
import { NoticeShape, named, noticesOf, oneOf, orNull } from '../schema-names.ts';
import { RECIPE_ASKS, TrunkRecipes } from '../trunk-recipes.ts';

const tag = 'Trunks and phones';
const Text = Type.String();
const RecipeShape = named(
  'TrunkRecipe',
  Type.Object({
    ...{ id: Text, name: Text, about: Text },
    asks: Type.Array(oneOf(RECIPE_ASKS), { description: 'What it should be asked with, to be filled in.' }),
    definition: Type.Unsafe<object>({ type: 'object', description: 'A trunk, as `createTrunk` takes it.' }),
    there: Type.Array(
      Type.Object({ title: Text, text: Text, fields: Type.Array(Type.Object({ name: Text, value: Text })) }),
      { description: 'What to enter at the other side: a file to copy, or fields.' },
    ),
    notes: Type.Array(Text),
  }),
);
export const CallInShape = Type.Object({
  taken: Type.Boolean(),
  sender: oneOf(['admitted', 'challenge', 'refused'] as const, 'challenge: nobody known, who may prove who it is.'),
  source: orNull(Text),
  ...{ called: Text, caller: Text, agent_id: orNull(Text), agent: orNull(Text), account_id: orNull(Text) },
  ...{ reason: orNull(Text), detail: Text, detail_notice: orNull(NoticeShape) },
  ...{ remedy: Text, remedy_notice: orNull(NoticeShape) },
});
export const CallOutShape = Type.Object({
  allowed: Type.Boolean(),
  trunk: orNull(Type.String({ description: 'Its name; null where it needs none.' })),
  attempts: Type.Array(Type.Object({ uri: Text, from: Text, next_hop: orNull(Text) }), {
    description: 'One after the other, until one is answered.',
  }),
  passed_over: Type.Array(Type.Object({ trunk: Text, why: Text, why_notice: orNull(NoticeShape) })),
  ...{ reason: orNull(Text), detail: Text, detail_notice: orNull(NoticeShape) },
});
/** A documentation address (RFC 5737): asks for the route to anywhere. */
const ANYWHERE = '192.0.2.1';
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** What becomes of a call that comes in, and how the other side is set up for it. */
export function routingOperations({ store, sip, clock, logger }: ManageDeps): ManageOperation[] {
  const recipes = new TrunkRecipes();
  return [
    operation(
      {
        ...{ id: 'explainCall', method: 'GET', path: '/routing/in', tag, scope: 'account' },
        summary: 'What happens when a number is called from an address, and what would let the call in',
        description:
          'By the rules as they are stored, wherever phones are. Without the scope `operator` other accounts are as unknown as none.',
        query: Type.Object({
          number: Type.String({ minLength: 1, maxLength: 100 }),
          address: Type.String({ maxLength: 64, description: 'IPv4 or IPv6, that the call comes from.' }),
          caller: Type.Optional(Type.String({ maxLength: 100, description: 'The calling number.' })),
          digest: Type.Optional(
            Type.String({ maxLength: 100, description: 'The user whose password the call proves.' }),
          ),
        }),
        answer: CallInShape,
      },
      async ({ who, accountId, query }) => {
        const { number, address, caller = '', digest } = query;
        if (isIP(address) === 0) throw new ServiceError('invalid_request', 'address is no IP address');
        const call = { number, address, caller, ...(digest !== undefined && { digest }) };
        const explained = await explainCall(store, sip, clock, call);
        const {
          sender,
          seen,
          agent,
          end,
          remedy = '',
        } = who.scopes.includes('operator') ? explained : ownView(explained, call, accountId);
        return {
          ...{ taken: end === undefined, sender, source: sender === 'admitted' ? sourceText(seen.source) : null },
          ...{
            called: seen.called,
            caller: seen.from,
            agent_id: agent?.id ?? null,
            agent: agent?.definition.name ?? null,
          },
          ...{ account_id: agent?.accountId ?? null, reason: end?.reason ?? null, detail: end?.detail ?? '', remedy },
          ...noticesOf({ detail: end?.detail ?? '', remedy }),
        };
      },
    ),
    operation(
      {
        ...{ id: 'explainCallOut', method: 'GET', path: '/routing/out', tag, scope: 'account' },
        summary: 'Which way a call out would go, and why not another; calls nobody',
        description: 'By the rules as they are stored, wherever phones are and whichever hosts answer.',
        query: Type.Object({
          to: Type.String({ minLength: 1, maxLength: 300, description: 'A number, `sip:`, `tel:` or `phone:NAME`.' }),
          from: Type.Optional(Type.String({ maxLength: 100, description: 'The calling number.' })),
          trunk: Type.Optional(Type.String({ maxLength: 100, description: 'By this one only: id or name.' })),
        }),
        answer: CallOutShape,
      },
      async ({ accountId, query }) => {
        const { to: target, from = '', trunk } = query;
        const wish = { accountId, target, from, ...(trunk !== undefined && { trunk }) };
        const { reason = null, detail = '', ...way } = await explainCallOut({ store, sip, clock, logger }, wish);
        const passed_over = way.passed_over.map((one) => ({ ...one, why_notice: noticeOf(one.why, 'end') ?? null }));
        return { ...way, passed_over, reason, detail, detail_notice: noticeOf(detail, 'end') ?? null };
      },
    ),
    operation(
      {
        ...{ id: 'listTrunkRecipes', method: 'GET', path: '/trunk-recipes', tag, scope: 'read' },
        summary: 'How the usual exchanges and carriers are connected, with the addresses of this gateway filled in',
        query: Type.Object({
          language: Type.Optional(oneOf(['en', 'ar'] as const, 'en without it.')),
          theirs: Type.Optional(
            Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$', description: 'Address or host name of the other side.' }),
          ),
          number: Type.Optional(
            Type.String({ pattern: '^[A-Za-z0-9+*#._-]{1,64}$', description: 'That is to be dialled.' }),
          ),
          username: Type.Optional(
            Type.String({ pattern: '^[A-Za-z0-9+_.~-]{1,128}$', description: 'That a carrier gave.' }),
          ),
        }),
        answer: Type.Object({
          gateway: Type.Object({
            address: Type.String({ description: 'As others reach it, as far as this machine knows.' }),
            port: Type.Integer(),
            rtp_ports: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
            only_local: Type.Boolean({ description: 'It listens for this machine alone: `NIDAA_HOST` opens it.' }),
          }),
          items: Type.Array(RecipeShape),
        }),
      },
      async ({ query }) => {
        const { language = 'en', ...asked } = query;
        const { port, rtpPorts } = sip.listens();
        const own = sip.externalAddress ?? sip.host;
        const address = WILDCARDS.includes(own) ? (sourceAddressTo(ANYWHERE) ?? '127.0.0.1') : own;
        const facts = { address, port, rtpMin: rtpPorts.min, rtpMax: rtpPorts.max };
        return {
          gateway: { address, port, rtp_ports: rtpPorts, only_local: isLoopback(sip.host) },
          items: recipes.fill(facts, asked, language).map((one) => ({
            ...one,
            ...{ asks: [...one.asks], notes: [...one.notes] },
            there: one.there.map((part) => ({ ...part, fields: [...part.fields] })),
          })),
        };
      },
    ),
  ];
}

/** As if there were no other account. */
function ownView(explained: CallExplanation, call: ExplainedCall, accountId: string): CallExplanation {
  const { sender, seen, agent } = explained;
  const { source } = seen;
  const sourceAddress = `${call.address}:5060`;
  const owner = source && 'accountId' in source ? source.accountId : undefined;
  if (owner !== undefined && owner !== accountId) {
    const end = callEnd('gateway', 'not-allowed', STRANGER);
    const stranger = { called: call.number, from: call.caller };
    return { sender: 'refused', seen: stranger, end, remedy: remedyOf(end, { sourceAddress }) };
  }
  if (!agent || agent.accountId === accountId) return explained;
  const end = callEnd('gateway', 'no-such-number', '');
  return { sender, seen, end, remedy: remedyOf(end, { sourceAddress }) };
}
