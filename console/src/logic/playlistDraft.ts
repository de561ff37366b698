// A playlist while it is edited: its items carry keys of their own, so that a moved item stays the same on the screen.
import type { PlaylistAnswer, PlaylistBody } from '../../../src/http/contract.ts';
import type { SpliceType } from './cuePlacing.ts';

export type ContentItem = NonNullable<PlaylistBody['contents']>[number];
export type DraftCue = {
  readonly key: number;
  readonly spliceTime: number;
  readonly maxDuration: number;
  readonly maxAds?: number;
};
export type DraftItem = {
  readonly key: number;
  readonly sourceType: 'url' | 'placeholder';
  readonly url: string;
  /** Seconds, where the editor has said it. */
  readonly duration?: number;
  readonly spliceType: SpliceType;
  readonly cuePoints: readonly DraftCue[];
};
export type PlaylistDraft = {
  readonly id: string;
  readonly name: string;
  readonly type: '' | 'vod2live' | 'vod';
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
  ...{ key: newKey(), sourceType, url, spliceType: 'seconds', cuePoints: [] },
});
export const newCue = (spliceTime: number): DraftCue => ({ key: newKey(), spliceTime, maxDuration: 30, maxAds: 2 });

export const emptyDraft = (): PlaylistDraft => ({
  ...{ id: '', name: '', type: 'vod2live', isEnabled: true, startDate: '', items: [] },
});

export const toDraft = ({ id, name, type, status, startDate, contents = [] }: PlaylistAnswer): PlaylistDraft => ({
  id,
  name: name ?? '',
  type: type ?? '',
  isEnabled: status === 'enabled',
  startDate: startDate ?? '',
  items: contents.map(({ sourceType, url, duration, spliceType, cuePoints = [] }) => ({
    key: newKey(),
    sourceType,
    url: url ?? '',
    ...(duration === undefined ? {} : { duration: Number(duration) }),
    spliceType: spliceType ?? 'seconds',
    cuePoints: cuePoints.map((cue) => ({ key: newKey(), ...cue })),
  })),
});

const itemOf = ({ sourceType, url, duration, spliceType, cuePoints }: DraftItem): ContentItem => ({
  sourceType,
  ...(sourceType === 'url' ? { url: url.trim() } : {}),
  ...(duration === undefined ? {} : { duration }),
  ...(spliceType === 'percent' ? { spliceType } : {}),
  ...(cuePoints.length === 0 ? {} : { cuePoints: cuePoints.map(({ key: _, ...cue }) => cue) }),
});

/** What is sent: the whole playlist, since an update replaces it. */
export const fromDraft = ({ id, name, type, isEnabled, startDate, items }: PlaylistDraft): PlaylistBody => ({
  ...(id.trim() === '' ? {} : { id: id.trim() }),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(type === '' ? {} : { type }),
  status: isEnabled ? 'enabled' : 'disabled',
  ...(startDate.trim() === '' ? {} : { startDate: startDate.trim() }),
  contents: items.map(itemOf),
});

/** A list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const at = Math.min(rest.length, Math.max(0, to));
  return [...rest.slice(0, at), list[from]!, ...rest.slice(at)];
}

/** The addresses in a pasted text, whatever stands between them; a comma or a semicolon may be part of one. */
export const readUrls = (text: string): string[] =>
  text.match(/https?:\/\/[^\s"'<>]+?(?=[.,;)]*(?:[\s"'<>]|$)|[,;]https?:\/\/)/gi) ?? [];
