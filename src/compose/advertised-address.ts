/**
 * The address that goes into the SDP of every call: what was configured, else the one listened on. Undefined where that is
 * every address (`0.0.0.0`, `::`): then each call names the one it came in on.
 */
export function advertisedAddress(host: string, external?: string): string | undefined {
  if (external) return external;
  return host === '0.0.0.0' || host === '::' ? undefined : host;
}
