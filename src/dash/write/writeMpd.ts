// SPDX-License-Identifier: Apache-2.0
// Writes the rows of the window as a dynamic MPD (ISO/IEC 23009-1 5.3): a Period for each span, or for each stretch of live
// content. The window decides what is listed.
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/holdBack.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import type { Row, Window } from '../../timeline/programme/window.ts';
import { element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets, stretchSets } from './adaptationSets.ts';
import { announceSpans } from './announce.ts';

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

function writePeriod(group: Group, { ladder, availabilityStart, announces }: MpdFrame): string {
  const [{ span, first, end }] = group;
  const { stretch, placed } = span;
  const start = stretch === undefined ? placed.startsAt : clockAt(stretch.start, 0);
  return element(
    'Period',
    { id: stretch?.id ?? span.id, start: writeDuration(start - availabilityStart) },
    announces === false ? '' : announceSpans(group, availabilityStart),
    stretch === undefined ? adaptationSets({ clip: placed.clip, first, end }, ladder) : stretchSets(group, ladder),
  );
}

type PeriodText = { readonly group: Group; readonly announces: boolean; readonly text: string };

/** Viewers who join later, or wait for a decision, have other windows. */
const MAX_TEXTS = 4;

/** By the first row, because `frame` is the same for all rows of a channel except for `announces`. The newest text is first. */
const periodTexts = ownMemo((_: Row): PeriodText[] => []);

const isEqual = (one: Group, other: Group): boolean =>
  one.length === other.length && one.every((row, index) => row === other[index]);

/** A Period is written once for all viewers who see the same segments. */
function period(group: Group, frame: MpdFrame): string {
  const texts = periodTexts(group[0]);
  const announces = frame.announces !== false;
  const known = texts.find((one) => one.announces === announces && isEqual(one.group, group));
  if (known !== undefined) return known.text;
  const text = writePeriod(group, frame);
  texts.unshift({ group, announces, text });
  texts.length = Math.min(texts.length, MAX_TEXTS);
  return text;
}

export type MpdFrame = {
  readonly ladder: Ladder;
  /** The channel's first instant. */
  readonly availabilityStart: Millis;
  /** How much later the clock is than the timeline, in milliseconds; constant. 0 by default. */
  readonly clockOffset?: number;
  readonly now: Millis;
  /** The length of the window in milliseconds. */
  readonly depth: number;
  /** Milliseconds behind `now` at which players should start, if that is more than the hold-back (5.3.1.2). */
  readonly startDelay?: number;
  /** The URL at which players read the server's clock (5.8.5.7). */
  readonly clockUrl: string;
  /** Whether breaks and ads are announced as events; true by default. */
  readonly announces?: boolean;
  /** The base of relative segment URLs, itself relative to the MPD (5.6.4). */
  readonly baseUrl: string;
};

export function writeMpd(window: Window, frame: MpdFrame): string {
  const { ladder, availabilityStart, clockOffset = 0, now, depth, startDelay = 0 } = frame;
  return (
    xmlDeclaration +
    element(
      'MPD',
      {
        xmlns: 'urn:mpeg:dash:schema:mpd:2011',
        profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
        type: 'dynamic',
        availabilityStartTime: new Date(availabilityStart + clockOffset).toISOString(),
        publishTime: new Date(now).toISOString(),
        minimumUpdatePeriod: 'PT2S',
        minBufferTime: 'PT2S',
        timeShiftBufferDepth: writeDuration(depth),
        suggestedPresentationDelay: writeDuration(Math.max(holdBackMillis(ladder), startDelay)),
        maxSegmentDuration: writeDuration(1000 * ladder.targetDuration),
      },
      element('BaseURL', {}, escapeText(frame.baseUrl)),
      ...groupRows(window.rows).map((group) => period(group, frame)),
      element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: frame.clockUrl }),
    )
  );
}
