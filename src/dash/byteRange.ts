// SPDX-License-Identifier: Apache-2.0
import type { ByteRange } from '../timeline/asset/asset.ts';

/** A byte range `first-last` (ISO/IEC 23009-1: RFC 7233 §2.1 without the unit); undefined for any other text. */
export function readByteRange(text: string): ByteRange | undefined {
  const match = /^\s*(\d{1,15})-(\d{1,15})\s*$/.exec(text);
  if (match === null) return undefined;
  const start = Number(match[1]);
  const length = Number(match[2]) - start + 1;
  return length > 0 ? { start, length } : undefined;
}
