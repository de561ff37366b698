// SPDX-License-Identifier: Apache-2.0
// What follows from a viewer's choices and the channel's spans of the moment, computed when one of them changes. Each viewer has
// values of their own, so a request touches as few of them as it can.
import { type Choices, decidedFor, personaliseStrips, shiftBefore } from '../../ads/placement/personalise.ts';
import type { Session } from '../../sessions/session.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { ChannelStrip, ShiftedStrips } from '../../timeline/programme/strip.ts';
import type { Airing } from '../onAir/airing.ts';
import { joinBreak, type OwnBreak, ownBreak } from './breaks.ts';

/** What all viewers of a channel have in common: the breaks in the window and ahead, and the strips in the window. */
type Common = { readonly breaks: readonly Span[]; readonly strips: readonly ChannelStrip[] | undefined };

export type Shown = Common & {
  readonly choices: Choices;
  /** The viewer's breaks without a decision. */
  readonly open: readonly OwnBreak[];
  /** The viewer's strips; undefined where manifests are written row by row. */
  readonly own: ShiftedStrips | undefined;
};

/** A viewer, with what was computed last. */
type Watching = { readonly session: Session; readonly choices: Choices; shown?: Shown };

/** Shared, because most viewers have no undecided breaks. */
const none: readonly OwnBreak[] = [];

function openBreaks(airing: Airing, { session, choices }: Watching, breaks: readonly Span[]): readonly OwnBreak[] {
  const found: OwnBreak[] = [];
  const isDecided = ({ break: own }: Span): boolean => decidedFor(choices.decided, own!.id) !== undefined;
  const join = session.live?.preroll && joinBreak(session, airing.programme);
  if (join !== undefined && !isDecided(join.span)) found.push(join);
  for (const span of breaks) {
    const own = isDecided(span) ? undefined : ownBreak(span, session, airing.ladder.frameRate, airing.programme);
    if (own !== undefined) found.push(own);
  }
  return found.length === 0 ? none : found;
}

function ownStrips({ choices }: Watching, { strips }: Common): ShiftedStrips | undefined {
  const own = strips && personaliseStrips(strips, choices.decided);
  return own && { strips: own, shifts: own.map(({ spans }) => shiftBefore(spans[0]!, choices)) };
}

export function shownOf(airing: Airing, viewer: Watching, { breaks, strips }: Common): Shown {
  const { shown, choices } = viewer;
  if (shown !== undefined && shown.choices === choices && shown.breaks === breaks && shown.strips === strips)
    return shown;
  const common = { breaks, strips };
  const fresh = { ...common, choices, open: openBreaks(airing, viewer, breaks), own: ownStrips(viewer, common) };
  viewer.shown = fresh;
  return fresh;
}
