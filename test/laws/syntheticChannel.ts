// SPDX-License-Identifier: Apache-2.0
// A channel on air with synthetic media, and viewers with decided breaks: the pure modules without adapters.

import { expect } from 'vitest';
import { adClip, type ClipMaker, slateClip } from '../../src/ads/placement/breakClips.ts';
import { addShift, type Decision, freshOdometer } from '../../src/ads/placement/decision.ts';
import type { Channel } from '../../src/channels/channel.ts';
import type { ContentItem } from '../../src/channels/playlist.ts';
import {
  type AiringRecord,
  compileLineup,
  type EditionRecord,
  slotRecord,
} from '../../src/channels/schedule/airing.ts';
import type { Lineup } from '../../src/channels/schedule/edition.ts';
import {
  firstEditions,
  nextEditions,
  playlistSchedule,
  type Schedule,
} from '../../src/channels/schedule/nextEditions.ts';
import { planItem } from '../../src/channels/schedule/planSlots.ts';
import { scheduleProgramme } from '../../src/channels/schedule/scheduleProgramme.ts';
import { type PeriodsCard, periodsCard, writePeriodsCard } from '../../src/dash/write/periodsCard.ts';
import { type MediaCard, writeMediaCard } from '../../src/hls/mediaCard.ts';
import {
  isOfStrips,
  mediaCardOf,
  mediaDeltaOf,
  mediaPlaylistOf,
  periodsOf,
  reachOf as reachOfView,
  type StripView,
  mpdOf as writeMpdOf,
} from '../../src/http/live/manifests/manifestTexts.ts';
import { recordedClip } from '../../src/live/programme/recordedContent.ts';
import { type Airing, placeDecision } from '../../src/playback/onAir/airing.ts';
import type { View } from '../../src/playback/view/view.ts';
import { choicesOf, markVoidDecisions } from '../../src/playback/viewers/choicesOf.ts';
import { reachOf } from '../../src/playback/viewers/depths.ts';
import { settle } from '../../src/playback/viewers/settledDecisions.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import type { SessionState, StoredDecision } from '../../src/sessions/ports.ts';
import type { OnAirSession } from '../../src/sessions/session.ts';
import { millis } from '../../src/time/units.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { fitToLadder, ladderOf } from '../../src/timeline/ladder/ladderOf.ts';
import type { Programme } from '../../src/timeline/programme/programme.ts';
import type { BreakSpan } from '../../src/timeline/programme/span.ts';
import { syntheticMedia } from './syntheticMedia.ts';
import { textOf } from './textOf.ts';

export type SyntheticItem = { readonly asset: Asset; readonly cuePoints: ContentItem['cuePoints'] };

export type SyntheticChannel = {
  readonly ladder: Ladder;
  readonly clips: ClipMaker;
  readonly airing: AiringRecord;
  readonly assets: Map<string, Asset>;
  readonly records: readonly EditionRecord[];
  readonly lineup: Lineup;
  readonly programme: Programme;
};

export const clipsFor = (ladder: Ladder): ClipMaker => {
  const mediaOf = (id: string) => syntheticMedia(id, Number(id.split('x')[1] ?? 0), ladder);
  return {
    ladder,
    ad: (id, frames, sound) => adClip(mediaOf(id), ladder, frames, '', sound),
    slate: (id, frames, shown, sound) => slateClip(mediaOf(id), ladder, { frames, shown }, '', sound),
    size: () => 0,
  };
};

export function plansOf(items: readonly SyntheticItem[], ladder: Ladder, clips: ClipMaker) {
  const slate = { id: 'slate', clip: (frames: number) => clips.slate('slate', frames) };
  return items.flatMap(({ asset, cuePoints }, index) => {
    const fit = fitToLadder(asset, ladder);
    if (!fit.ok) return [];
    const item: ContentItem = { sourceType: 'url', url: asset.url, ...(cuePoints ? { cuePoints } : {}) };
    return planItem({ index, item, asset, renditions: fit.renditions }, ladder.frameRate, slate).slots;
  });
}

export function scheduleOf(items: readonly SyntheticItem[], ladder: Ladder, clips: ClipMaker): Schedule {
  return playlistSchedule({
    plans: plansOf(items, ladder, clips),
    items: items.map(({ asset }) => asset.url),
    record: (plan) => slotRecord(plan, ({ id }) => id),
  });
}

export function compiled(channel: Omit<SyntheticChannel, 'lineup' | 'programme'>): SyntheticChannel {
  const { airing, records, assets, clips } = channel;
  const shelf = { asset: (key: string) => assets.get(key)!, slate: clips.slate, live: recordedClip };
  const lineup = compileLineup(airing, records, shelf);
  return { ...channel, lineup, programme: scheduleProgramme(lineup) };
}

export function syntheticChannel(items: readonly SyntheticItem[], from: number): SyntheticChannel {
  const ladder = ladderOf(items.map(({ asset }) => asset) as [Asset, ...Asset[]]);
  const clips = clipsFor(ladder);
  const airing: AiringRecord = { tenant: 't', channelId: 'c', life: 'l', startedAt: millis(from), ladder };
  const records = firstEditions(airing, scheduleOf(items, ladder, clips));
  return compiled({ ladder, clips, airing, assets: new Map(items.map(({ asset }) => [asset.id, asset])), records });
}

/** The channel with other items on air, from an instant that is not before `earliest`. */
export function edited(channel: SyntheticChannel, items: readonly SyntheticItem[], earliest: number): SyntheticChannel {
  const schedule = scheduleOf(items, channel.ladder, channel.clips);
  if (schedule.plans.length === 0) return channel;
  for (const { asset } of items) channel.assets.set(asset.id, asset);
  const inForce = channel.records.findLastIndex(({ from }, index) => index === 0 || from <= earliest);
  const { last: _, ...edition } = channel.lineup.editions[inForce]!;
  const number = channel.records[channel.records.length - 1]!.number + 1;
  const next = nextEditions({ edition, record: channel.records[inForce]! }, schedule, millis(earliest), number);
  return compiled({ ...channel, records: [...channel.records.slice(0, inForce + 1), ...next] });
}

/** The channel as playback sees it, with a window of `playlistSize` seconds. */
export const airingOf = (channel: SyntheticChannel, playlistSize: number): Airing => ({
  channel: { id: 'c', tenant: 't', playlistSize, timeShiftWindow: 0, deltaUpdates: true } as Channel,
  life: 'l',
  ladder: channel.ladder,
  declared: channel.ladder,
  programme: channel.programme,
  clips: channel.clips,
  placements: { shareBreak: (_, make) => make(), shareSpan: (_, make) => make(), size: () => 0 },
  hasMedia: () => true,
  signalling: undefined,
});

export const sessionOf = (openedAt: number, id = 's'): OnAirSession => ({
  kind: 'schedule',
  id,
  channelId: 'c',
  tenant: 't',
  life: 'l',
  format: 'hls',
  openedAt: millis(openedAt),
  reach: { playlistSize: 60, timeShiftWindow: 0, deltaUpdates: true },
  parameters: {},
  viewer: { address: '', userAgent: '' },
});

/** A viewer who has seen nothing before an instant. @param revision of the programme that they have seen */
export function viewerWith(session: OnAirSession, rungs: number, revision: number, now: number): Viewer {
  const odometer = freshOdometer(rungs);
  return {
    ...{ session, spread: 0.5, revision, isStale: false, countedInterval: 0, isUnwatched: false, card: undefined },
    state: { session, decisions: [], odometer, foldedBefore: millis(0) },
    choices: { decided: [], odometer },
    ...{ seenSecond: Math.floor(now / 1000), edgeSecond: Math.floor(now / 1000) },
  };
}

/** A viewer whose session has the window of the channel. */
export const viewerOf = ({ channel, ladder, programme }: Airing, openedAt: number): Viewer =>
  viewerWith({ ...sessionOf(openedAt), reach: reachOf(channel) }, ladder.rungs.length, programme.revision, openedAt);

/** Places the decisions of a viewer on what a node knows. */
export function placeOn(airing: Airing, viewer: Viewer): void {
  viewer.state = markVoidDecisions(airing, viewer.state);
  viewer.choices = choicesOf(airing, viewer.state);
  viewer.state = settle(viewer.state, viewer.choices);
}

/** Adds a decision to the viewer's state, as storing it would. */
export function decideOn(airing: Airing, viewer: Viewer, span: BreakSpan, decision: Decision): void {
  const stored: StoredDecision = { ...decision, shift: placeDecision(airing, span, decision).shift };
  viewer.state = { ...viewer.state, decisions: [...viewer.state.decisions, stored] };
  placeOn(airing, viewer);
}

export const decide = (channel: SyntheticChannel, viewer: Viewer, span: BreakSpan, decision: Decision): void =>
  decideOn(airingOf(channel, 60), viewer, span, decision);

/** Places a viewer's decisions on the current schedule of the channel. */
export const placeDecisions = (channel: SyntheticChannel, viewer: Viewer): void =>
  placeOn(airingOf(channel, 60), viewer);

/** Folds decisions of breaks that started before `before` into the odometer. */
export function foldDecisions(channel: SyntheticChannel, viewer: Viewer, before: number): void {
  const old = viewer.state.decisions.filter(({ startsAt }) => startsAt < before);
  const odometer = old
    .filter(({ isVoid }) => !isVoid)
    .reduce((sum, { shift }) => addShift(sum, shift), viewer.state.odometer);
  viewer.state = { ...viewer.state, odometer, decisions: viewer.state.decisions.filter((one) => !old.includes(one)) };
  placeDecisions(channel, viewer);
}

export const hlsOf = (view: View, rung: number): string => textOf(mediaPlaylistOf(view, rung));
export const hlsDeltaOf = (view: View, rung: number): string => textOf(mediaDeltaOf(view, rung));

/** The same manifests, written row by row. */
export const hlsByRows = (view: View, rung: number): string => hlsOf(withoutStrips(view), rung);
export const mpdByRows = (view: View): string => mpdOf(withoutStrips(view));

function withoutStrips(view: View): View {
  const spans = view.airing.programme.spansBetween(view.from, millis(view.to + 1));
  return { ...view, spans, strips: undefined };
}

/** Checks manifests from the cards of an earlier view, for as long as these are valid. */
export function keptTexts() {
  let last: { view: StripView; state: string; media: MediaCard[]; periods: PeriodsCard } | undefined;
  return {
    /** @returns how many manifests were compared */
    check(view: View, { decisions, odometer }: SessionState): number {
      const { airing, now, from, to, until } = view;
      const state = JSON.stringify([decisions, odometer]);
      const isValid =
        last !== undefined &&
        now < last.view.until &&
        last.state === state &&
        last.view.airing.programme === airing.programme;
      if (isValid && last !== undefined) {
        const { media, periods } = last;
        for (const [rung, card] of media.entries())
          expect(textOf(writeMediaCard(card, from, to)), 'the playlist from an earlier card').toBe(
            hlsByRows(view, rung),
          );
        expect(writePeriodsCard(periods, from, to).text, 'the Periods from an earlier card').toBe(
          periodsOf(withoutStrips(view)).text,
        );
        return media.length + 1;
      }
      last = undefined;
      if (!isOfStrips(view) || until <= now) return 0;
      const { ladder, channel } = airing;
      last = {
        view,
        state,
        media: ladder.rungs.map((_, rung) => mediaCardOf(view, rung)),
        periods: periodsCard(reachOfView(view), {
          ladder,
          availabilityStart: airing.programme.startedAt,
          announces: channel.announceAds !== false,
        }),
      };
      return 0;
    },
  };
}

export const mpdOf = (view: View): string => writeMpdOf(view, { clockUrl: 'https://live.test/time', baseUrl: 's/' });
