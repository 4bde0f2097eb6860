/** Bytes by kind, as the gateway's metrics tell them. */
export async function memoryOf(gateway) {
  const text = await (await fetch(gateway.metrics)).text();
  return Object.fromEntries(
    [...text.matchAll(/^nidaa_memory_bytes\{kind="(\w+)"\} (\S+)$/gm)].map(([, kind, bytes]) => [kind, Number(bytes)]),
  );
}

/** Slope of the least-squares line through `samples` of `kind`, in bytes a minute. */
export function slopePerMinute(samples, kind) {
  const mean = (of) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [minute, bytes] = [mean((each) => each.minute), mean((each) => each[kind])];
  const spread = samples.reduce((sum, each) => sum + (each.minute - minute) ** 2, 0);
  return samples.reduce((sum, each) => sum + (each.minute - minute) * (each[kind] - bytes), 0) / spread;
}
