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

const MAX_LENGTH = 20_000;
/** Lines that one tag is broken into. Each is compared with the whole tag. */
const MAX_CONTINUED = 100;

const names = [
  'X-CUE(?:-OUT|-OUT-CONT|-IN|-SPAN|-CONT)?',
  'X-(?:CUEPOINT|AD|PLACEMENT-OPPORTUNITY|DATERANGE)',
  'X-SIGNAL-(?:EXIT|SPAN|RETURN)',
  'X-SCTE35(?:-OUT|-OUT-CONT|-IN)?',
  'X-SCTE-(?:OUT|IN)',
  'SCTE35',
  'OATCLS-SCTE35',
  'X-SPLICEPOINT-SCTE35',
];

/** Packagers also write names in small letters, and a space after `#`. */
const pattern = new RegExp(`^#\\s*(EXT-(?:${names.join('|')}))(?:[:\\s]\\s*(.*))?$`, 'i');

/** Collects the marker tags of a playlist. */
type MarkerCollector = {
  readonly tags: readonly MarkerTag[];
  /** @param line that starts with `#` */
  add(content: string, line: number, segment: number): void;
  /** Appends a line that continues the tag of the line before it. @returns false if it does not */
  extend(content: string, line: number, hasExtinf: boolean): boolean;
};

export function createMarkerCollector(): MarkerCollector {
  const tags: MarkerTag[] = [];
  let lastLine = -1;
  let continued = 0;
  return {
    tags,
    add(content, line, segment) {
      const [, name, value = ''] = pattern.exec(content) ?? [];
      if (name === undefined) return;
      tags.push({ name: name.toUpperCase(), value: value.trim(), line, segment });
      lastLine = line;
      continued = 0;
    },
    extend(content, line, hasExtinf) {
      const tag = tags.at(-1);
      if (tag === undefined || lastLine !== line - 1 || tag.value.length > MAX_LENGTH) return false;
      if (continued >= MAX_CONTINUED) return false;
      if (!continues(tag.value, content, hasExtinf)) return false;
      tags[tags.length - 1] = { ...tag, value: tag.value.replace(/\\$/, '') + content };
      lastLine = line;
      continued += 1;
      return true;
    },
  };
}

/**
 * Some packagers break long tags over several lines. A line continues the value before it if it starts with an attribute,
 * ends an open quote, or is the rest of a message; where a URI is due, only after an unfinished value.
 */
function continues(value: string, content: string, isUriDue: boolean): boolean {
  const isOpen = value.split('"').length % 2 === 0;
  const isUnfinished = isOpen || /[,=\\]$/.test(value);
  if (isOpen && content.includes('"')) return true;
  if (/^[A-Z][A-Z0-9-]*=/.test(content)) return isUnfinished || !isUriDue;
  return !isUriDue && /[0-9A-Za-z+/]{16}$/.test(value) && /^[0-9A-Za-z+/]{2,}=*"?(,|$)/.test(content);
}
