// SPDX-License-Identifier: Apache-2.0
// Which operation of the live port a path belongs to. Each operation has a handler (routes.ts) and a documentation
// (admin/documentation/live); the types of both are exhaustive. Called for every request, so it allocates nothing.

export type LiveOperation =
  | 'view'
  | 'multivariant'
  | 'media'
  | 'mpd'
  | 'mpdPatch'
  | 'vast'
  | 'adVast'
  | 'adSegment'
  | 'segment'
  | 'feed'
  | 'tracking'
  | 'confirmations'
  | 'time'
  | 'health'
  | 'ready';

export const hasSuffix = (name: string, suffix: string): boolean =>
  name.length > suffix.length && name.endsWith(suffix);

function ofSession(parts: readonly string[]): LiveOperation | undefined {
  const [format, , , name, ad] = parts as ['hls' | 'dash', string, string, string, string?];
  if (ad !== undefined) return name === 'vast' && hasSuffix(ad, '.xml') ? 'adVast' : undefined;
  if (format === 'dash') return name === 'vast' ? 'vast' : name === 'patch.mpp' ? 'mpdPatch' : undefined;
  if (hasSuffix(name, '.m3u8')) return 'media';
  return name === 'vast.xml' ? 'vast' : undefined;
}

function ofFormat(parts: readonly string[]): LiveOperation | undefined {
  const [format, first, second] = parts as ['hls' | 'dash', string, string];
  if (parts.length === 8) return 'adSegment';
  if (parts.length > 5 || parts.length < 3) return undefined;
  if (parts.length > 3) return ofSession(parts);
  if (first === 'view') return 'view';
  if (format === 'hls') return second === 'master.m3u8' ? 'multivariant' : undefined;
  return hasSuffix(second, '.mpd') ? 'mpd' : undefined;
}

/** @param parts of the path between its slashes, decoded. @returns undefined for an unknown path */
export function operationAt(parts: readonly string[]): LiveOperation | undefined {
  const [prefix] = parts;
  if (prefix === 'hls' || prefix === 'dash') return ofFormat(parts);
  if (prefix === 'm') return parts.length === 5 ? 'segment' : undefined;
  if (prefix === 'tracking') {
    if (parts.length === 2) return 'tracking';
    return parts.length === 3 && parts[2] === 'confirmations' ? 'confirmations' : undefined;
  }
  if (prefix === 'ad-aggregation-service')
    return parts.length === 4 && parts[1] === 'mrss' && parts[2] === 'channel' ? 'feed' : undefined;
  if (parts.length > 1) return undefined;
  return prefix === 'time' || prefix === 'health' || prefix === 'ready' ? prefix : undefined;
}
