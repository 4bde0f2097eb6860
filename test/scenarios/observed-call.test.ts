import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type CallRecord, saidIn } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { ChatTestServer, calls, says } from '../support/chat-server.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { OtlpCollector, type ReceivedSpan } from '../support/otlp-collector.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { answers, ToolService } from '../support/tool-service.ts';
import { until } from '../support/until.ts';

/** One call of an agent that asks a service, and all that whoever runs the gateway sees of it. */
describe.skipIf(missingForCalls.length > 0)('a call, as it is seen from outside', () => {
  let model: ChatTestServer;
  let service: ToolService;
  let collector: OtlpCollector;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;
  let metrics: string;
  let call: CallRecord;

  beforeAll(async () => {
    model = await ChatTestServer.start();
    service = await ToolService.start(answers({ status: 'on a red van' }));
    collector = await OtlpCollector.start();
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
conversation: { replyTimeoutMs: 30000 }
telemetry: { otlp: "${collector.url}" }
engines:
  reply: openai
  openai: { baseUrl: "${model.baseUrl}", chatModel: test-model, firstTokenMs: 20000 }
  httpTools: { allowedHosts: ["${service.host}"] }
`,
      'agents/shop.yaml': `number: "1000"
name: Shop
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: "Welcome to the shop. Key in your order." }
tools:
  - name: find_order
    description: Finds an order.
    parameters: [{ name: order, type: digits, minDigits: 9, maxDigits: 9 }]
    method: POST
    url: http://${service.host}/find
    body: { order: "{{order}}" }
    changes: false
`,
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` },
    });
    await prepared(gateway);
    let isBroken = true;
    model.answer = (response, request) => {
      if (isBroken) return void response.writeHead(500).end();
      const { messages } = JSON.parse(request.body) as { messages: { role: string; content: string }[] };
      if (messages.at(-1)!.role === 'tool') return says('It is on a red van.')(response, request);
      const keyed = messages.flatMap(({ role, content }) =>
        role === 'user' ? (/\[Value \d+\]/.exec(content) ?? []) : [],
      );
      calls('', 'find_order', { order: keyed.at(-1) })(response, request);
    };
    ({ call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'your order');
      await phone.press('7#');
      await until(() => gateway.log().includes('"engine failed during a turn"'), 'the model fails');
      isBroken = false;
      await phone.press('452190736#');
      await saidIn(gateway, phone.sipCallId, 'red van');
    }));
    await until(async () => {
      metrics = await gateway.metrics();
      return value('nidaa_calls_active') === 0;
    }, 'the call has given everything back');
    await until(() => collector.spans.some(({ name }) => name === 'call'), 'the call is traced');
  });
  afterAll(async () => {
    await gateway?.dispose();
    folder?.remove();
    await Promise.all([model?.close(), service?.close(), collector?.close()]);
  });

  const value = (row: string): number => {
    const line = metrics.split('\n').find((one) => one.startsWith(`${row} `));
    return line === undefined ? Number.NaN : Number(line.slice(row.length + 1));
  };

  it.each([
    'nidaa_calls_ended_total{party="caller",reason="caller-hangup"}',
    'nidaa_calls_peak',
    'nidaa_calls_capacity',
    'nidaa_media_capacity_calls',
    'nidaa_media_threads{state="up"}',
    'nidaa_rtp_ports_free',
    'nidaa_sip_requests_total{direction="in",method="INVITE"}',
    'nidaa_sip_responses_total{direction="out",method="INVITE",class="2xx"}',
    'nidaa_call_cents_total{for="minutes"}',
    'nidaa_call_cents_total{for="turns"}',
    'nidaa_engine_seconds_count{capability="reply",engine="openai"}',
    'nidaa_part_state{part="database",state="ok"}',
    'nidaa_database_connections_max',
    'process_cpu_seconds_total',
    'process_open_fds',
  ])('counts %s', (row) => {
    expect(value(row)).toBeGreaterThan(0);
  });

  it.each([
    'nidaa_calls_active',
    'nidaa_draining',
    'nidaa_media_threads{state="down"}',
    'nidaa_part_state{part="database",state="down"}',
    'nidaa_recordings_failed_total',
  ])('has nothing in %s', (row) => {
    expect(value(row)).toBe(0);
  });

  /** Of what serves all calls: the recogniser learns the phrases of an agent once. */
  const SHARED = ['phrases left out: words without a pronunciation'];
  /** From the beginning of the call to its end. */
  const logged = (): readonly Record<string, unknown>[] => {
    const lines = gateway
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const at = (msg: string): number => lines.findIndex((line) => line.includes(`"msg":"${msg}"`));
    return lines
      .slice(at('call started'), at('call ended') + 1)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => !SHARED.includes(msg));
  };

  it('has its id and the node in every line that is logged of it, whoever logs', () => {
    const lines = logged();
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['call started', 'engine call failed', 'engine failed during a turn', 'call ended']),
    );
    const node = /node="([^"]+)"/.exec(metrics)?.[1];
    expect(lines.filter((line) => line['call_id'] !== call.id || line['node'] !== node)).toEqual([]);
  });

  it('begins with whose it is and ends with why and how long, and has no number but under `pii`', () => {
    const lines = logged();
    expect(lines.at(0)).toMatchObject({
      ...{ account: expect.stringMatching(/^acc_/), agent: expect.stringMatching(/^agt_/), direction: 'inbound' },
      source: 'loopback',
    });
    expect(lines.at(-1)).toMatchObject({
      ...{ party: 'caller', reason: 'caller-hangup', talkMs: expect.any(Number), durationMs: expect.any(Number) },
    });
    for (const { pii: _, ...line } of lines) expect(JSON.stringify(line)).not.toMatch(/452190736|"1000"|sip:/);
  });

  const below = (parent: ReceivedSpan, name: string): ReceivedSpan[] =>
    collector.spans.filter((span) => span.name === name && span.parentSpanId === parent.spanId);

  it('is a trace: the call, its turns, what took their time, each within the one above it', () => {
    expect(collector.faults).toEqual([]);
    const [root] = collector.spans.filter(({ name }) => name === 'call');
    expect(root!.attributes).toMatchObject({ 'nidaa.call.id': call.id, 'nidaa.end.reason': 'caller-hangup' });
    const turns = below(root!, 'turn');
    expect(turns.length).toBeGreaterThanOrEqual(2); // the greeting, the answer
    const withTool = turns.find((turn) => below(turn, 'tool').length > 0);
    expect(
      Object.fromEntries(['reply', 'speech', 'playout', 'tool'].map((name) => [name, below(withTool!, name).length])),
    ).toEqual({
      ...{ reply: 1, speech: 1, playout: 1, tool: 1 },
    });
    expect(below(withTool!, 'tool')[0]!.attributes['nidaa.tool.outcome']).toBe('ok');
    const byId = new Map(collector.spans.map((span) => [span.spanId, span]));
    for (const { parentSpanId, traceId, startTimeUnixNano, endTimeUnixNano } of collector.spans) {
      expect(traceId).toBe(root!.traceId);
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      const parent = parentSpanId === undefined ? undefined : byId.get(parentSpanId);
      if (!parent) continue;
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent.startTimeUnixNano));
      expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent.endTimeUnixNano));
    }
  });

  it('has nothing personal in its trace, and hands it on to the service that is asked', () => {
    expect(collector.body).not.toMatch(/452190736|red van|Welcome|order number|sip:/);
    const [root] = collector.spans.filter(({ name }) => name === 'call');
    expect(service.requests.map(({ headers }) => headers['traceparent'])).toEqual([
      `00-${root!.traceId}-${root!.spanId}-01`,
    ]);
  });

  it('names its build and its node', () => {
    expect(metrics).toMatch(/^nidaa_build_info\{version="[^"]+",node="[^"]+",nodejs="v\d+\.[^"]+"\} 1$/m);
  });

  it('has nothing personal in its metrics', () => {
    expect(metrics).not.toMatch(/452190736|red van|call_[a-z]{8}/);
  });

  it.skipIf(!hasCommand('promtool'))('is taken by promtool without a word', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: metrics,
      encoding: 'utf8',
    });
    expect({ status, told: stdout + stderr }).toEqual({ status: 0, told: '' });
  });
});
