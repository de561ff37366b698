// Values of VAST as they are written in the wild: URLs, times, offsets, bit rates.
import { type Flicks, millis, millisToFlicks } from '../time/units.ts';
import { resolveUrl } from './resolveUrl.ts';
import type { VastOffset } from './response.ts';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Encoded as a whole, perhaps more than once. */
function unencoded(text: string): string {
  let url = text;
  for (let times = 0; times < 3 && /^https?(:|%(25)*3A)%(25)*2F|^https?%(25)*3A/i.test(url); times += 1) {
    url = decoded(url);
  }
  return url;
}

/** A URL as a text meant it: without padding, line breaks and control characters, escaped once; macros stay. */
function mended(text: string): string {
  const url = unencoded(text.trim())
    .split(/[\t\r\n]/)
    .map((piece) => piece.trim())
    .join('')
    .replace(/\p{Cc}/gu, '')
    .replace(/&(amp;)+/g, '&')
    .trim();
  return withSlashes(url).replaceAll(' ', '%20');
}

/** Slashes as the URL Standard reads them: backslashes are slashes, and more or fewer than two stand before a host. */
function withSlashes(url: string): string {
  const path = url.search(/[?#]/);
  const end = path < 0 ? url.length : path;
  const slashed = url.slice(0, end).replaceAll('\\/', '/').replaceAll('\\', '/') + url.slice(end);
  return slashed.replace(/^(https?):(?:\/?(?=[^/?#@:])|\/{3,}(?=[^/?#]*[.:]))/i, '$1://');
}

/** Words that stand where a URL should and mean none. */
const placeholder = /^(n\/?a|null|nil|none|undefined|nan|true|false|empty|-+|\.+|\d)$/i;

/** What has no scheme, resolved against the document's address; without one, what names a host. */
function absolute(url: string, base: string | undefined): string | undefined {
  if (/^www\./i.test(url)) return absolute(`//${url}`, base);
  if (!/^[/?.~\p{L}\p{N}_]/u.test(url) || /^[^/?#]*:/.test(url) || placeholder.test(url)) return undefined;
  return base ? resolveUrl(url, base) : url.startsWith('//') ? `https:${url}` : undefined;
}

/**
 * An http(s) URL, or undefined.
 * @param base the address of the document, which relative URLs are resolved against
 */
export function readUrl(text: string, base?: string): string | undefined {
  const written = mended(text);
  const url = /^https?:/i.test(written) ? written : absolute(written, base);
  return url !== undefined && /^https?:\/\/[^/?#]/i.test(url) ? url : undefined;
}

/** Where a click leads: besides http(s) the schemes of apps, but nothing that is run. */
export function readLink(text: string, base?: string): string | undefined {
  const url = mended(text);
  return (
    readUrl(url, base) ?? (/^(?!javascript|data|vbscript|about|file)[a-z][a-z\d+.-]*:[^:]/i.test(url) ? url : undefined)
  );
}

/** What says that there is no URL: nothing, or the placeholder of VAST 4.2 §3.4.4. */
export const isNoUrl = (text: string): boolean => /^\s*(about:blank)?\s*$/i.test(text);

const DAY = 86_400;
/** A bare number above this is milliseconds: no ad lasts an hour. */
const MOST_BARE_SECONDS = 3_600;

function secondsOf(text: string): number | undefined {
  // HH:MM:SS.mmm (VAST 4.2 §3.8.1), HH:MM:SS, MM:SS, and SMPTE's HH:MM:SS:FF without its frames.
  const clock = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,3})(?:[.,](\d{1,9})|:\d{1,3})?$/.exec(text);
  if (clock) {
    const [, hours = '0', minutes, seconds, fraction = '0'] = clock;
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
  }
  const bare = /^(?:PT)?(\d{1,9}(?:\.\d{1,9})?)\s*(?:s|sec|seconds)?$/i.exec(text);
  if (!bare) return undefined;
  const value = Number(bare[1]);
  return value > MOST_BARE_SECONDS ? value / 1000 : value;
}

/** A time in whole milliseconds, also when it is written as bare seconds; undefined when it is none or over a day. */
export function readTime(text: string): Flicks | undefined {
  const seconds = secondsOf(text.trim());
  return seconds === undefined || seconds >= DAY ? undefined : millisToFlicks(millis(Math.round(seconds * 1000)));
}

/** A time or a percentage, as @skipoffset and progress have them (§3.8, §3.14.1). */
export function readOffset(text: string): VastOffset | undefined {
  const percent = /^(\d{1,3}(?:\.\d{1,9})?)\s*%$/.exec(text.trim());
  if (percent) {
    const value = Math.round(Number(percent[1]) * 1000) / 1000;
    return value <= 100 ? { kind: 'percent', percent: value } : undefined;
  }
  const at = readTime(text);
  return at === undefined ? undefined : { kind: 'time', at };
}

/** kbit/s that no picture needs, and that no mezzanine has. */
const MOST_KBITS = 200_000;
/** Bits for each pixel at 25 frames a second: above this even a mezzanine is not. */
const MOST_BITS_A_PIXEL = 4;

/** kbit/s of a bit rate that may have been counted in bit/s; the size of the picture tells where the number does not. */
export function kbitsOf(value: number, width: number | undefined, height: number | undefined): number {
  const kbits = Math.max(1, Math.round(value / 1000));
  const bitsAPixel = width && height ? (value * 1000) / (width * height * 25) : 0;
  const areBits = value > MOST_KBITS || (bitsAPixel > MOST_BITS_A_PIXEL && kbits >= 50);
  return areBits ? kbitsOf(kbits, width, height) : value;
}

const events =
  'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint thirdQuartile ' +
  'complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close ' +
  'overlayViewDuration otherAdInteraction interactiveStart fullscreen exitFullscreen expand collapse ' +
  'replay stop acceptInvitationLinear timeSpentViewing notUsed verificationNotExecuted breakStart breakEnd error impression';
const canonical = new Map(events.split(' ').map((event) => [event.toLowerCase(), event]));

/** An event in VAST's own spelling (§3.14.1 and its predecessors); undefined when it is none of VAST's. */
export const canonicalEvent = (event: string): string | undefined => canonical.get(event.toLowerCase());
