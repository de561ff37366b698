// A channel on air made of synthetic media, and viewers who decide their breaks: the pure heart with nothing around it.
import { adClip, breakClips, type ClipMaker, slateClip } from '../../src/ads/breakClips.ts';
import { addShift, type Decision, freshOdometer, type Odometer } from '../../src/ads/decision.ts';
import { type DecidedBreak, personalise, placeBreak, shiftOf } from '../../src/ads/personalise.ts';
import { type AiringRecord, compileLineup, type EditionRecord, slotRecord } from '../../src/channels/airing.ts';
import { type Lineup, timelineBetween } from '../../src/channels/lineup.ts';
import { firstEdition, nextEditions, type Schedule } from '../../src/channels/nextEditions.ts';
import { planItem } from '../../src/channels/planSlots.ts';
import type { ContentItem } from '../../src/channels/playlist.ts';
import { writeMpd } from '../../src/dash/writeMpd.ts';
import { writeMedia } from '../../src/hls/writeMedia.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import type { Asset } from '../../src/timeline/asset.ts';
import type { Ladder } from '../../src/timeline/ladder.ts';
import { fitToLadder, ladderOf } from '../../src/timeline/ladderOf.ts';
import { type Span, spanStart } from '../../src/timeline/span.ts';
import { type Window, windowAt } from '../../src/timeline/window.ts';
import { syntheticMedia } from './syntheticMedia.ts';

export type SyntheticItem = { readonly asset: Asset; readonly cuePoints: ContentItem['cuePoints'] };

export type SyntheticChannel = {
  readonly ladder: Ladder;
  readonly clips: ClipMaker;
  readonly airing: AiringRecord;
  readonly assets: Map<string, Asset>;
  readonly records: readonly EditionRecord[];
  readonly lineup: Lineup;
};

export const clipsFor = (ladder: Ladder): ClipMaker => {
  const mediaOf = (id: string) => syntheticMedia(id, Number(id.split('x')[1] ?? 0), ladder);
  return {
    ad: (id, frames) => adClip(mediaOf(id), ladder, frames, ''),
    slate: (id, frames, shown = frames) => slateClip(mediaOf(id), ladder, frames, shown, ''),
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

function scheduleOf(items: readonly SyntheticItem[], ladder: Ladder, clips: ClipMaker): Schedule {
  return {
    plans: plansOf(items, ladder, clips),
    items: items.map(({ asset }) => asset.url),
    record: (plan) => slotRecord(plan, ({ id }) => id),
  };
}

const compiled = (channel: Omit<SyntheticChannel, 'lineup'>): SyntheticChannel => ({
  ...channel,
  lineup: compileLineup(channel.airing, channel.records, {
    asset: (key) => channel.assets.get(key)!,
    slate: channel.clips.slate,
  }),
});

export function syntheticChannel(items: readonly SyntheticItem[], from: number): SyntheticChannel {
  const ladder = ladderOf(items.map(({ asset }) => asset) as [Asset, ...Asset[]]);
  const clips = clipsFor(ladder);
  const airing: AiringRecord = { channelId: 'c', life: 'l', startedAt: millis(from), ladder };
  const records = [firstEdition(airing, scheduleOf(items, ladder, clips))];
  return compiled({ ladder, clips, airing, assets: new Map(items.map(({ asset }) => [asset.id, asset])), records });
}

/** The channel with another list on air from some instant not before `earliest`. */
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

export type SyntheticViewer = { decided: Map<string, DecidedBreak>; odometer: Odometer };
export const freshViewer = (ladder: Ladder): SyntheticViewer => ({
  decided: new Map(),
  odometer: freshOdometer(ladder.rungs.length),
});

export function decide(channel: SyntheticChannel, viewer: SyntheticViewer, span: Span, decision: Decision): void {
  const made = breakClips(decision, span.break!, channel.clips);
  viewer.decided.set(span.break!.id, {
    breakId: span.break!.id,
    startsAt: spanStart(span),
    spans: placeBreak(span, made, channel.ladder.frameRate, (_, make) => make()),
    shift: shiftOf(
      span.placed.clip,
      made.map(({ clip }) => clip),
    ),
  });
}

/** Folds decisions of breaks that started before `before` into the odometer. */
export function fold(viewer: SyntheticViewer, before: number): void {
  for (const [id, decided] of viewer.decided) {
    if (decided.startsAt >= before) continue;
    viewer.odometer = addShift(viewer.odometer, decided.shift);
    viewer.decided.delete(id);
  }
}

export function windowOf(channel: SyntheticChannel, viewer: SyntheticViewer, now: number, depth: number): Window {
  const from = millis(now - depth);
  return windowAt(personalise(timelineBetween(channel.lineup, from, now as Millis), viewer), from, now as Millis);
}

export const hlsOf = (channel: SyntheticChannel, window: Window, rung: number): string =>
  writeMedia(window, rung, channel.ladder);

export const mpdOf = (channel: SyntheticChannel, window: Window, now: number, depth: number): string =>
  writeMpd(window, {
    ladder: channel.ladder,
    availabilityStart: channel.lineup.startedAt,
    now: millis(now),
    depth,
    clockUrl: 'https://live.test/time',
  });
