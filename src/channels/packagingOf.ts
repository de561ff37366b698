export type Packaging = 'hls' | 'dash';

/** By the ending of the URL's path; undefined when it tells neither. */
export function packagingOf(url: string): Packaging | undefined {
  const path = url.replace(/[?#].*$/s, '').toLowerCase();
  if (path.endsWith('.m3u8')) return 'hls';
  return path.endsWith('.mpd') ? 'dash' : undefined;
}
