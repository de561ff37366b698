// SPDX-License-Identifier: Apache-2.0
// The forms of a Period's AdaptationSets, shared by all viewers of all channels who see a clip: the same text is sent to many of
// them, so it is in the processor's cache. A form is the text of an AdaptationSet for any of its listed segments, wherever the
// clip is shown: only the number of the first segment, the S elements and the id of an ad differ, so the rest is written once.

import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import { flat } from '../../cache/sharedText.ts';
import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import type { Flicks } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { type Clip, segmentStart } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { ofRung, type Span } from '../../timeline/programme/span.ts';
import { element, utf8Bytes } from '../../xml/write.ts';
import { adaptationSet, type ListedCell, listedCells, type SwitchingSet, switchingSets } from './adaptationSets.ts';
import { type RepresentationRow, type Run, sameTimeline, type Template } from './writeSegments.ts';

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
const forms = new LRUCache<string, { readonly form: PeriodForm | undefined }>({
  max: MAX_FORMS,
  // Viewers may still have it.
  dispose({ form = [] }) {
    for (const set of form) {
      filledCount -= set.filled?.size ?? 0;
      set.filled = undefined;
    }
  },
});
export const periodFormCount = (): number => forms.size;

const numberOfLadder = numbering(1000);
const numberOfAsset = numbering(1000);

/** Channels with equal ladders have objects of their own, and so have channels that show the same media. */
const ladderNumber = memo((ladder: Ladder) => numberOfLadder(JSON.stringify(ladder)));
/** Everything in an asset that a Period depends on: media that are made again keep their id. */
const assetNumber = memo(({ id, parts, renditions }: Asset) => numberOfAsset(JSON.stringify([id, parts, renditions])));

/** @returns undefined if the Period is written from rows */
export function newPeriodForm({ placed: { clip }, adId }: Span, ladder: Ladder): PeriodForm | undefined {
  const sets: SetForm[] = [];
  for (const [index, set] of switchingSets(ladder).entries()) {
    const form = setForm(clip, adId, set, index + 1, ladder);
    if (form === undefined) return undefined;
    sets.push(form);
  }
  return sets;
}

/** The form that all viewers share who see the clip. @param span of a viewer's break. @returns as `newPeriodForm` */
export function periodForm(span: Span, ladder: Ladder): PeriodForm | undefined {
  const { asset, part, from, duration } = span.placed.clip;
  const kind = span.adId === undefined ? 'other' : 'ad';
  const key = `${ladderNumber(ladder)} ${assetNumber(asset)} ${kind} ${part} ${from} ${duration}`;
  const known = forms.get(key);
  if (known !== undefined) return known.form;
  const made = newPeriodForm(span, ladder);
  const form = made?.map((set) => (set.ends.length > MOST_SEGMENTS ? set : { ...set, filled: new Map() }));
  forms.set(key, { form });
  return form;
}

/** Values that no MPD contains. A form is the text between them. */
const NUMBER = 8_914_735_286_012_437;
const RUN: Run = { t: 8_621_947_503_318_265, d: 1, count: 1 };
const RUN_TEXT = element('S', { t: RUN.t, d: RUN.d });

type Slot = 'number' | 'runs' | 'ad';

/** Segments `first` to `stop − 1` of a clip, counted from 0, which have equal durations. */
type FormRun = { readonly first: number; readonly stop: number; readonly t: number; readonly d: number };

type SetForm = {
  readonly slots: readonly { readonly before: string; readonly slot: Slot }[];
  /** The text after the slots. */
  readonly end: string;
  /** The number of the clip's first segment; 0 if the URLs contain times. */
  readonly number: number;
  /** All segments of the clip. */
  readonly runs: readonly FormRun[];
  /** When the segments end, in flicks after the start of the clip. */
  readonly ends: readonly Flicks[];
  /** Texts between ids of the ad, by what is listed (`keyOf`), as far as they were needed; only of clips that many viewers see. */
  filled: Map<number, readonly string[]> | undefined;
};

const slotOf = (text: string): Slot => (text === RUN_TEXT ? 'runs' : text === String(NUMBER) ? 'number' : 'ad');

/** The URLs of an ad's segments begin with its id (ads/placement/trackedClip.ts). */
const slotPattern = (adId: string | undefined): RegExp =>
  new RegExp(`${NUMBER}|${RUN_TEXT}${adId === undefined ? '' : `|(?<=media=")${adId}(?=/)`}`, 'g');

const isLike = (row: RepresentationRow, lead: RepresentationRow): boolean =>
  row.template !== undefined && sameTimeline(row, lead) && row.template.startNumber === lead.template?.startNumber;

const inTemplate = (template: Template): Template =>
  template.startNumber === undefined ? template : { ...template, startNumber: NUMBER };

const inForm = ({ cell, row }: ListedCell): ListedCell => ({
  cell,
  row: { ...row, runs: [RUN], template: row.template && inTemplate(row.template) },
});

function formRuns(runs: readonly Run[]): FormRun[] {
  let stop = 0;
  return runs.map(({ t, d, count }) => {
    stop += count;
    return { first: stop - count, stop, t, d };
  });
}

/**
 * @param adId of the ad that the clip is of
 * @returns undefined if its Representations have different segments, or URLs that follow no pattern
 */
function setForm(
  clip: Clip,
  adId: string | undefined,
  set: SwitchingSet,
  id: number,
  ladder: Ladder,
): SetForm | undefined {
  const listed = listedCells({ clip, first: clip.firsts, end: clip.ends }, set, ladder);
  const lead = listed[0]?.row;
  if (lead === undefined || !listed.every(({ row }) => isLike(row, lead))) return undefined;
  const text = utf8Bytes(adaptationSet(listed.map(inForm), set, id, ladder));
  let at = 0;
  const slots = Array.from(text.matchAll(slotPattern(adId)), ({ 0: found, index }) => {
    const before = text.slice(at, index);
    at = index + found.length;
    return { before, slot: slotOf(found) };
  });
  const runs = formRuns(lead.runs);
  const cell = ofRung(clip.cells, set.rungs[0]);
  return {
    slots,
    end: text.slice(at),
    number: lead.template?.startNumber ?? 0,
    runs,
    filled: undefined,
    ends: Array.from({ length: runs.at(-1)?.stop ?? 0 }, (_, index) =>
      segmentStart(clip, cell, cell.first + index + 1),
    ),
  };
}

/** The S elements of segments `first` to `end − 1`, as `timeline` in writeSegments.ts writes them. */
function runsText(runs: readonly FormRun[], first: number, end: number): string {
  let text = '';
  let next = countWhile(runs.length, (index) => defined(runs[index], 'a run').stop <= first);
  for (let run = runs[next]; run !== undefined && run.first < end; run = runs[next]) {
    next += 1;
    const from = Math.max(first, run.first);
    const count = Math.min(end, run.stop) - from;
    text += text === '' ? `<S t="${run.t + (from - run.first) * run.d}"` : '\n<S';
    text += count > 1 ? ` d="${run.d}" r="${count - 1}"/>` : ` d="${run.d}"/>`;
  }
  return text;
}

/** The AdaptationSet that lists segments `first` to `end − 1` of the clip, counted from 0. */
export function fillForm(form: SetForm, adId: string, first: number, end: number): string {
  const pieces = form.filled?.get(keyOf(first, end)) ?? fillFirst(form, first, end);
  if (pieces === undefined) return fillWith(form, adId, first, end);
  let text = pieces[0] ?? '';
  for (let index = 1; index < pieces.length; index += 1) text += adId + (pieces[index] ?? '');
  return text;
}

/** Segments of clips whose texts are kept. */
const MOST_SEGMENTS = 100;
const keyOf = (first: number, end: number): number => first * (MOST_SEGMENTS + 1) + end;

/** About a kilobyte each. */
const MAX_FILLED = 20_000;
let filledCount = 0;

function fillFirst(form: SetForm, first: number, end: number): readonly string[] | undefined {
  if (form.filled === undefined || filledCount >= MAX_FILLED) return undefined;
  const pieces = fillWith(form, MARK, first, end).split(MARK).map(flat);
  form.filled.set(keyOf(first, end), pieces);
  filledCount += 1;
  return pieces;
}

/** No MPD contains it. */
const MARK = '\0';

function fillWith(form: SetForm, adId: string, first: number, end: number): string {
  const runs = runsText(form.runs, first, end);
  const number = String(form.number + first);
  let text = '';
  for (const { before, slot } of form.slots) {
    text += before;
    text += slot === 'runs' ? runs : slot === 'number' ? number : adId;
  }
  return text + form.end;
}
