// SPDX-License-Identifier: Apache-2.0

// Which operation of the live port a path belongs to. Each operation has a handler (routes.ts) and a documentation
// (admin/documentation/live); the types of both are exhaustive. Called for every request, so it allocates nothing.

import { defined } from '../../invariant.ts';

export type LiveOperation =
  | 'view'
  | 'multivariant'
  | 'media'
  | 'mpd'
  | 'mpdPatch'
  | 'channelMultivariant'
  | 'channelMedia'
  | 'channelMpd'
  | 'distributorMultivariant'
  | 'distributorMedia'
  | 'distributorMpd'
  | 'xmltvGuide'
  | 'jsonGuide'
  | 'guidedMedia'
  | 'guidedMpd'
  | 'assetList'
  | 'listMpd'
  | 'clipMultivariant'
  | 'clipMedia'
  | 'clipMpd'
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

const hasSuffix = (name: string, suffix: string): boolean => name.length > suffix.length && name.endsWith(suffix);

/** The last part of a path within a folder of a session. */
function inFolder(format: 'hls' | 'dash', folder: string, name: string): LiveOperation | undefined {
  const isHls = format === 'hls';
  if (folder === 'vast') return hasSuffix(name, '.xml') ? 'adVast' : undefined;
  if (folder === 'breaks') return isHls && hasSuffix(name, '.json') ? 'assetList' : undefined;
  if (folder === 'pods' && hasSuffix(name, isHls ? '.m3u8' : '.mpd')) return isHls ? 'clipMultivariant' : 'clipMpd';
  return folder === 'guided' && isHls && hasSuffix(name, '.m3u8') ? 'guidedMedia' : undefined;
}

/** Below `distributors` and the key of a distributor. */
function ofDistributor(format: 'hls' | 'dash', name: string): LiveOperation | undefined {
  if (format === 'dash') return name === 'channel.mpd' ? 'distributorMpd' : undefined;
  if (name === 'channel.m3u8') return 'distributorMultivariant';
  return hasSuffix(name, '.m3u8') ? 'distributorMedia' : undefined;
}

const distributorPath = /^(\/(?:(?:hls|dash)\/[^/]*\/distributors|guide\/[^/]*)\/)[^/]*/;

/** The path as logs and errors contain it: without the key of a distributor. */
export const shownPath = (path: string): string => path.replace(distributorPath, '$1…');

function ofSession(parts: readonly string[]): LiveOperation | undefined {
  const [format, , session, name, inner, rung] = parts as ['hls' | 'dash', string, string, string, string?, string?];
  if (session === 'distributors' && inner !== undefined && rung === undefined) {
    const found = ofDistributor(format, inner);
    if (found !== undefined) return found;
  }
  if (rung !== undefined)
    return format === 'hls' && name === 'pods' && hasSuffix(rung, '.m3u8') ? 'clipMedia' : undefined;
  if (inner !== undefined) return inFolder(format, name, inner);
  if (format === 'dash') {
    if (session === 'breaks' && hasSuffix(name, '.mpd')) return 'listMpd';
    return name === 'vast' ? 'vast' : name === 'patch.mpp' ? 'mpdPatch' : undefined;
  }
  if (hasSuffix(name, '.m3u8')) return isDialect(session) ? 'channelMedia' : 'media';
  return name === 'vast.xml' ? 'vast' : undefined;
}

/** What stands in place of a session in URLs that all viewers share. */
export const isDialect = (session: string): session is 'channel' | 'guided' =>
  session === 'channel' || session === 'guided';

function ofFormat(parts: readonly string[]): LiveOperation | undefined {
  const [format, first, second] = parts as ['hls' | 'dash', string, string];
  if (parts.length === 8) return 'adSegment';
  if (parts.length > 6 || parts.length < 3) return undefined;
  if (parts.length > 3) return ofSession(parts);
  if (first === 'view') return 'view';
  if (format === 'hls') {
    if (second === 'channel.m3u8') return 'channelMultivariant';
    return second === 'master.m3u8' ? 'multivariant' : undefined;
  }
  if (second === 'channel.mpd') return 'channelMpd';
  if (second === 'guided.mpd') return 'guidedMpd';
  return hasSuffix(second, '.mpd') ? 'mpd' : undefined;
}

/** @param parts of the path between its slashes, decoded. @returns undefined for an unknown path */
export function operationAt(parts: readonly string[]): LiveOperation | undefined {
  const [prefix] = parts;
  if (prefix === 'hls' || prefix === 'dash') return ofFormat(parts);
  if (prefix === 'guide') {
    if (parts.length !== 4) return undefined;
    return parts[3] === 'xmltv.xml' ? 'xmltvGuide' : parts[3] === 'guide.json' ? 'jsonGuide' : undefined;
  }
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

// The routes of the live port as its metrics name them. Numbers, so that counting a request needs no lookup by names.

type Format = 'hls' | 'dash' | 'none';

/** `none`: a path without a route, or a method that it does not have; `preflight`: OPTIONS. */
type Route = LiveOperation | 'none' | 'preflight';

const classesOf = (format: Format, ...routes: readonly Route[]) => routes.map((route) => ({ route, format }));

export const routeClasses: readonly { readonly route: Route; readonly format: Format }[] = [
  // The first four have the numbers below.
  ...classesOf('none', 'none'),
  ...classesOf('hls', 'media'),
  ...classesOf('dash', 'mpd'),
  ...classesOf('none', 'preflight'),
  ...classesOf('hls', 'view', 'multivariant', 'vast', 'adVast', 'adSegment'),
  ...classesOf('hls', 'channelMultivariant', 'channelMedia', 'guidedMedia'),
  ...classesOf('hls', 'distributorMultivariant', 'distributorMedia'),
  ...classesOf('hls', 'assetList', 'clipMultivariant', 'clipMedia'),
  ...classesOf('dash', 'view', 'mpdPatch', 'vast', 'adVast', 'adSegment'),
  ...classesOf('dash', 'channelMpd', 'guidedMpd', 'listMpd', 'clipMpd', 'distributorMpd'),
  ...classesOf('none', 'xmltvGuide', 'jsonGuide'),
  ...classesOf('none', 'segment', 'feed', 'tracking', 'confirmations', 'time', 'health', 'ready'),
];

export const UNKNOWN_ROUTE = 0;
export const MEDIA_ROUTE = 1;
export const MPD_ROUTE = 2;
export const PREFLIGHT_ROUTE = 3;

const byRoute = new Map(routeClasses.map(({ route, format }, index) => [`${route} ${format}`, index]));

/** @param prefix the first part of the path */
export const routeClassOf = (operation: LiveOperation, prefix: string | undefined): number =>
  byRoute.get(`${operation} ${prefix === 'hls' || prefix === 'dash' ? prefix : 'none'}`) ?? UNKNOWN_ROUTE;

export const routeClassAt = (index: number) => defined(routeClasses[index], 'a request has one of the route classes');
