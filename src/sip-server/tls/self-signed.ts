import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { addressBytes } from '../message/host-port.ts';
import type { TlsPems } from './certificate-pair.ts';
import { der, derContext, derOid, derText, derTime, derTrue, derUint } from './der.ts';

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  subjectAltName: '2.5.29.17',
};
/** Clocks of phones are a little behind. */
const EARLIER_MS = 3_600_000;
const NAME = { dns: 0x82, uri: 0x86, address: 0x87 }; // context tags of GeneralName (RFC 5280 §4.2.1.6)
const KEY_USAGE = Buffer.from([0x02, 0x84]); // digitalSignature, keyCertSign; two bits unused

export interface SelfSignedOptions {
  /** Domains and addresses it is for, the first of them its common name. At least one. */
  readonly hosts: readonly string[];
  readonly from: Date;
  readonly days: number;
}

/** A certificate that vouches for itself (RFC 5280), and its key: P-256, so that every phone of the last ten years takes it. */
export function makeSelfSigned({ hosts, from, days }: SelfSignedOptions): TlsPems {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der('sequence', derOid(OID.ecdsaWithSha256));
  const commonName = der('sequence', derOid(OID.commonName), derText(hosts[0] ?? 'localhost'));
  const name = der('sequence', der('set', commonName));
  const validity = der(
    'sequence',
    derTime(new Date(from.getTime() - EARLIER_MS)),
    derTime(new Date(from.getTime() + days * 86_400_000)),
  );
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]); // positive, and never short
  const body = der(
    'sequence',
    derContext(0, derUint(Buffer.from([2]))), // version 3
    derUint(serial),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    derContext(3, der('sequence', ...extensions(hosts))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der('sequence', body, algorithm, der('bits', Buffer.from([0]), signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extensions(hosts: readonly string[]): Buffer[] {
  const extension = (oid: string, value: Buffer, isCritical = false): Buffer =>
    der('sequence', derOid(oid), ...(isCritical ? [derTrue()] : []), der('bytes', value));
  return [
    // An authority, so that a phone may be given this very file as whom it believes.
    extension(OID.basicConstraints, der('sequence', derTrue()), true),
    extension(OID.keyUsage, der('bits', KEY_USAGE), true),
    extension(OID.extendedKeyUsage, der('sequence', derOid(OID.serverAuth), derOid(OID.clientAuth))),
    extension(OID.subjectAltName, der('sequence', ...hosts.flatMap(generalNames))),
  ];
}

/** A domain is named twice: as DNS name, and as the SIP identity that goes before it (RFC 5922 §7.1). */
function generalNames(host: string): Buffer[] {
  if (isIP(host) !== 0) return [der(NAME.address, addressBytes(host))];
  return [der(NAME.dns, Buffer.from(host, 'latin1')), der(NAME.uri, Buffer.from(`sip:${host}`, 'latin1'))];
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
