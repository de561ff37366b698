// SPDX-License-Identifier: Apache-2.0
export type Packaging = 'hls' | 'dash';

/** Determined by the extension of the URL's path; undefined for any other extension. */
export function packagingOf(url: string): Packaging | undefined {
  const path = url.replace(/[?#].*$/s, '').toLowerCase();
  if (path.endsWith('.m3u8')) return 'hls';
  return path.endsWith('.mpd') ? 'dash' : undefined;
}
