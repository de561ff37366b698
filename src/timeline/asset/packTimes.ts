// SPDX-License-Identifier: Apache-2.0
import type { SegmentUrls } from './asset.ts';

/**
 * URLs that contain the media time at which each segment starts (`$Time$`, ISO/IEC 23009-1 5.3.9.4.4); undefined when they do
 * not. With one short number a URL proves little, e.g. `4` in `.m4s`, so the last match is used only if all URLs have it.
 */
export function packTimes(urls: readonly string[], times: readonly number[]): SegmentUrls | undefined {
  const [first] = urls;
  if (first === undefined) return undefined;
  for (const match of [...first.matchAll(/\d+/g)].reverse()) {
    const [digits] = match;
    if (Number(digits) !== times[0]) continue;
    const prefix = first.slice(0, match.index);
    const suffix = first.slice(match.index + digits.length);
    const width = digits.startsWith('0') ? digits.length : 1;
    const contains = (url: string, index: number) =>
      url === prefix + String(times[index]).padStart(width, '0') + suffix;
    if (urls.every(contains)) return { kind: 'time', prefix, suffix, width };
  }
  return undefined;
}
