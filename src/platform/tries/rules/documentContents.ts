// SPDX-License-Identifier: Apache-2.0
// What an ad response contains, in short.

import { formatVastTime } from '../../../vast/macros.ts';
import type { ParsedAdResponse } from '../../../vast/read/readAdResponse.ts';
import type { VmapBreak } from '../../../vast/read/readVmap.ts';
import type { VastAd } from '../../../vast/response.ts';

export type ListedBreak = {
  readonly id?: string;
  /** As in VMAP: `start`, `end`, `#n`, `n%` or `HH:MM:SS.mmm`. */
  readonly timeOffset: string;
  /** `tag`: its ads are requested from an ad tag. */
  readonly source: 'vast' | 'tag' | 'custom' | 'none';
  /** Of a break with VAST. */
  readonly ads?: number;
};

export type DocumentContents =
  | { readonly format: 'VAST'; readonly version: string; readonly ads: number; readonly wrappers: number }
  | { readonly format: 'VMAP'; readonly version: string; readonly breaks: readonly ListedBreak[] }
  /** Why it cannot be used. */
  | { readonly problem: string };

export function timeOffsetText(offset: VmapBreak['timeOffset']): string {
  switch (offset.kind) {
    case 'time':
      return formatVastTime(offset.at);
    case 'percent':
      return `${offset.percent}%`;
    case 'position':
      return `#${offset.number}`;
    default:
      return offset.kind;
  }
}

const listedBreak = ({ id, timeOffset, source }: VmapBreak): ListedBreak => ({
  ...(id === undefined ? {} : { id }),
  timeOffset: timeOffsetText(timeOffset),
  source: source?.kind ?? 'none',
  ...(source?.kind === 'vast' ? { ads: source.vast.ads.length } : {}),
});

const isWrapper = ({ kind }: VastAd): boolean => kind === 'wrapper';

export function documentContents(document: ParsedAdResponse['document']): DocumentContents {
  if ('ads' in document) {
    const { version, ads } = document;
    const wrappers = ads.filter(isWrapper).length;
    return { format: 'VAST', version, ads: ads.length - wrappers, wrappers };
  }
  if ('adBreaks' in document)
    return { format: 'VMAP', version: document.version, breaks: document.adBreaks.map(listedBreak) };
  return { problem: `${document.reason} (line ${document.line})` };
}
