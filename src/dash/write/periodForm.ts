// SPDX-License-Identifier: Apache-2.0
// The forms of a Period's AdaptationSets, shared by all viewers of all channels who see a clip: the same text is sent to many of
// them, so it is in the processor's cache.
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { switchingSets } from './adaptationSets.ts';
import { type SetForm, setForm } from './setForm.ts';

export type PeriodForm = readonly SetForm[];

/** Equal ladders of different channels have one key. */
const MAX_LADDERS = 1000;
const keys = new LRUCache<string, number>({ max: MAX_LADDERS });
let count = 0;

const keyOf = memo((ladder: Ladder): number => {
  const text = JSON.stringify(ladder);
  const key = keys.get(text) ?? count++;
  keys.set(text, key);
  return key;
});

/** A few kilobytes each. */
const MAX_FORMS = 4000;
const forms = new LRUCache<string, { readonly form: PeriodForm | undefined }>({ max: MAX_FORMS });

function makeForm({ placed: { clip }, adId }: Span, ladder: Ladder): PeriodForm | undefined {
  const sets: SetForm[] = [];
  for (const [index, set] of switchingSets(ladder).entries()) {
    const form = setForm(clip, adId, set, index + 1, ladder);
    if (form === undefined) return undefined;
    sets.push(form);
  }
  return sets;
}

/** @param span a viewer's ad or slate, of conditioned media: the id of its asset names media and length. @returns as `setForm` */
export function periodForm(span: Span, ladder: Ladder): PeriodForm | undefined {
  const { asset, part, from, duration } = span.placed.clip;
  const key = `${keyOf(ladder)} ${span.adId === undefined ? '' : 'ad'} ${part} ${from} ${duration} ${asset.id}`;
  const known = forms.get(key);
  if (known !== undefined) return known.form;
  const form = makeForm(span, ladder);
  forms.set(key, { form });
  return form;
}
