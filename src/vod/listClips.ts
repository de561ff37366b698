// SPDX-License-Identifier: Apache-2.0
// What a presentation shows, as a list of clips: items or pieces of them, ads and bumpers, without gaps, in stream time.
import { defined } from '../invariant.ts';
import { FLICKS_PER_MILLI } from '../time/units.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { Presentation } from './layOut.ts';
import type { Title } from './title.ts';

type ListedClip = {
  /** Milliseconds. Both ends are rounded, so the durations of all clips add up to that of the presentation. */
  readonly duration: number;
} & (
  | { readonly category: 'content' /** Index of the item. */; readonly item: number }
  | { readonly category: 'ad'; readonly adId: string }
  | { readonly category: 'intro' | 'outro' }
);

type Kind = ListedClip extends infer One ? (One extends unknown ? Omit<One, 'duration'> : never) : never;

export function listClips({ items }: Pick<Title, 'items'>, { spans }: Pick<Presentation, 'spans'>): ListedClip[] {
  const itemOf = itemFinder(items);
  const clips: { kind: Kind; end: number; key: string }[] = [];
  const shown = new Set<string>();
  let end = 0;
  for (const span of spans) {
    const kind = kindOf(span, itemOf, shown);
    end += span.placed.clip.duration;
    // An item is one clip until something else is shown, however many parts its asset has.
    const key = kind.category === 'content' ? `content ${kind.item}` : span.id;
    const last = clips.at(-1);
    if (last?.key === key) last.end = end;
    else clips.push({ kind, end, key });
  }
  const rounded = (flicks: number): number => Math.round(flicks / FLICKS_PER_MILLI);
  return clips.map(({ kind, end }, index) => ({
    ...kind,
    duration: rounded(end) - rounded(clips[index - 1]?.end ?? 0),
  }));
}

/** @param shown ids of the breaks whose ads have begun: what follows them is the outro */
function kindOf(span: Span, itemOf: (span: Span) => number, shown: Set<string>): Kind {
  const { adId, within, placed } = span;
  if (placed.clip.kind === 'content') return { category: 'content', item: itemOf(span) };
  if (adId === undefined) return { category: within !== undefined && shown.has(within.id) ? 'outro' : 'intro' };
  if (within !== undefined) shown.add(within.id);
  return { category: 'ad', adId };
}

/** Items are shown in order, so a position before the last one belongs to a later item, even of the same asset. */
function itemFinder(items: Title['items']): (span: Span) => number {
  let item = 0;
  let reached = 0;
  return ({ placed: { clip } }) => {
    const part = defined(clip.asset.parts[clip.part], 'a clip of content is of a part of its asset');
    const at = part.start + clip.from;
    while (item < items.length - 1 && (items[item]?.asset !== clip.asset || at < reached)) {
      item += 1;
      reached = 0;
    }
    reached = at + clip.duration;
    return item;
  };
}
