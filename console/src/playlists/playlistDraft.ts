// SPDX-License-Identifier: Apache-2.0
// A playlist while it is edited. Items and cue points have keys, so that they keep their place in the DOM when they move.

import { sourceName } from '../../../src/channels/sourceName.ts';
import type { PlaylistBody, PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';

export type ContentItem = NonNullable<PlaylistBody['contents']>[number];
export type CuePoint = NonNullable<ContentItem['cuePoints']>[number];
export type DraftCue = Readonly<CuePoint> & { readonly key: number };
export type DraftItem = Readonly<Required<Pick<ContentItem, 'sourceType' | 'url' | 'spliceType'>>> & {
  readonly key: number;
  /** Seconds, as the editor has stated it. */
  readonly duration?: number;
  readonly cuePoints: readonly DraftCue[];
};
export type PlaylistType = NonNullable<PlaylistBody['type']>;
export type PlaylistDraft = {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly type: PlaylistType | '';
  readonly isEnabled: boolean;
  readonly startDate: string;
  readonly items: readonly DraftItem[];
};

let lastKey = 0;
const newKey = (): number => {
  lastKey += 1;
  return lastKey;
};

export const newItem = (url = '', sourceType: DraftItem['sourceType'] = 'url'): DraftItem => ({
  key: newKey(),
  sourceType,
  url,
  spliceType: 'seconds',
  cuePoints: [],
});
export const newCue = (spliceTime: number): DraftCue => ({ key: newKey(), spliceTime, maxDuration: 30, maxAds: 2 });

export const emptyDraft = (): PlaylistDraft => ({
  id: '',
  name: '',
  labels: [],
  type: '',
  isEnabled: true,
  startDate: '',
  items: [],
});

export const toDraft = (playlist: PlaylistResponse): PlaylistDraft => ({
  id: playlist.id,
  name: playlist.name ?? '',
  labels: playlist.labels ?? [],
  type: playlist.type ?? '',
  isEnabled: playlist.status === 'enabled',
  startDate: playlist.startDate ?? '',
  items: (playlist.contents ?? []).map(({ sourceType, url, duration, spliceType, cuePoints = [] }) => ({
    key: newKey(),
    sourceType,
    url: url ?? '',
    ...(duration === undefined ? {} : { duration: Number(duration) }),
    spliceType: spliceType ?? 'seconds',
    cuePoints: cuePoints.map((cue) => ({ key: newKey(), ...cue })),
  })),
});

const toContentItem = ({ sourceType, url, duration, spliceType, cuePoints }: DraftItem): ContentItem => ({
  sourceType,
  ...(sourceType === 'url' ? { url: url.trim() } : {}),
  ...(duration === undefined ? {} : { duration }),
  ...(spliceType === 'percent' ? { spliceType } : {}),
  ...(cuePoints.length === 0 ? {} : { cuePoints: cuePoints.map(({ key: _, ...cue }) => cue) }),
});

/** The whole playlist, since PUT replaces it. */
export const fromDraft = ({ id, name, labels, type, isEnabled, startDate, items }: PlaylistDraft): PlaylistBody => ({
  ...(id.trim() === '' ? {} : { id: id.trim() }),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(labels.length === 0 ? {} : { labels: [...labels] }),
  ...(type === '' ? {} : { type }),
  status: isEnabled ? 'enabled' : 'disabled',
  ...(startDate.trim() === '' ? {} : { startDate: startDate.trim() }),
  contents: items.map(toContentItem),
});

/** The URLs in a pasted text, whatever separates them. A comma or a semicolon may also be part of a URL. */
export const findUrls = (text: string): string[] =>
  text.match(/https?:\/\/[^\s"'<>]+?(?=[.,;)]*(?:[\s"'<>]|$)|[,;]https?:\/\/)/gi) ?? [];

/** The name of an item of a playlist. A stored placeholder has no URL. */
export function itemName({ sourceType, url }: Partial<Pick<DraftItem, 'sourceType' | 'url'>>): string {
  if (sourceType === 'placeholder' || url === undefined) return 'Placeholder';
  return url.trim() === '' ? 'New item' : sourceName(url.trim());
}
