// SPDX-License-Identifier: Apache-2.0
// The guides of channels as texts, made from the same projection as the timeline of the schedule. Requests share them until the
// schedule, the channel or what is on air has changed.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import { inTurns } from '../../ingest/source/inTurns.ts';
import { type GuideRow, programmesOf } from '../../scheduling/forms/guideProgrammes.ts';
import { guideJson, writingXmltv } from '../../scheduling/forms/writeXmltv.ts';
import { type Millis, millis } from '../../time/units.ts';
import { utf8Bytes } from '../../xml/write.ts';
import type { Projection } from './projectSchedule.ts';
import type { Range, ScheduleDesk } from './scheduleDesk.ts';

/** UTF-8 as characters (latin1). */
export type GuideText = { readonly xmltv: string; readonly json: string };

export type GuideDeps = {
  readonly desk: Pick<ScheduleDesk, 'find' | 'byId' | 'project'>;
  /** The revision of what a channel has on air, as this process knows it; undefined if it is off air. */
  readonly revisionOf: (channel: ChannelRef) => number | undefined;
  /** What a channel has shown, in order, further back than its editions are kept. */
  readonly shown: (channel: ChannelRef, range: Range) => Promise<readonly GuideRow[]>;
  readonly now: () => Millis;
};

export type Guides = ReturnType<typeof createGuides>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAST_MS = 7 * DAY_MS;
const AHEAD_MS = 14 * DAY_MS;
/** How long editions are kept at least after they were shown. */
const PUBLISHED_MS = DAY_MS;
/** A change of the schedule by another process is seen after at most this time. */
const VERSION_MS = 1000;
/** Sources that become available change a projection without a new version. */
const KEPT_MS = 30_000;
/** Guides of a few hundred kilobytes. */
const MAX_KEPT = 200;
const MAX_VERSIONS = 10_000;

type Kept = { readonly version: string; readonly madeAt: Millis; readonly text: Promise<GuideText> };
/** The rows do not change, so they are read once an hour. */
type Past = { readonly from: Millis; readonly rows: Promise<readonly GuideRow[]> };
type Version = { readonly readAt: Millis; readonly version: Promise<string> };

export function createGuides({ desk, revisionOf, shown, now }: GuideDeps) {
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });
  const versions = new LRUCache<string, Version>({ maxSize: MAX_VERSIONS, sizeCalculation: () => 1 });

  const pasts = new LRUCache<string, Past>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });

  function shownBefore(channel: Channel, { from, to }: Range): Promise<readonly GuideRow[]> {
    const key = channelKey(channel);
    const known = pasts.get(key);
    if (known?.from === from) return known.rows;
    const rows = shown(channel, { from, to });
    pasts.set(key, { from, rows });
    rows.catch(() => pasts.get(key)?.rows === rows && pasts.delete(key));
    return rows;
  }

  function scheduleVersion(channel: Channel): Promise<string> {
    const key = channelKey(channel);
    const known = versions.get(key);
    if (known !== undefined && now() - known.readAt < VERSION_MS) return known.version;
    const version = desk.find(channel).then((stored) => `${stored?.createdAt} ${stored?.version}`);
    versions.set(key, { readAt: now(), version });
    return version;
  }

  async function write(channel: Channel, listsFiller: boolean): Promise<GuideText> {
    const hour = Math.floor(now() / HOUR_MS) * HOUR_MS;
    const range = { from: millis(hour - PAST_MS), to: millis(hour + HOUR_MS + AHEAD_MS) };
    const isOnAir = revisionOf(channel) !== undefined;
    const begin = isOnAir ? millis(hour - PUBLISHED_MS) : now();
    // A programme that starts in the range ends when it ends.
    const projection =
      channel.type === 'vod2live'
        ? await desk.project(channel, { from: begin, to: millis(range.to + DAY_MS) })
        : undefined;
    const name = channel.name ?? channel.id;
    const whole: GuideRow = { kind: 'filler', startsAt: range.from, endsAt: range.to };
    const programmes =
      projection === undefined
        ? // Names of a playlist's items are not for viewers.
          programmesOf([whole], () => undefined, { name, listsFiller: true })
        : programmesOf(...(await rowsOf(channel, projection, { from: range.from, to: millis(hour) })), {
            name,
            listsFiller,
          });
    const guide = {
      channel: { id: channel.id, displayNames: [{ text: name }] },
      programmes: programmes.filter(({ startsAt, endsAt }) => endsAt > range.from && startsAt < range.to),
    };
    const xmltv = await inTurns(0, writingXmltv(guide));
    return { xmltv: utf8Bytes(xmltv), json: utf8Bytes(`${JSON.stringify(guideJson(guide))}\n`) };
  }

  /** What was shown before what the projection has, and the projection. */
  async function rowsOf(channel: Channel, { rows, entries }: Projection, before: Range) {
    const known = new Map(entries.map(({ entry }) => [entry.id, entry]));
    const past = await shownBefore(channel, before);
    const ids = new Set(past.flatMap((row) => (row.kind === 'entry' ? [row.entryId] : [])));
    const others = [...ids].filter((id) => !known.has(id));
    for (const { entry } of await desk.byId(channel, others)) known.set(entry.id, entry);
    const first = rows[0]?.startsAt ?? before.to;
    const all: GuideRow[] = [...past.filter(({ endsAt }) => endsAt <= first), ...rows];
    return [all, (id: string) => known.get(id)] as const;
  }

  return {
    /** @param listsFiller whether filler and slate are programmes. Without a schedule, they always are */
    async of(channel: Channel & { readonly version?: number }, listsFiller: boolean): Promise<GuideText> {
      const key = `${channelKey(channel)} ${listsFiller}`;
      const last = kept.get(key);
      const hour = Math.floor(now() / HOUR_MS);
      const facts = [hour, channel.version, channel.modifiedAt, revisionOf(channel)];
      // During an outage of the store, the last one is served.
      const stored = await scheduleVersion(channel).catch((error: unknown) => {
        if (last === undefined) throw error;
      });
      if (last !== undefined && stored === undefined) return last.text;
      const version = `${stored} ${facts}`;
      if (last?.version === version && now() - last.madeAt < KEPT_MS) return last.text;
      // Another request may have begun while this one waited for the version.
      const begun = kept.get(key);
      if (begun !== last && begun?.version === version) return begun.text;
      const text = write(channel, listsFiller);
      kept.set(key, { version, madeAt: now(), text });
      text.catch(() => kept.get(key)?.text === text && kept.delete(key));
      return text;
    },
  };
}
