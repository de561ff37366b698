// SPDX-License-Identifier: Apache-2.0
// Checks the signatures of requests to S3 (AWS Signature Version 4), in headers and in presigned URLs: s3rver does not.
import { createHash, createHmac } from 'node:crypto';

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const millisOf = (date) => Date.parse(date.replace(DATE, '$1-$2-$3T$4:$5:$6Z'));
/** The clocks of client and server may differ by this much. */
const MAX_SKEW_MS = 15 * 60_000;

/** What a request states about its signature. */
function claimOf({ headers }, query) {
  const presigned = Object.fromEntries([...query].map(([name, value]) => [name.toLowerCase(), value]));
  if (presigned['x-amz-signature'] !== undefined)
    return {
      credential: presigned['x-amz-credential'],
      signedHeaders: presigned['x-amz-signedheaders'],
      signature: presigned['x-amz-signature'],
      date: presigned['x-amz-date'],
      expires: Number(presigned['x-amz-expires']),
      payload: presigned['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
    };
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  return (
    credential && {
      ...{ credential, signedHeaders, signature },
      ...{ date: headers['x-amz-date'], payload: headers['x-amz-content-sha256'] },
    }
  );
}

/** @returns why the request is rejected; undefined if its signature is valid */
export function signatureFault(request, { accessKeyId, secretAccessKey }) {
  const [path, search = ''] = request.url.split('?');
  const query = new URLSearchParams(search);
  const claim = claimOf(request, query);
  if (!claim) return 'AccessDenied';
  const { credential, signedHeaders, signature, date, expires, payload } = claim;
  const [keyId, day, region, service, end] = credential.split('/');
  if (keyId !== accessKeyId) return 'InvalidAccessKeyId';
  const age = Date.now() - millisOf(date);
  if (expires === undefined ? Math.abs(age) > MAX_SKEW_MS : age > expires * 1000 || age < -MAX_SKEW_MS)
    return 'AccessDenied';
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders
    .split(';')
    .map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  const canonical = [request.method, path, canonicalQuery, headers, signedHeaders, payload].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', date, [day, region, service, end].join('/'), digest].join('\n');
  const key = [day, region, service, end].reduce((from, part) => hmac(from, part), `AWS4${secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
