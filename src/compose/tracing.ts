import type { CallTracing } from '../call/call-trace.ts';
import type { Config } from '../config/load.ts';
import { OtlpExporter, type OtlpExporterOptions } from '../telemetry/otlp-exporter.ts';

type Parts = Pick<OtlpExporterOptions, 'clock' | 'logger' | 'metrics'> & {
  readonly version: string;
  readonly node: string;
};

/** Where calls are traced to; undefined where they are not. `started` has it closed after the calls. */
export function openTracing(
  { telemetry: { otlp, share, joinCallers } }: Config,
  { version, node, ...parts }: Parts,
  started: (part: OtlpExporter, close: (part: OtlpExporter) => Promise<unknown>) => OtlpExporter,
): CallTracing | undefined {
  if (otlp === 'none') return undefined;
  const resource = { name: 'nidaa', version, node };
  const exporter = started(new OtlpExporter({ ...parts, url: otlp, resource }), (e) => e.close());
  return { sink: exporter.take, joinsCallers: joinCallers, share };
}
