// SPDX-License-Identifier: Apache-2.0
// The Periods of rows (ISO/IEC 23009-1 5.3.2): one for each span, or for each stretch of live content.
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { clockAt, type Span } from '../../timeline/programme/span.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/utf8Bytes.ts';
import { escapeAttribute } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets, stretchSets } from './adaptationSets.ts';
import { announceSpan, announceSpans } from './announce.ts';

/** What the Periods of a channel have in common. */
export type PeriodFrame = {
  readonly ladder: Ladder;
  /** The channel's first instant. */
  readonly availabilityStart: Millis;
  /** Whether breaks and ads are announced as events; true by default. */
  readonly announces?: boolean;
};

/** The rows of one Period: one span, or consecutive spans of one stretch of live content. */
type Group = readonly [Row, ...Row[]];

function groupRows(rows: readonly Row[]): Group[] {
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const { stretch } = row.span;
    const last = groups.at(-1);
    if (stretch !== undefined && stretch.id === last?.[0].span.stretch?.id) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The Period of a span up to its AdaptationSets, which are on the lines that follow. */
export function periodHead(span: Span, { availabilityStart, announces }: PeriodFrame): string {
  const { stretch, placed } = span;
  const start = stretch === undefined ? placed.startsAt : clockAt(stretch.start, 0);
  const tag = `<Period id="${escapeAttribute(stretch?.id ?? span.id)}" start="${writeDuration(start - availabilityStart)}">`;
  const announced = announces === false || stretch !== undefined ? '' : announceSpan(span, availabilityStart);
  return announced === '' ? tag : `${tag}\n${announced}`;
}

function writePeriod(group: Group, frame: PeriodFrame): string {
  const { ladder, availabilityStart, announces } = frame;
  const [{ span, first, end }] = group;
  const head = periodHead(span, frame);
  if (span.stretch === undefined)
    return `${head}\n${adaptationSets({ clip: span.placed.clip, first, end }, ladder)}\n</Period>`;
  const announced = announces === false ? '' : announceSpans(group, availabilityStart);
  return `${head}\n${announced === '' ? '' : `${announced}\n`}${stretchSets(group, ladder)}\n</Period>`;
}

/** Consecutive Periods of an MPD. */
export type Periods = {
  /** On separate lines, as bytes (utf8Bytes.ts). */
  readonly text: string;
  /** The last one; empty without any. */
  readonly last: string;
  /** Whether one of them has a SegmentList. */
  readonly hasLists: boolean;
};

export const NO_PERIODS: Periods = { text: '', last: '', hasLists: false };

export const joinPeriods = (one: Periods, next: Periods): Periods =>
  one === NO_PERIODS
    ? next
    : next === NO_PERIODS
      ? one
      : { text: `${one.text}\n${next.text}`, last: next.last, hasLists: one.hasLists || next.hasLists };

type KnownPeriod = { readonly group: Group; readonly announces: boolean; readonly periods: Periods };

/** Viewers who join later, or wait for a decision, have other windows. */
const MAX_TEXTS = 4;

/** By the first row, because `frame` is the same for all rows of a channel except for `announces`. The newest text is first. */
const knownPeriods = ownMemo((_: Row): KnownPeriod[] => []);

const isEqual = (one: Group, other: Group): boolean =>
  one.length === other.length && one.every((row, index) => row === other[index]);

/** A Period is written once for all viewers who see the same segments. */
function period(group: Group, frame: PeriodFrame): Periods {
  const all = knownPeriods(group[0]);
  const announces = frame.announces !== false;
  const known = all.find((one) => one.announces === announces && isEqual(one.group, group));
  if (known !== undefined) return known.periods;
  const text = utf8Bytes(writePeriod(group, frame));
  const periods = { text, last: text, hasLists: text.includes('<SegmentList') };
  all.unshift({ group, announces, periods });
  all.length = Math.min(all.length, MAX_TEXTS);
  return periods;
}

/** The Periods of consecutive rows. */
export const writePeriods = (rows: readonly Row[], frame: PeriodFrame): Periods =>
  groupRows(rows).reduce((periods, group) => joinPeriods(periods, period(group, frame)), NO_PERIODS);
