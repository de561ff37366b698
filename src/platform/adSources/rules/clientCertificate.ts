// SPDX-License-Identifier: Apache-2.0
// The certificate that Midroll presents to an ad server: whether it can be used, and what responses show of it.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '../../../channels/demand.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { isoText, millis } from '../../../time/units.ts';

const AT = '/clientCertificate';

function parsed<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** @param given of a request, of any type @param previous what is kept if neither part is sent */
export function certificateFaults(given: unknown, previous: ClientCertificate | undefined): FieldError[] {
  if (given === undefined) return [];
  const { certificate, key } = fieldsOf(given);
  if (certificate === undefined && key === undefined && previous !== undefined) return [];
  const missing = Object.entries({ certificate, key }).filter(([, value]) => value === undefined);
  if (missing.length > 0)
    return missing.map(([name]) =>
      fieldError('required', `${AT}/${name}`, 'is required: send certificate and key together', {
        missingProperty: name,
      }),
    );
  // The schema reports other types.
  if (typeof certificate !== 'string' || typeof key !== 'string') return [];
  const read = parsed(() => new X509Certificate(certificate));
  const secret = parsed(() => createPrivateKey(key));
  const faults: FieldError[] = [];
  if (read === undefined)
    faults.push(
      fieldError('pem', `${AT}/certificate`, 'must be an X.509 certificate as PEM, with its chain if it has one'),
    );
  if (secret === undefined)
    faults.push(fieldError('pem', `${AT}/key`, 'must be a private key as PEM, without a password'));
  if (read !== undefined && secret !== undefined && parsed(() => read.checkPrivateKey(secret)) !== true)
    faults.push(fieldError('pair', `${AT}/key`, 'must be the key of the certificate; got that of another one'));
  return faults;
}

/** Never the key. */
export function showCertificate({ certificate, hosts = [] }: ClientCertificate) {
  const read = parsed(() => new X509Certificate(certificate));
  const ends = read === undefined ? Number.NaN : Date.parse(read.validTo);
  return {
    subject: read?.subject.replaceAll('\n', ', ') ?? '',
    ...(Number.isNaN(ends) ? {} : { expiresAt: isoText(millis(ends)) }),
    hosts,
  };
}
