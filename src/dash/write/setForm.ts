// SPDX-License-Identifier: Apache-2.0
// The form of an AdaptationSet: its text for any of its listed segments. Only the number of the first segment and the S elements
// depend on these, so the rest is written once.
import type { Clip } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { dashCell } from '../../timeline/ladder/servedText.ts';
import { utf8Bytes } from '../../xml/utf8Bytes.ts';
import { element } from '../../xml/write.ts';
import { adaptationSet, type SwitchingSet } from './adaptationSets.ts';
import { type RepresentationRow, type Run, representationRow } from './representationRow.ts';

/** Two values that no MPD contains. A form is the text between them. */
const NUMBER = 8_914_735_286_012_437;
const RUN: Run = { t: 8_621_947_503_318_265, d: 1, count: 1 };
const RUN_TEXT = element('S', { t: RUN.t, d: RUN.d });
const slots = new RegExp(`${NUMBER}|${RUN_TEXT}`);

export type SetForm = {
  /** Around the values: S elements and, if `number` is defined, before each of them the number of the first segment. */
  readonly texts: readonly string[];
  /** The number of the clip's first segment. */
  readonly number: number | undefined;
  /** All segments of the clip in runs: the index of the first segment of each, from 0, its time and its duration. */
  readonly starts: readonly number[];
  readonly times: readonly number[];
  readonly durations: readonly number[];
  /** The rung that the times of segments are taken from. */
  readonly rung: number;
};

const isEqualRow = (one: RepresentationRow, other: RepresentationRow): boolean =>
  one.timescale === other.timescale &&
  one.presentationTimeOffset === other.presentationTimeOffset &&
  one.template?.startNumber === other.template?.startNumber &&
  one.runs.length === other.runs.length &&
  one.runs.every(
    ({ t, d, count }, at) => t === other.runs[at]!.t && d === other.runs[at]!.d && count === other.runs[at]!.count,
  );

const inForm = (row: RepresentationRow): RepresentationRow => {
  const { startNumber, ...template } = row.template!;
  const numbered = startNumber === undefined ? template : { ...template, startNumber: NUMBER };
  return { ...row, runs: [RUN], template: numbered };
};

/** @returns undefined if its Representations have different segments, or URLs that follow no pattern */
export function setForm(clip: Clip, set: SwitchingSet, id: number, ladder: Ladder): SetForm | undefined {
  const cells = set.rungs.map((rung) => dashCell(clip.cells[rung]!));
  const rows = set.rungs.map((rung, index) =>
    representationRow(ladder.rungs[rung]!.id, clip, cells[index]!, clip.firsts[rung]!, clip.ends[rung]!),
  );
  const [first] = rows as [RepresentationRow];
  if (rows.some((row) => row.template === undefined || !isEqualRow(row, first))) return undefined;
  const texts = utf8Bytes(adaptationSet({ cells, rows: rows.map(inForm) }, set, id, ladder)).split(slots);
  const number = first.template!.startNumber;
  const perTemplate = number === undefined ? 1 : 2;
  if ((texts.length - 1) % perTemplate !== 0 || texts.length === 1) return undefined;
  const starts = first.runs.map((_, at) => first.runs.slice(0, at).reduce((sum, { count }) => sum + count, 0));
  const [times, durations] = [first.runs.map((run) => run.t), first.runs.map(({ d }) => d)];
  return { texts, number, starts, times, durations, rung: set.rungs[0]! };
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
export function fillForm(form: SetForm, first: number, end: number): string {
  const { texts, number } = form;
  const runs = runsText(form, first, end);
  let text = texts[0]!;
  if (number === undefined) {
    for (let at = 1; at < texts.length; at += 1) text += runs + texts[at]!;
    return text;
  }
  for (let at = 1; at < texts.length; at += 2) text += `${number + first}${texts[at]!}${runs}${texts[at + 1]!}`;
  return text;
}
