// SPDX-License-Identifier: Apache-2.0
// Attribute lists of HLS tags (RFC 8216 §4.2): how values are written, not what they mean.

type Attribute = { readonly value: string; readonly quoted: boolean };
export type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Reads `NAME=value,NAME="quoted, value"`. Lenient: spaces around names and values and parts without `=` are ignored, and
 * the last value of a repeated name is used.
 * @returns `unclosed`: the name of an attribute without its closing quote
 */
export function readAttributes(text: string): { attributes: Attributes; unclosed?: string } {
  const attributes = new Map<string, Attribute>();
  let at = 0;
  let equals = -1;
  while (at < text.length) {
    // Search for each `=` only once: a line of a million commas must not be scanned a million times.
    if (equals < at) equals = text.indexOf('=', at);
    if (equals < 0) break;
    const comma = text.lastIndexOf(',', equals);
    const name = text.slice(Math.max(at, comma + 1), equals).trim();
    at = equals + 1;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1);
      if (close < 0) return { attributes, unclosed: name };
      attributes.set(name, { value: text.slice(at + 1, close), quoted: true });
      const next = text.indexOf(',', close + 1);
      at = next < 0 ? text.length : next + 1;
    } else {
      const next = text.indexOf(',', at);
      const end = next < 0 ? text.length : next;
      attributes.set(name, { value: text.slice(at, end).trim(), quoted: false });
      at = end + 1;
    }
  }
  return { attributes };
}

export const writeAttributes = (attributes: Attributes): string =>
  [...attributes].map(([name, { value, quoted }]) => `${name}=${quoted ? `"${value}"` : value}`).join(',');

/** A decimal-integer; undefined for other text and beyond the safe integers. */
export function decimalInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,20}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A decimal-floating-point number, never negative. */
export function decimalFloat(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40 || !/^(\d+\.?\d*|\.\d+)$/.test(text)) return undefined;
  return Number(text);
}

/** A hexadecimal-sequence of up to 256 bits, e.g. an IV. */
export function hexSequence(text: string | undefined): bigint | undefined {
  return text !== undefined && /^0[xX][0-9a-fA-F]{1,64}$/.test(text) ? BigInt(text) : undefined;
}

/** A decimal-resolution, e.g. `1920x1080`. */
export function resolution(text: string | undefined): { width: number; height: number } | undefined {
  const match = /^(\d{1,5})[xX](\d{1,5})$/.exec(text ?? '');
  if (match === null) return undefined;
  const [width, height] = [Number(match[1]), Number(match[2])];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** `length[@start]` of EXT-X-BYTERANGE and of EXT-X-MAP's BYTERANGE (RFC 8216 §4.3.2.2). */
export function byteRange(text: string | undefined): { length: number; start?: number } | undefined {
  const match = /^(\d{1,16})(?:@(\d{1,16}))?$/.exec(text ?? '');
  if (match === null) return undefined;
  const length = Number(match[1]);
  const start = match[2] === undefined ? undefined : Number(match[2]);
  if (length === 0 || !Number.isSafeInteger(length + (start ?? 0))) return undefined;
  return start === undefined ? { length } : { length, start };
}

/** Microseconds as decimal seconds without trailing zeros: 2002000 → 2.002, 6000000 → 6.0. */
export function decimalSeconds(micros: number): string {
  const whole = Math.floor(micros / 1_000_000);
  const rest = micros - whole * 1_000_000;
  return rest === 0 ? `${whole}.0` : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
