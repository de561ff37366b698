// SPDX-License-Identifier: Apache-2.0
import type { Refusal } from '../source/presentation.ts';

/**
 * The format of a manifest, recognized by its content. Names and content types are often wrong.
 * @param text the manifest or its beginning
 * @returns undefined if it is neither
 */
export function manifestFormat(text: string): 'hls' | 'dash' | undefined {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('#EXTM3U')) return 'hls';
  return /^<(!DOCTYPE\s+)?([A-Za-z_][\w.-]*:)?MPD[\s>]/.test(afterProlog(start)) ? 'dash' : undefined;
}

/** What follows XML declarations and comments, however long they are (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let at = 0;
  for (;;) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined;
    const close = end === undefined ? -1 : text.indexOf(end, at);
    if (end === undefined || close < 0) return text.slice(at, at + 200);
    at = close + end.length;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
}

/** @param text neither HLS nor DASH */
export function refuseFormat(text: string): Refusal {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  const found = start === '' ? 'an empty file' : JSON.stringify(start.slice(0, 60));
  return {
    code: 'NO_MANIFEST',
    refused: `the URL must lead to an HLS playlist (#EXTM3U) or a DASH manifest (MPD); got ${found}`,
  };
}
