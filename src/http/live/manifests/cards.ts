// SPDX-License-Identifier: Apache-2.0
// Cards: what is kept of a viewer's manifest while only time passes, so that most requests read one map and a few objects. A card is
// found by the id of its session alone. It ends when the strips of the window change, when there is something to decide, or when
// the viewer's choices may have changed.
import { type PeriodsCard, periodsCard, writePeriodTexts } from '../../../dash/write/periodsCard.ts';
import { type Around, aroundOf, mpdAroundTexts } from '../../../dash/write/writeMpd.ts';
import { type MediaCard, writeMediaCard } from '../../../hls/mediaCard.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import { stepOf, type View } from '../../../playback/view/view.ts';
import { depthsOf } from '../../../playback/viewers/depths.ts';
import { MAX_WAIT_MS, secondOf, type Viewer } from '../../../playback/viewers/viewers.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { PlayerDeps } from '../playerRequest.ts';
import type { Body } from '../response/replyManifest.ts';
import { hasPatches, isOfStrips, mediaCardOf, mpdFrameOf, reachOf } from './manifestTexts.ts';

type Kept = {
  /** A rung, or MPD_NAME. */
  readonly name: string;
  next: Card | undefined;
  readonly channelId: string;
  readonly viewer: Viewer;
  readonly airing: Airing;
  /** Valid from here on and before `until`: whole seconds since 1970, by the clock. */
  readonly since: number;
  readonly until: number;
  /** Valid if the viewer was seen so many seconds ago at most. */
  readonly absence: number;
  /** Of the window, in milliseconds. */
  readonly depth: number;
  /** That of the channels on air when the airing was among them. */
  revision: number;
};

type MediaKept = Kept & { readonly kind: 'media'; readonly media: MediaCard };
type MpdKept = Kept & {
  readonly kind: 'mpd';
  readonly periods: PeriodsCard;
  readonly around: Around;
  readonly baseUrl: string;
};
type Card = MediaKept | MpdKept;

type Deps = Pick<PlayerDeps, 'airings' | 'viewers'>;

/** No rung has this name. */
const MPD_NAME = '.mpd';

function isOnAir({ airings }: Deps, card: Card): boolean {
  const revision = airings.revision();
  if (card.revision === revision) return true;
  if (!airings.named(card.channelId).some(({ airing }) => airing === card.airing)) return false;
  card.revision = revision;
  return true;
}

function find(deps: Deps, channelId: string, sessionId: string, name: string, now: Millis): Card | undefined {
  let card = deps.viewers.seats.get(sessionId)?.card as Card | undefined;
  while (card !== undefined && card.name !== name) card = card.next;
  if (card === undefined) return undefined;
  const { viewer } = card;
  const second = secondOf(now);
  const isValid =
    second < card.until &&
    second >= card.since &&
    second - viewer.edgeSecond <= card.absence &&
    card.channelId === channelId &&
    isOnAir(deps, card);
  if (!isValid) return undefined;
  // On a schedule, the live edge is the clock.
  viewer.seenSecond = second;
  viewer.edgeSecond = second;
  return card;
}

/** @returns the media playlist, and whose it is; undefined if there is no card */
export function mediaOfCard(deps: Deps, channelId: string, sessionId: string, rungId: string, now: Millis) {
  const card = find(deps, channelId, sessionId, rungId, now);
  if (card?.kind !== 'media') return undefined;
  const to = stepOf(now);
  return { card, body: writeMediaCard(card.media, millis(to - card.depth), to) };
}

/** @param clockUrl as in `mpdOf` */
export function mpdOfCard(deps: Deps, channelId: string, sessionId: string, clockUrl: string, now: Millis) {
  const card = find(deps, channelId, sessionId, MPD_NAME, now);
  if (card?.kind !== 'mpd' || card.around.clockUrl !== clockUrl) return undefined;
  const to = stepOf(now);
  const periods = writePeriodTexts(card.periods, millis(to - card.depth), to);
  return { card, body: mpdAroundTexts(periods, card.around, { now, baseUrl: card.baseUrl }) };
}

function keep({ airings }: Deps, { airing, viewer, now, until, depth }: View, name: string): Kept {
  const { standard } = depthsOf(viewer.session, airing);
  return {
    ...{ name, next: undefined, channelId: airing.channel.id, viewer, airing },
    ...{
      since: secondOf(now),
      until: Math.floor(until / 1000),
      absence: Math.floor((standard - MAX_WAIT_MS) / 1000) - 1,
    },
    ...{ depth, revision: airings.revision() },
  };
}

/** While a decision was made, the viewer's choices may have changed. */
const canKeep = ({ until, now, viewer, choices }: View): boolean => now < until && viewer.choices === choices;

/** Replaces the card with the same name, and removes those that have expired. */
function add({ viewer, now }: View, card: Card): void {
  const second = secondOf(now);
  let last: Card = card;
  for (let other = viewer.card as Card | undefined; other !== undefined; other = other.next) {
    if (other.name === card.name || other.until <= second) continue;
    last.next = other;
    last = other;
  }
  last.next = undefined;
  viewer.card = card;
}

/** @returns the media playlist of a view; its card is kept */
export function keptMediaOf(deps: Deps, view: View, rung: number, rungId: string): Body | undefined {
  if (!isOfStrips(view)) return undefined;
  const media = mediaCardOf(view, rung);
  if (canKeep(view)) add(view, { kind: 'media', media, ...keep(deps, view, rungId) });
  return writeMediaCard(media, view.from, view.to);
}

/** @returns the MPD of a view; its card is kept */
export function keptMpdOf(deps: Deps, view: View, urls: Parameters<typeof mpdFrameOf>[1]): Body | undefined {
  if (!isOfStrips(view) || hasPatches(view)) return undefined;
  const frame = mpdFrameOf(view, urls);
  const around = aroundOf(frame);
  const periods = periodsCard(reachOf(view), frame);
  if (canKeep(view)) add(view, { kind: 'mpd', periods, around, baseUrl: urls.baseUrl, ...keep(deps, view, MPD_NAME) });
  return mpdAroundTexts(writePeriodTexts(periods, view.from, view.to), around, frame);
}
