// SPDX-License-Identifier: Apache-2.0
// Opens a track: reads its initialization section and its first segment to find its codecs and its timescale. The manifest
// is not consulted.
import { excerpt } from '../../hls/readLines.ts';
import { TS_PACKET, TS_SYNC } from '../../mpegts/packet.ts';
import { explainEncryption } from '../source/describeEncryption.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal, RefusalCode } from '../source/presentation.ts';
import type { OpenedTrack } from './openedTrack.ts';
import { openFragmented } from './openFragmented.ts';
import { openTransport } from './openTransport.ts';

export type TrackOpener = (track: NominalTrack) => Promise<OpenedTrack | Refusal>;

/** Opens each track once, however many callers need it. The result is kept for the opener's life, which is one import. */
export function createTrackOpener(reader: MediaReader): TrackOpener {
  const opened = new Map<NominalTrack, Promise<OpenedTrack | Refusal>>();
  return (track) => {
    const known = opened.get(track);
    if (known !== undefined) return known;
    const opening = openTrack(reader, track).then((found) =>
      'refused' in found ? explainEncryption(found, track.protection) : found,
    );
    opened.set(track, opening);
    return opening;
  };
}

async function openTrack(reader: MediaReader, track: NominalTrack): Promise<OpenedTrack | Refusal> {
  const init = await reader.init(track);
  if (init !== undefined && 'refused' in init) return init;
  if (init !== undefined && !isTransport(init)) return openFragmented(reader, track, init);
  const head = await reader.head(track, 0);
  if ('refused' in head) return head;
  if (isTransport(head.bytes)) return openTransport(reader, track, init ?? new Uint8Array());
  if (!isBoxed(head.bytes)) {
    const { code, what } = unplayable(head.bytes);
    return { code, refused: `its first segment must be fragmented MP4 or MPEG-TS; got ${what}` };
  }
  const whole = head.isWhole ? head : await reader.whole(track, 0);
  return 'refused' in whole ? whole : openFragmented(reader, track, whole.bytes);
}

const letters = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

const isTransport = (bytes: Uint8Array): boolean =>
  bytes[0] === TS_SYNC && (bytes.length <= TS_PACKET || bytes[TS_PACKET] === TS_SYNC);

const isBoxed = (bytes: Uint8Array): boolean =>
  ['ftyp', 'styp', 'moov', 'moof', 'sidx', 'emsg', 'prft', 'free'].includes(letters(bytes, 4, 8));

/** Names what was found instead of media, so that the operator can fix it. */
function unplayable(bytes: Uint8Array): { code: RefusalCode; what: string } {
  const start = letters(bytes, 0, 12);
  if (start.startsWith('ID3') || (bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0)) {
    return { code: 'PACKED_AUDIO', what: 'packed audio (bare AAC or MP3, RFC 8216 §3.4)' };
  }
  if (start.includes('WEBVTT')) return { code: 'NO_MEDIA', what: 'WebVTT' };
  if (/^\s*</.test(start)) return { code: 'WEB_PAGE', what: `a web page or XML (${excerpt(start)})` };
  if (start.startsWith('#EXTM3U')) return { code: 'PLAYLIST', what: 'another playlist' };
  return { code: 'NO_MEDIA', what: bytes.length === 0 ? 'an empty file' : `unknown data (${excerpt(start)})` };
}
