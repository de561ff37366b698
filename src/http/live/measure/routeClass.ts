// SPDX-License-Identifier: Apache-2.0
// The routes of the live port as its metrics name them. Numbers, so that counting a request needs no lookup by names.
import type { LiveOperation } from '../liveOperation.ts';

type Format = 'hls' | 'dash' | 'none';

/** `none`: a path without a route, or a method that it does not have; `preflight`: OPTIONS. */
export const routeClasses: readonly {
  readonly route: LiveOperation | 'none' | 'preflight';
  readonly format: Format;
}[] = [
  { route: 'none', format: 'none' },
  { route: 'media', format: 'hls' },
  { route: 'mpd', format: 'dash' },
  { route: 'preflight', format: 'none' },
  { route: 'multivariant', format: 'hls' },
  { route: 'mpdPatch', format: 'dash' },
  { route: 'view', format: 'hls' },
  { route: 'view', format: 'dash' },
  { route: 'vast', format: 'hls' },
  { route: 'vast', format: 'dash' },
  { route: 'adVast', format: 'hls' },
  { route: 'adVast', format: 'dash' },
  { route: 'adSegment', format: 'hls' },
  { route: 'adSegment', format: 'dash' },
  { route: 'segment', format: 'none' },
  { route: 'feed', format: 'none' },
  { route: 'tracking', format: 'none' },
  { route: 'confirmations', format: 'none' },
  { route: 'time', format: 'none' },
  { route: 'health', format: 'none' },
  { route: 'ready', format: 'none' },
];

export const UNKNOWN_ROUTE = 0;
export const MEDIA_ROUTE = 1;
export const MPD_ROUTE = 2;
export const PREFLIGHT_ROUTE = 3;

const byRoute = new Map(routeClasses.map(({ route, format }, index) => [`${route} ${format}`, index]));

/** @param prefix the first part of the path */
export const routeClassOf = (operation: LiveOperation, prefix: string | undefined): number =>
  byRoute.get(`${operation} ${prefix === 'hls' || prefix === 'dash' ? prefix : 'none'}`) ?? UNKNOWN_ROUTE;
