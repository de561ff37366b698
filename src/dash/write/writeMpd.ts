// SPDX-License-Identifier: Apache-2.0
// Writes the rows of the window as a dynamic MPD (ISO/IEC 23009-1 5.3): a Period for each span. The window decides what is
// listed.
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/holdBack.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import type { Row, Window } from '../../timeline/programme/window.ts';
import { element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets } from './adaptationSets.ts';
import { announceSpan } from './announce.ts';

function writePeriod({ span, first, end }: Row, { ladder, availabilityStart, announces }: MpdFrame): string {
  return element(
    'Period',
    { id: span.id, start: writeDuration(spanStart(span) - availabilityStart) },
    announces === false ? '' : announceSpan(span, availabilityStart),
    adaptationSets({ clip: span.placed.clip, first, end }, ladder),
  );
}

/** By row, because `frame` is the same for all rows of a channel except for `announces`. */
const periodTexts = ownMemo((_: Row): { announced?: string; plain?: string } => ({}));

/** A Period is written once for all viewers who see the same segments of a span. */
function period(row: Row, frame: MpdFrame): string {
  const texts = periodTexts(row);
  const kind = frame.announces === false ? 'plain' : 'announced';
  texts[kind] ??= writePeriod(row, frame);
  return texts[kind];
}

export type MpdFrame = {
  readonly ladder: Ladder;
  /** The channel's first instant. */
  readonly availabilityStart: Millis;
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
  const { ladder, availabilityStart, now, depth, startDelay = 0 } = frame;
  return (
    xmlDeclaration +
    element(
      'MPD',
      {
        xmlns: 'urn:mpeg:dash:schema:mpd:2011',
        profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
        type: 'dynamic',
        availabilityStartTime: new Date(availabilityStart).toISOString(),
        publishTime: new Date(now).toISOString(),
        minimumUpdatePeriod: 'PT2S',
        minBufferTime: 'PT2S',
        timeShiftBufferDepth: writeDuration(depth),
        suggestedPresentationDelay: writeDuration(Math.max(holdBackMillis(ladder), startDelay)),
        maxSegmentDuration: writeDuration(1000 * ladder.targetDuration),
      },
      element('BaseURL', {}, escapeText(frame.baseUrl)),
      ...window.rows.map((row) => period(row, frame)),
      element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: frame.clockUrl }),
    )
  );
}
