const generic = /^(master|manifest|index|playlist|main|stream|video|media|prog_index|hls|dash|vod)(\.\w+)?$/i;

/** What people call a source: the part of its URL that says most, without its ending. */
export function nameOfUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, hostname } = new URL(url);
  const parts = pathname.split('/').filter(Boolean).reverse();
  const telling = parts.find((part) => !generic.test(part));
  if (telling === undefined) return hostname;
  const name = telling.replace(/\.(m3u8|mpd|ism|isml|mp4|smil)$/i, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
