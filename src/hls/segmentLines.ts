// SPDX-License-Identifier: Apache-2.0
// The lines of media playlists that live and on-demand playlists share (RFC 8216 §4.3).
import { isoText } from '../time/isoText.ts';
import { FLICKS_PER_SECOND, type Millis } from '../time/units.ts';
import type { MediaRef, Protection, Track } from '../timeline/asset/asset.ts';
import { segmentUrl } from '../timeline/asset/segmentUrl.ts';
import { decimalSeconds } from './attributes.ts';

const byteRange = (ref: MediaRef): string => (ref.range ? `${ref.range.length}@${ref.range.start}` : '');

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Playlists are ASCII: other characters of a source are percent-encoded (RFC 3986 §2.1). */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e\n]+/g, (other) => encodeURI(wellFormed(other)));

const keyLines = (keys: readonly string[]): string => keys.map((attributes) => `#EXT-X-KEY:${attributes}\n`).join('');

/** With METHOD=AES-128 and no IV the sequence number is the IV (§5.2). Ours differs from the source's, so it is written. */
const keyLinesWithIv = (protection: Protection, iv: number): string =>
  (protection.hls ?? []).map((keys) => `#EXT-X-KEY:${keys},IV=0x${iv.toString(16).padStart(32, '0')}\n`).join('');

/** The key lines of segment `index`, if the segments of its track have different ones. */
function ownKeyLines({ protection }: Track, index: number): string {
  if (protection?.firstIv !== undefined) return ascii(keyLinesWithIv(protection, protection.firstIv + index));
  const keys = protection?.hlsOfEach?.[index];
  if (keys === undefined) return '';
  return keys.length === 0 ? NO_KEY : ascii(keyLines(keys));
}

export const NO_KEY = '#EXT-X-KEY:METHOD=NONE\n';

const isEncrypted = ({ protection }: Track): boolean =>
  protection?.hls !== undefined || protection?.hlsOfEach !== undefined;

/** The lines before the first segment of a track in a playlist. */
export type Head = {
  /** Empty also if each segment has its own. */
  readonly keys: string;
  readonly map: string;
  /** The keys that apply to the EXT-X-MAP tag. */
  readonly mapKeys: string;
  readonly isEncrypted: boolean;
};

export function headOf(track: Track): Head {
  const { init, protection } = track;
  const keys = protection?.firstIv === undefined ? ascii(keyLines(protection?.hls ?? [])) : '';
  const about = { keys, isEncrypted: isEncrypted(track) };
  if (init === undefined) return { ...about, map: '', mapKeys: '' };
  const range = init.range ? `,BYTERANGE="${byteRange(init)}"` : '';
  const ofInit = protection?.hlsOfInit ?? protection?.hlsOfEach?.[0];
  const mapKeys = ofInit === undefined ? keys : ascii(keyLines(ofInit));
  return { ...about, map: ascii(`#EXT-X-MAP:URI="${init.url}"${range}\n`), mapKeys };
}

/**
 * A key applies to the EXT-X-MAP tags after it, too (RFC 8216 §4.3.2.4), so a map stands where its own keys are in force.
 * @param wasEncrypted whether keys are in force before these lines
 */
export function headLines({ keys, map, mapKeys, isEncrypted: isNext }: Head, wasEncrypted: boolean): string {
  if (map === '') return (wasEncrypted && !isNext ? NO_KEY : '') + keys;
  const before = mapKeys === '' && wasEncrypted ? NO_KEY : mapKeys;
  if (keys === mapKeys) return before + map;
  return before + map + (isNext ? keys : NO_KEY);
}

export const dateLine = (at: Millis): string => `#EXT-X-PROGRAM-DATE-TIME:${isoText(at)}\n`;

/** @param offset flicks after the start of the playlist */
export const startLine = (offset: number): string =>
  `#EXT-X-START:TIME-OFFSET=${(offset / FLICKS_PER_SECOND).toFixed(3)},PRECISE=YES\n`;

/** Marker tags of an origin. */
export const tagLines = (tags: readonly string[]): string => tags.map((tag) => `${ascii(tag)}\n`).join('');

/**
 * The lines of segment `index` of a track.
 * @param micros its duration in microseconds
 * @param date its EXT-X-PROGRAM-DATE-TIME line, if it has one
 */
export function segmentLines(track: Track, index: number, micros: number, date = ''): string {
  const ref = segmentUrl(track, index);
  const gap = track.gaps?.has(index) ? '#EXT-X-GAP\n' : '';
  const range = ref.range ? `#EXT-X-BYTERANGE:${byteRange(ref)}\n` : '';
  const tags = track.tags === undefined ? '' : tagLines(track.tags.get(index) ?? []);
  return `${tags}${ownKeyLines(track, index)}${date}${gap}#EXTINF:${decimalSeconds(micros)},\n${range}${ascii(ref.url)}\n`;
}
