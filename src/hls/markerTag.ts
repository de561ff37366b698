// SPDX-License-Identifier: Apache-2.0
// The tags by which packagers mark ad breaks in media playlists, kept as written. Only EXT-X-DATERANGE is part of HLS
// (RFC 8216 §4.3.2.7). What the tags mean is left to `markers`.

export type MarkerTag = {
  /** Without `#`, e.g. `EXT-X-CUE-OUT`. */
  readonly name: string;
  /** What follows the colon; empty without one. */
  readonly value: string;
  readonly line: number;
  /** The segment that follows, counted from 0 in the playlist; the number of segments after the last one. */
  readonly segment: number;
};

/** More than a playlist of twelve hours has; further tags are ignored. */
const MAX_MARKER_TAGS = 20_000;
const MAX_LENGTH = 20_000;

const pattern =
  /^#(EXT-X-CUE-OUT-CONT|EXT-X-CUE-OUT|EXT-X-CUE-IN|EXT-X-CUE-SPAN|EXT-X-CUE-CONT|EXT-X-CUE|EXT-OATCLS-SCTE35|EXT-X-SCTE35-OUT|EXT-X-SCTE35-IN|EXT-X-SCTE35|EXT-X-SPLICEPOINT-SCTE35|EXT-X-DATERANGE)(?:[:\s]\s*(.*))?$/;

/** Collects the marker tags of a playlist. */
export type MarkerCollector = {
  readonly tags: readonly MarkerTag[];
  /** @param line that starts with `#` */
  add(content: string, line: number, segment: number): void;
  /** Appends a line that continues the tag of the line before it. @returns false if it does not */
  extend(content: string, line: number, hasExtinf: boolean): boolean;
};

export function createMarkerCollector(): MarkerCollector {
  const tags: MarkerTag[] = [];
  let lastLine = -1;
  return {
    tags,
    add(content, line, segment) {
      const match = pattern.exec(content);
      if (match === null || tags.length >= MAX_MARKER_TAGS) return;
      tags.push({ name: match[1]!, value: (match[2] ?? '').trim(), line, segment });
      lastLine = line;
    },
    extend(content, line, hasExtinf) {
      const tag = tags.at(-1);
      if (tag === undefined || lastLine !== line - 1 || tag.value.length > MAX_LENGTH) return false;
      // Some packagers break long tags over several lines. Where a URI is due, only an unfinished value continues.
      if (hasExtinf && !isUnfinished(tag.value)) return false;
      tags[tags.length - 1] = { ...tag, value: tag.value.replace(/\\$/, '') + content };
      lastLine = line;
      return true;
    },
  };
}

const isUnfinished = (value: string): boolean => /[,=\\]$/.test(value) || value.split('"').length % 2 === 0;
