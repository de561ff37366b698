// SPDX-License-Identifier: Apache-2.0
// The EXT-X-KEY tags of live segments, in a form that does not depend on the playlist they are in.
import { type Attributes, writeAttributes } from '../../../hls/attributes.ts';
import type { SegmentKeys, SegmentMap } from '../../../hls/mediaPlaylist.ts';

export type KeyWriter = {
  /** The attribute lists of the tags in force at the segment with this media sequence number. */
  ofSegment(keys: SegmentKeys, number: number): readonly string[];
  /** Those in force at the EXT-X-MAP of a segment; undefined if they are those of the segment. */
  ofMap(map: SegmentMap, keys: SegmentKeys): readonly string[] | undefined;
};

type Written = { readonly lists: readonly string[] /** For each list. */; readonly isNumbered: readonly boolean[] };

/** @param base the URL of the playlist */
export function createKeyWriter(base: string): KeyWriter {
  const known = new Map<SegmentKeys, Written>();
  const write = (keys: SegmentKeys): Written => {
    const written = known.get(keys) ?? {
      lists: keys.map((key) => writeAttributes(withAbsoluteUri(key, base))),
      isNumbered: keys.map(isNumbered),
    };
    known.set(keys, written);
    return written;
  };
  return {
    ofSegment(keys, number) {
      const written = write(keys);
      const { lists } = written;
      if (!written.isNumbered.includes(true)) return lists;
      const iv = number.toString(16).padStart(32, '0');
      return lists.map((list, index) => (written.isNumbered[index] ? `${list},IV=0x${iv}` : list));
    },
    ofMap({ keys: own = NONE }, keys) {
      const isSame = own === keys || own.length + keys.length === 0;
      return isSame && !write(keys).isNumbered.includes(true) ? undefined : write(own).lists;
    },
  };
}

const NONE: SegmentKeys = [];

/** Whether the media sequence number is the IV (RFC 8216 §5.2). In other formats the IV may come with the key. */
const isNumbered = (key: Attributes): boolean =>
  !key.has('IV') && (key.get('KEYFORMAT')?.value ?? 'identity') === 'identity';

function withAbsoluteUri(key: Attributes, base: string): Attributes {
  const uri = key.get('URI')!;
  // `skd:` and `data:` URIs stay as written.
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri.value) || !URL.canParse(uri.value, base)) return key;
  return new Map(key).set('URI', { quoted: true, value: new URL(uri.value, base).href });
}
