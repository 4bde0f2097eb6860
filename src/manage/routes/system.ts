import { statfs } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { noticeOf } from '../../core/notice.ts';
import type { ManageDeps } from '../deps.ts';
import { type ManageOperation, operation } from '../operation.ts';
import { NoticeShape, oneOf, orNull } from '../schema-names.ts';
import { EngineShape, presentEngine } from './engines.ts';

const Text = Type.String();
const Whole = Type.Integer();

/** How the machine and its parts are. */
export function systemOperations({ store, registry, version, system, engineDesk }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{ id: 'getSystem', method: 'GET', path: '/system', tag: 'System', scope: 'operator' },
        summary: 'How this gateway is: versions, parts, load, storage, and which gateways share its database',
        answer: Type.Object({
          versions: Type.Object({ nidaa: Text, node: Text, postgresql: Text }),
          parts: Type.Record(
            Text,
            Type.Object({
              state: oneOf(['ok', 'degraded', 'down'] as const),
              ...{ detail: orNull(Text), detail_notice: orNull(NoticeShape) },
            }),
            { description: 'Engines too, by what they do: `synthesis`, `reply`, `transcription_en`, ...' },
          ),
          load: Type.Object({
            ...{ calls: Whole, capacity: Whole, media_threads: Whole },
            cpu_percent: Type.Number({ description: 'Of the busiest media thread, of one core.' }),
            lateness_p99_ms: Type.Number({ description: 'Of the clock that sends audio.' }),
            ...{ uptime_seconds: Type.Number(), memory_bytes: Whole },
          }),
          storage: Type.Object({ data_free_bytes: Whole, data_total_bytes: Whole, database_bytes: Whole }),
          engines: Type.Array(EngineShape, {
            description: 'Each by itself, without those that follow it when it fails.',
          }),
          gateways: Type.Array(Type.Object({ id: Text, this: Type.Boolean(), started_at: Text, seen_at: Text })),
        }),
      },
      async () => {
        const { parts, media, dataFolder } = await system();
        const [disk, { rows }, gateways] = await Promise.all([
          statfs(dataFolder),
          store.pool.query<{ version: string; bytes: string }>(
            `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes`,
          ),
          store.gateways.living(),
        ]);
        const said = Object.entries(parts).map(([name, { state, detail }]) => [
          name,
          { state, detail: detail ?? null, detail_notice: noticeOf(detail ?? '', 'part') ?? null },
        ]);
        return {
          versions: { nidaa: version, node: process.version, postgresql: rows[0]!.version },
          parts: Object.fromEntries(said),
          load: {
            ...{ calls: registry.list().length, capacity: media.capacity, media_threads: media.threads },
            ...{ cpu_percent: media.cpuPercent, lateness_p99_ms: media.tickLatenessP99Ms },
            ...{ uptime_seconds: process.uptime(), memory_bytes: process.memoryUsage.rss() },
          },
          storage: {
            ...{ data_free_bytes: disk.bavail * disk.bsize, data_total_bytes: disk.blocks * disk.bsize },
            database_bytes: Number(rows[0]!.bytes),
          },
          engines: engineDesk.list().map(presentEngine),
          gateways: gateways.map(({ id, startedAt, seenAt }) => ({
            ...{
              id,
              this: id === store.gateways.id,
              started_at: startedAt.toISOString(),
              seen_at: seenAt.toISOString(),
            },
          })),
        };
      },
    ),
  ];
}
