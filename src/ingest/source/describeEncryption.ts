// Encryption in the words of the format that declares it, so that media that can't be read because of it are not taken for
// damaged ones. What is encrypted inside its samples (SAMPLE-AES, Common Encryption) can be read and is passed through.
import { readAttributes } from '../../hls/attributes.ts';
import type { Protection } from '../../timeline/asset.ts';
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

/** For example `EXT-X-KEY:METHOD=AES-256`; undefined when nothing is declared. */
export function encryptionOf(protection: Protection | undefined): string | undefined {
  const named = [...(protection?.hls ?? []).map(hlsMethod), ...(protection?.dash ?? []).map(dashScheme)];
  return named.length === 0 ? undefined : [...new Set(named)].join(', ').slice(0, 300);
}

/** They say themselves what is wrong, encrypted or not. */
const otherFaults: ReadonlySet<Refusal['code']> = new Set(['NOT_FETCHED', 'TIMEOUT', 'NOT_HTTP', 'NO_KEY']);

/** The refusal of media that are encrypted as a whole in a way that is not read. */
export function explainEncryption(refusal: Refusal, protection: Protection | undefined): Refusal {
  const method = encryptionOf(protection);
  if (method === undefined || otherFaults.has(refusal.code)) return refusal;
  const how = wholeEncryption(protection) === undefined ? '' : ' with the key that it names';
  const refused = `it is encrypted (${method}), and its media can't be read${how}; clear media, AES-128, SAMPLE-AES or Common Encryption is wanted`;
  return { code: 'ENCRYPTED', refused };
}

/** Media that are encrypted although their manifest declares nothing: no player could get the key. */
export const refuseUndeclared = (entry: string): Refusal => ({
  code: 'ENCRYPTED',
  refused: `its media are encrypted (sample entry ${entry}), and the manifest does not say how (EXT-X-KEY, ContentProtection), so no player can get a key`,
});
