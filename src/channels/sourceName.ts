// SPDX-License-Identifier: Apache-2.0
const genericPart = /^(master|manifest|index|playlist|main|stream|video|media|prog_index|hls|dash|vod)(\.\w+)?$/i;

/** A short name for a source: the last part of its URL that is not generic, without the extension. */
export function sourceName(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, hostname } = new URL(url);
  const parts = pathname.split('/').filter(Boolean).reverse();
  const part = parts.find((each) => !genericPart.test(each));
  if (part === undefined) return hostname;
  const name = part.replace(/\.(m3u8|mpd|ism|isml|mp4|smil)$/i, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
