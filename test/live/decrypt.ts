// SPDX-License-Identifier: Apache-2.0
// The bytes that a viewer has fetched, without METHOD=AES-128 encryption, as RFC 8216 §4.3.2.4 and §5.2 define it.
import { createDecipheriv } from 'node:crypto';
import { mapName, mediaName, type SeenSegment } from '../laws/readBack.ts';

type Media = ReadonlyMap<string, Uint8Array>;

function fetched(media: Media, name: string): Uint8Array {
  const bytes = media.get(name);
  if (bytes === undefined) throw new Error(`${name} was listed but not fetched`);
  return bytes;
}

const attribute = (keys: string, name: string): string | undefined =>
  new RegExp(`[:,]${name}=(?:"([^"]*)"|([^,]*))`)
    .exec(keys)
    ?.slice(1)
    .find((value) => value !== undefined);

/** URIs of the AES-128 keys that apply to a segment or its EXT-X-MAP. */
export const keyUris = ({ keys, mapKeys }: SeenSegment): string[] =>
  [keys, mapKeys].flatMap((lines) => (lines.includes('METHOD=AES-128') ? [attribute(lines, 'URI')!] : []));

/** @param number the IV if none is stated */
function decrypted(bytes: Uint8Array, keys: string, number: number | undefined, media: Media): Uint8Array {
  if (!keys.includes('METHOD=AES-128')) return bytes;
  const stated = attribute(keys, 'IV');
  if (stated === undefined && number === undefined)
    throw new Error(`the key of an EXT-X-MAP must state its IV: ${keys}`);
  const iv = stated?.slice(2) ?? number!.toString(16);
  const key = fetched(media, attribute(keys, 'URI')!);
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv.padStart(32, '0'), 'hex'));
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

export const clearSegment = (segment: SeenSegment, media: Media): Uint8Array =>
  decrypted(fetched(media, mediaName(segment)), segment.keys, segment.number, media);

export function clearMap(segment: SeenSegment, media: Media): Uint8Array | undefined {
  const name = mapName(segment);
  return name === undefined ? undefined : decrypted(fetched(media, name), segment.mapKeys, undefined, media);
}
