// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown in a break, as the text of its Periods. Few viewers share it, so a Period of which part is listed is
// written from a form (setForm.ts).
import { flat } from '../../cache/flat.ts';
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { countUpTo } from '../../timeline/programme/countUpTo.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { Strip } from '../../timeline/programme/strip.ts';
import { endAt, everyRung, windowAt } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/utf8Bytes.ts';
import { switchingSets } from './adaptationSets.ts';
import { type PeriodFrame, periodHead, writePeriods } from './periods.ts';
import { fillForm, type SetForm, setForm } from './setForm.ts';

type Column = {
  readonly form: SetForm;
  /** When the segments end, of the rung that they are counted in. */
  readonly ends: readonly number[];
};

type Scene = {
  readonly span: Span;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** The live edge from which on the span is listed, and the window's start until which it is. */
  readonly from: number;
  readonly until: number;
  /** The Period up to its AdaptationSets. */
  readonly head: string;
  /** Undefined if the Period is written from rows. */
  readonly columns: readonly Column[] | undefined;
  /** The Period with all of its segments, once it was listed. */
  whole: string | undefined;
};

function columnsOf({ placed }: Span, { ladder }: PeriodFrame): readonly Column[] | undefined {
  const { clip } = placed;
  const columns: Column[] = [];
  for (const [index, set] of switchingSets(ladder).entries()) {
    const form = setForm(clip, set, index + 1, ladder);
    if (form === undefined) return undefined;
    const { rung } = form;
    const count = clip.ends[rung]! - clip.firsts[rung]!;
    columns.push({ form, ends: Array.from({ length: count }, (_, at) => endAt(placed, rung, at)) });
  }
  return columns;
}

function sceneOf(span: Span, frame: PeriodFrame): Scene {
  const { startsAt, endsAt } = span.placed;
  const head = flat(utf8Bytes(periodHead(span, frame)));
  return { span, startsAt, endsAt, ...everyRung(span), head, columns: columnsOf(span, frame), whole: undefined };
}

function periodOf(scene: Scene, columns: readonly Column[], from: number, to: number): string {
  let text = scene.head;
  for (const { form, ends } of columns) {
    text += `\n${fillForm(form, countUpTo(ends, from), countUpTo(ends, to))}`;
  }
  return `${text}\n</Period>`;
}

function sceneText(scene: Scene, frame: PeriodFrame, from: Millis, to: Millis): string {
  const { span, startsAt, endsAt, columns } = scene;
  if (endsAt <= from || startsAt >= to || to < scene.from || from >= scene.until) return '';
  if (columns === undefined) return writePeriods(windowAt([span], from, to).rows, frame);
  if (startsAt < from || endsAt > to) return periodOf(scene, columns, from, to);
  scene.whole ??= flat(periodOf(scene, columns, startsAt, endsAt));
  return scene.whole;
}

/** Without and with announcements; a strip belongs to one channel, so the rest of the frame is the same. */
const reels = ownMemo((_: Strip): (readonly Scene[] | undefined)[] => []);

/** The Periods of what is listed of a strip, on separate lines. */
export function cutReel(strip: Strip, frame: PeriodFrame, from: Millis, to: Millis): string {
  const known = reels(strip);
  const key = frame.announces === false ? 0 : 1;
  known[key] ??= strip.spans.map((span) => sceneOf(span, frame));
  let text = '';
  for (const scene of known[key]) {
    const one = sceneText(scene, frame, from, to);
    if (one !== '') text += text === '' ? one : `\n${one}`;
  }
  return text;
}
