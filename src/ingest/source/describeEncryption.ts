// SPDX-License-Identifier: Apache-2.0
// Names the encryption of a source in the terms of its manifest, so that unreadable encrypted media are not reported as
// damaged. Media whose samples are encrypted (SAMPLE-AES, Common Encryption) can be measured and are passed through.
import { readAttributes } from '../../hls/attributes.ts';
import type { Protection } from '../../timeline/asset/asset.ts';
import { wholeEncryption } from './decryptSegment.ts';
import type { Refusal } from './presentation.ts';

/** ISO/IEC 23001-7 in an MPD: its `value` is the scheme (ISO/IEC 23009-1 5.8.5.2). */
const COMMON_ENCRYPTION = 'urn:mpeg:dash:mp4protection:2011';

function hlsMethod(list: string): string {
  const { attributes } = readAttributes(list);
  const [method, format] = [attributes.get('METHOD')?.value ?? '', attributes.get('KEYFORMAT')?.value ?? 'identity'];
  return `EXT-X-KEY:METHOD=${method}${format === 'identity' ? '' : ` with KEYFORMAT ${format}`}`;
}

function dashScheme(element: string): string {
  const attribute = (name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '';
  const scheme = attribute('schemeIdUri');
  return `ContentProtection ${scheme}${scheme.toLowerCase() === COMMON_ENCRYPTION ? ` (${attribute('value')})` : ''}`;
}

/** For example `EXT-X-KEY:METHOD=AES-256`; undefined if the manifest declares none. */
export function describeEncryption(protection: Protection | undefined): string | undefined {
  const named = [...(protection?.hls ?? []).map(hlsMethod), ...(protection?.dash ?? []).map(dashScheme)];
  return named.length === 0 ? undefined : [...new Set(named)].join(', ').slice(0, 300);
}

/** Refusals whose cause is something other than the encryption. */
const otherFaults: ReadonlySet<Refusal['code']> = new Set(['NOT_FETCHED', 'TIMEOUT', 'NOT_HTTP', 'NO_KEY']);

/** Replaces the refusal of unreadable media by one that names their encryption, if the manifest declares one. */
export function explainEncryption(refusal: Refusal, protection: Protection | undefined): Refusal {
  const method = describeEncryption(protection);
  if (method === undefined || otherFaults.has(refusal.code)) return refusal;
  const key = wholeEncryption(protection) === undefined ? '' : ' with the key that the playlist names';
  const refused = `its media are encrypted (${method}) and cannot be read${key}; publish them clear, or encrypted with AES-128, SAMPLE-AES or Common Encryption`;
  return { code: 'ENCRYPTED', refused };
}

/** For media that are encrypted although their manifest declares no key: no player could get one. */
export const refuseUndeclared = (entry: string): Refusal => ({
  code: 'ENCRYPTED',
  refused: `its media are encrypted (sample entry ${entry}), but the manifest declares no key; add EXT-X-KEY or ContentProtection, without which no player can decrypt them`,
});
