// SPDX-License-Identifier: Apache-2.0
// The forms of a Period's AdaptationSets, shared by all viewers of all channels who see a clip: the same text is sent to many of
// them, so it is in the processor's cache.
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import type { Flicks } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { type Clip, segmentStart } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { dashCell } from '../../timeline/ladder/servedText.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { utf8Bytes } from '../../xml/utf8Bytes.ts';
import { element } from '../../xml/write.ts';
import { adaptationSet, type SwitchingSet, switchingSets } from './adaptationSets.ts';
import { type RepresentationRow, type Run, representationRow, sameTimeline } from './writeSegments.ts';

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

// The form of an AdaptationSet: its text for any of its listed segments, wherever the clip is shown. Only the number of the first
// segment, the S elements and the id of an ad differ, so the rest is written once.

/** Values that no MPD contains. A form is the text between them. */
const NUMBER = 8_914_735_286_012_437;
const RUN: Run = { t: 8_621_947_503_318_265, d: 1, count: 1 };
const RUN_TEXT = element('S', { t: RUN.t, d: RUN.d });

type Slot = 'number' | 'runs' | 'ad';

type SetForm = {
  /** The text around the slots. */
  readonly texts: readonly string[];
  readonly slots: readonly Slot[];
  /** The number of the clip's first segment; 0 if the URLs contain times. */
  readonly number: number;
  /** All segments of the clip in runs: the index of the first segment of each, from 0, its time and its duration. */
  readonly starts: readonly number[];
  readonly times: readonly number[];
  readonly durations: readonly number[];
  /** When the segments end, in flicks after the start of the clip. */
  readonly ends: readonly Flicks[];
};

const slotOf = (text: string): Slot => (text === RUN_TEXT ? 'runs' : text === String(NUMBER) ? 'number' : 'ad');

/** The URLs of an ad's segments begin with its id (ads/placement/trackedClip.ts). */
const slotPattern = (adId: string | undefined): RegExp =>
  new RegExp(`(${NUMBER}|${RUN_TEXT}${adId === undefined ? '' : `|(?<=media=")${adId}(?=/)`})`);

const isEqualRow = (one: RepresentationRow, other: RepresentationRow): boolean =>
  sameTimeline(one, other) && one.template?.startNumber === other.template?.startNumber;

const inForm = (row: RepresentationRow): RepresentationRow => {
  const { startNumber, ...template } = row.template!;
  const numbered = startNumber === undefined ? template : { ...template, startNumber: NUMBER };
  return { ...row, runs: [RUN], template: numbered };
};

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
  const cells = set.rungs.map((rung) => dashCell(clip.cells[rung]!));
  const rows = set.rungs.map((rung, index) =>
    representationRow(ladder.rungs[rung]!.id, clip, cells[index]!, clip.firsts[rung]!, clip.ends[rung]!),
  );
  const [first] = rows as [RepresentationRow];
  if (rows.some((row) => row.template === undefined || !isEqualRow(row, first))) return undefined;
  const parts = utf8Bytes(adaptationSet({ cells, rows: rows.map(inForm) }, set, id, ladder)).split(slotPattern(adId));
  let segments = 0;
  const starts = first.runs.map(({ count }) => {
    segments += count;
    return segments - count;
  });
  const cell = clip.cells[set.rungs[0]!]!;
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    slots: parts.filter((_, at) => at % 2 === 1).map(slotOf),
    number: first.template!.startNumber ?? 0,
    starts,
    times: first.runs.map(({ t }) => t),
    durations: first.runs.map(({ d }) => d),
    ends: Array.from({ length: segments }, (_, at) => segmentStart(clip, cell, cell.first + at + 1)),
  };
}

/** The S elements of segments `first` to `end − 1`, as `timeline` in writeSegments.ts writes them. */
function runsText({ starts, times, durations }: SetForm, first: number, end: number): string {
  let run = 0;
  while (run + 1 < starts.length && starts[run + 1]! <= first) run += 1;
  let text = `<S t="${times[run]! + (first - starts[run]!) * durations[run]!}"`;
  for (let from = first; from < end; run += 1) {
    const stop = run + 1 < starts.length ? Math.min(end, starts[run + 1]!) : end;
    if (from > first) text += '\n<S';
    text += stop - from > 1 ? ` d="${durations[run]!}" r="${stop - from - 1}"/>` : ` d="${durations[run]!}"/>`;
    from = stop;
  }
  return text;
}

/** The AdaptationSet that lists segments `first` to `end − 1` of the clip, counted from 0. */
export function fillForm(form: SetForm, adId: string | undefined, first: number, end: number): string {
  const { texts, slots, number } = form;
  const runs = runsText(form, first, end);
  let text = texts[0]!;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at]!;
    text += slot === 'runs' ? runs : slot === 'number' ? number + first : adId;
    text += texts[at + 1]!;
  }
  return text;
}
