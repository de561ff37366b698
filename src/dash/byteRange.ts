import type { ByteRange } from '../timeline/asset.ts';

/** `first-last` as ISO/IEC 23009-1 writes ranges (RFC 7233 §2.1 without its unit); undefined when it is none. */
export function readByteRange(text: string): ByteRange | undefined {
  const match = /^\s*(\d{1,15})-(\d{1,15})\s*$/.exec(text);
  if (match === null) return undefined;
  const start = Number(match[1]);
  const length = Number(match[2]) - start + 1;
  return length > 0 ? { start, length } : undefined;
}
