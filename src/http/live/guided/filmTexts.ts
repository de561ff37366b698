// SPDX-License-Identifier: Apache-2.0
// The manifests of a guided viewer of a VoD channel: the content alone, with the breaks of its plan. They are the same for all viewers
// of a title.
import { LRUCache } from 'lru-cache';
import { memo } from '../../../cache/memo.ts';
import { type Alternative, ANNEX_I, alternativesStream } from '../../../dash/write/alternatives.ts';
import { baseUrlText, writeStaticMpd } from '../../../dash/write/writeMpd.ts';
import { type Interstitial, interstitialTags } from '../../../hls/interstitials.ts';
import { rebased, writeVodMedia } from '../../../hls/writeVodMedia.ts';
import { defined, InvariantError } from '../../../invariant.ts';
import type { VodViewer } from '../../../playback/vod/vodViewer.ts';
import {
  FLICKS_PER_SECOND,
  type Flicks,
  flicks,
  flicksToMicros,
  millis,
  secondsToFlicks,
} from '../../../time/units.ts';
import { clockAt, type Span, spanEnd, spanStart } from '../../../timeline/programme/span.ts';
import type { PlannedBreak } from '../../../vod/breakPlan.ts';
import { layOut } from '../../../vod/layOut.ts';
import type { Title } from '../../../vod/title.ts';
import { type SharedText, sharedTextOf } from '../response/replyShared.ts';

/** The date of time zero, the same for everyone. */
const ZERO = millis(Date.UTC(2020, 0, 1));

const contentOf = memo((title: Title): readonly Span[] => {
  const ad = (): never => {
    throw new InvariantError('Defect in Midroll: content without breaks has no ads');
  };
  return layOut(title, { breaks: [] }, { ad }, ZERO).spans;
});

/** Without a plan, the ad server names the breaks (VMAP): they differ between viewers, who are stitched. */
export const hasPlan = ({ session: { vod } }: VodViewer): boolean => vod.plan !== undefined;

const planOf = ({ session: { vod } }: VodViewer): readonly PlannedBreak[] =>
  defined(vod.plan, 'a guided session of a VoD channel has a plan').breaks;

/** Without ads, replaced content stays, so source time is the time of the content. */
const dateAt = (at: Flicks) => clockAt({ millis: ZERO, rest: flicks(0) }, at);

const plannedOf = ({ at, until, duration }: PlannedBreak): Flicks =>
  until === undefined ? secondsToFlicks(duration) : flicks(until - at);

function interstitialOf(one: PlannedBreak, title: Title): Interstitial {
  const { id, at, until } = one;
  const common = { id, startsAt: dateAt(at), planned: plannedOf(one), list: `../breaks/${id}.json` };
  if (until !== undefined) return { kind: 'replace', ...common };
  return { kind: 'insert', ...common, cue: at === 0 ? 'PRE' : at >= title.duration ? 'POST' : undefined };
}

/** Rungs of a title, with few plans and places to start. */
const MAX_TEXTS = 12;
const limits = { maxSize: MAX_TEXTS, sizeCalculation: () => 1 };
const lastTexts = memo((_: Title) => new LRUCache<string, SharedText>(limits));

/** @param write returns ASCII */
function textOfTitle(title: Title, key: string, write: () => string): SharedText {
  const texts = lastTexts(title);
  const shared = texts.get(key) ?? sharedTextOf(write());
  texts.set(key, shared);
  return shared;
}

/** The content of a title without breaks. */
export const filmMedia = (title: Title, rung: number): SharedText =>
  textOfTitle(title, `${rung}`, () => writeVodMedia(contentOf(title), rung, title.ladder, { announces: false }));

/** The same in DASH. */
export const filmMpd = (title: Title): SharedText =>
  textOfTitle(title, 'mpd', () =>
    writeStaticMpd(contentOf(title), { ladder: title.ladder, baseUrl: baseUrlText('channel/'), eventsOf: () => '' }),
  );

export function guidedFilmMedia(viewer: VodViewer, rung: number): SharedText {
  const { title, session } = viewer;
  const { resumeAt } = session.vod;
  const tags = interstitialTags(planOf(viewer).map((one) => interstitialOf(one, title)));
  return textOfTitle(title, `${rung} ${resumeAt ?? ''} ${tags}`, () => {
    const startOffset = resumeAt === undefined ? undefined : resumeAt * FLICKS_PER_SECOND;
    const text = writeVodMedia(contentOf(title), rung, title.ladder, { announces: false, startOffset });
    const head = '#EXT-X-INDEPENDENT-SEGMENTS\n';
    return rebased(text, '../').replace(head, head + tags);
  });
}

/** The alternatives of one kind that start in a span of content. */
function alternativesIn(
  span: Span,
  isLast: boolean,
  all: readonly PlannedBreak[],
  kind: 'insert' | 'replace',
  breaksUrl: string,
): string {
  const [from, to] = [spanStart(span), spanEnd(span)];
  const events = all.flatMap((one): Alternative[] => {
    const at = dateAt(one.at);
    if ((one.until === undefined) !== (kind === 'insert') || at < from || (isLast ? at > to : at >= to)) return [];
    const eventId = at - ZERO;
    return [{ eventId, breakId: one.id, time: (at - from) * 1000, duration: flicksToMicros(plannedOf(one)) }];
  });
  return alternativesStream(kind, events, breaksUrl);
}

export function guidedFilmMpd(viewer: VodViewer, breaksUrl: string): SharedText {
  const { title } = viewer;
  const spans = contentOf(title);
  const plan = planOf(viewer);
  const streams = spans.map((span) =>
    (['insert', 'replace'] as const)
      .map((kind) => alternativesIn(span, span === spans.at(-1), plan, kind, breaksUrl))
      .filter((stream) => stream !== '')
      .join('\n'),
  );
  return textOfTitle(title, streams.join(), () => {
    const eventsOf = (span: Span): string => streams[spans.indexOf(span)] ?? '';
    const mpd = writeStaticMpd(spans, { ladder: title.ladder, baseUrl: baseUrlText('channel/'), eventsOf });
    const end = mpd.lastIndexOf('</MPD>');
    return `${mpd.slice(0, end)}${ANNEX_I}\n${mpd.slice(end)}`;
  });
}
