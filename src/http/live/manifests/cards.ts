// SPDX-License-Identifier: Apache-2.0
// Cards: what is kept of a viewer's manifest while only time passes, so that most requests read one map and a few objects. A card is
// found by the id of its session alone. It ends when the strips of the window change, when there is something to decide, or when
// the viewer's choices may have changed.
import { type MpdCard, writeMpdCard } from '../../../dash/write/periodsCard.ts';
import { type MediaCard, writeMediaCard } from '../../../hls/mediaCard.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import { stepOf, type View } from '../../../playback/view/view.ts';
import { depthsOf } from '../../../playback/viewers/depths.ts';
import { MAX_WAIT_MS, secondOf, type Viewer } from '../../../playback/viewers/viewers.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { PlayerDeps } from '../playerRequest.ts';
import type { Body } from '../response/replyManifest.ts';
import { hasPatches, isOfStrips, mediaCardOf, mpdCardOf, type Urls } from './manifestTexts.ts';

type Card = {
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
  readonly content: MediaCard | MpdCard;
};

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
  if (card?.content.kind !== 'media') return undefined;
  const to = stepOf(now);
  return { card, body: writeMediaCard(card.content, millis(to - card.depth), to) };
}

/** @param clockUrl as in `Urls` */
export function mpdOfCard(deps: Deps, channelId: string, sessionId: string, clockUrl: string, now: Millis) {
  const card = find(deps, channelId, sessionId, MPD_NAME, now);
  if (card?.content.kind !== 'mpd' || card.content.around.clockUrl !== clockUrl) return undefined;
  const to = stepOf(now);
  return { card, body: writeMpdCard(card.content, millis(to - card.depth), to, now) };
}

/** While a decision was made, the viewer's choices may have changed. */
const canKeep = ({ until, now, viewer, choices }: View): boolean => now < until && viewer.choices === choices;

/** Keeps a card. It replaces the one with the same name, and those that have expired. */
function keep({ airings }: Deps, view: View, name: string, content: Card['content']): void {
  if (!canKeep(view)) return;
  const { airing, viewer, now, until, depth } = view;
  const since = secondOf(now);
  const card: Card = {
    name,
    next: undefined,
    channelId: airing.channel.id,
    viewer,
    airing,
    since,
    until: Math.floor(until / 1000),
    absence: Math.floor((depthsOf(viewer.session, airing).standard - MAX_WAIT_MS) / 1000) - 1,
    depth,
    revision: airings.revision(),
    content,
  };
  let last = card;
  for (let other = viewer.card as Card | undefined; other !== undefined; other = other.next) {
    if (other.name === name || other.until <= since) continue;
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
  keep(deps, view, rungId, media);
  return writeMediaCard(media, view.from, view.to);
}

/** @returns the MPD of a view; its card is kept */
export function keptMpdOf(deps: Deps, view: View, urls: Urls): Body | undefined {
  if (!isOfStrips(view) || hasPatches(view)) return undefined;
  const mpd = mpdCardOf(view, urls);
  keep(deps, view, MPD_NAME, mpd);
  return writeMpdCard(mpd, view.from, view.to, view.now);
}
