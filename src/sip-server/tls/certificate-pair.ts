import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { certificateNames, type NamedCertificate } from './certificate-names.ts';

/** PEM texts: who we are, and whom we trust. */
export interface TlsPems {
  readonly cert: string; // with the certificates between it and the authority
  readonly key: string;
  /** Authorities whose certificates are taken, in place of the public ones that Node knows. */
  readonly ca?: string;
}

export interface CertificateFacts {
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly selfSigned: boolean;
  readonly fingerprint: string; // SHA-256, upper-case hexadecimal with colons
}

/**
 * What a certificate and its key are good for.
 * @returns `fault` where TLS cannot be spoken with them at all. Whether it is valid today is left to the caller. Never throws.
 */
export function examinePair({ cert, key, ca }: TlsPems): CertificateFacts | { readonly fault: string } {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return { fault: 'the certificate file holds no certificate in PEM' };
  }
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return { fault: 'the key is not that of the certificate' };
  } catch {
    return { fault: 'the key file holds no private key in PEM, or one with a passphrase' };
  }
  if (ca !== undefined && !isCertificate(ca)) return { fault: 'the file of authorities holds no certificate in PEM' };
  try {
    createSecureContext({ cert, key, ...(ca !== undefined && { ca }) });
  } catch (error) {
    return { fault: `TLS does not take them: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}` };
  }
  return {
    names: certificateNames(namesIn(certificate)),
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
    selfSigned: certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey),
    fingerprint: certificate.fingerprint256,
  };
}

const namesIn = ({ subject, subjectAltName }: X509Certificate): NamedCertificate => ({
  subject: { CN: /^CN=(.*)$/m.exec(subject ?? '')?.[1] },
  subjectaltname: subjectAltName,
});

/** What a certificate in PEM is for, as `isCertifiedFor` reads it. Never throws; of what is no certificate it is nothing. */
export function namedCertificate(pem: string): NamedCertificate {
  try {
    return namesIn(new X509Certificate(pem));
  } catch {
    return {};
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== '';
  } catch {
    return false;
  }
}
