// SPDX-License-Identifier: Apache-2.0
// The forms of a Period's AdaptationSets, shared by all viewers of all channels who see a clip: the same text is sent to many of
// them, so it is in the processor's cache.
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { switchingSets } from './adaptationSets.ts';
import { type SetForm, setForm } from './setForm.ts';

export type PeriodForm = readonly SetForm[];

/** The same number for equal texts, as long as it is remembered. */
function numbering(max: number): (text: string) => number {
  const numbers = new LRUCache<string, number>({ max });
  let count = 0;
  return (text) => {
    const number = numbers.get(text) ?? count++;
    numbers.set(text, number);
    return number;
  };
}

/** A few kilobytes each. */
const MAX_FORMS = 4000;
const forms = new LRUCache<string, { readonly form: PeriodForm | undefined }>({ max: MAX_FORMS });
export const periodFormCount = (): number => forms.size;

const numberOfLadder = numbering(1000);
const numberOfAsset = numbering(1000);

/** Channels with equal ladders have objects of their own, and so have channels that show the same media. */
const ladderNumber = memo((ladder: Ladder) => numberOfLadder(JSON.stringify(ladder)));
/** Everything in an asset that a Period depends on: media that are made again keep their id. */
const assetNumber = memo(({ id, parts, renditions }: Asset) => numberOfAsset(JSON.stringify([id, parts, renditions])));

function makeForm({ placed: { clip }, adId }: Span, ladder: Ladder): PeriodForm | undefined {
  const sets: SetForm[] = [];
  for (const [index, set] of switchingSets(ladder).entries()) {
    const form = setForm(clip, adId, set, index + 1, ladder);
    if (form === undefined) return undefined;
    sets.push(form);
  }
  return sets;
}

/** @param span of a viewer's break. @returns as `setForm` */
export function periodForm(span: Span, ladder: Ladder): PeriodForm | undefined {
  const { asset, part, from, duration } = span.placed.clip;
  const kind = span.adId === undefined ? 'other' : 'ad';
  const key = `${ladderNumber(ladder)} ${assetNumber(asset)} ${kind} ${part} ${from} ${duration}`;
  const known = forms.get(key);
  if (known !== undefined) return known.form;
  const form = makeForm(span, ladder);
  forms.set(key, { form });
  return form;
}
