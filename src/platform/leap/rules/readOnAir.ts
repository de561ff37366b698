// SPDX-License-Identifier: Apache-2.0
// What channels show now, with its entry in the schedule. Partners request it every few seconds, so it is kept until the entry ends
// or the schedule on air changes.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../../../channels/channel.ts';
import { channelKey } from '../../../channels/channelKey.ts';
import { nextTurn } from '../../../ingest/source/inTurns.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { ScheduleDesk } from '../../../planning/schedule/scheduleDesk.ts';
import { ruleEntryOf } from '../../../scheduling/expandRules.ts';
import { type Entry, isLiveSource } from '../../../scheduling/schedule.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Programme } from '../../../timeline/programme/programme.ts';
import { HOUR_MS } from './expectedViewers.ts';

/** An enabled channel of a tenant. */
export type LeapChannel = {
  readonly channel: Channel;
  /** When it went on air; undefined while it is not. */
  readonly startedAt: Millis | undefined;
  /** Present for a linear channel on air. */
  readonly programme?: Programme | undefined;
};

/** `entry`: absent for filler and for what the guide hides. `endsAt`: absent if it is not known. */
export type Shown = { readonly startsAt: Millis; readonly endsAt?: Millis; readonly entry?: Entry };
type Kept = { readonly revision: number; readonly until: number; readonly shown: Shown };

/** Titles and the like may change without a new revision. */
const KEPT_MS = 300_000;
const MAX_KEPT = 20_000;

/** The hours of a schedule that are laid out, and more. */
const LAID_OUT = 4;

function borderAfter({ spansBetween }: Programme, now: Millis): Millis | undefined {
  for (let hour = 0; hour < LAID_OUT; hour += 1) {
    const from = millis(now + hour * HOUR_MS);
    const spans = spansBetween(from, millis(from + HOUR_MS));
    const border = spans.find((one) => one.border !== undefined && one.border.at > now)?.border;
    if (border !== undefined) return border.at;
  }
  return undefined;
}

type Deps = { readonly desk: Pick<ScheduleDesk, 'find' | 'byId'>; readonly now: () => Millis };

/** The planned length in milliseconds; undefined if the source determines it. */
const lengthOf = ({ duration, source }: Omit<Entry, 'id'>): number | undefined =>
  isLiveSource(source) ? source.live.plannedDuration * 1000 : duration && duration * 1000;

export function createOnAirReader({ desk, now }: Deps) {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

  async function entryOf(channel: Channel, id: string) {
    const [placed] = await desk.byId(channel, [id]);
    if (placed !== undefined) return placed;
    const ofRule = ruleEntryOf((await desk.find(channel))?.settings.rules ?? [], id);
    return ofRule && { entry: { ...ofRule, id }, length: undefined };
  }

  async function read(channel: Channel, programme: Programme, at: Millis): Promise<Shown> {
    // The first request reads all channels of a tenant.
    await nextTurn();
    const [span] = programme.spansBetween(at, millis(at + 1));
    // A channel without a schedule has no borders.
    const { at: startsAt = programme.startedAt, started } = span?.border ?? {};
    const found = started === undefined ? undefined : await entryOf(channel, started.id);
    const length = found && (found.length ?? lengthOf(found.entry));
    const planned = length === undefined ? undefined : millis(startsAt + length);
    const entry = found?.entry.isHidden ? undefined : found?.entry;
    return { startsAt, ...withoutUndefined({ entry, endsAt: borderAfter(programme, at) ?? planned }) };
  }

  return async (channel: Channel, programme: Programme): Promise<Shown> => {
    const [key, at, { revision }] = [channelKey(channel), now(), programme];
    const last = kept.get(key);
    if (last?.revision === revision && at < last.until) return last.shown;
    const shown = await read(channel, programme, at);
    kept.set(key, { revision, until: Math.min(shown.endsAt ?? at + KEPT_MS, at + KEPT_MS), shown });
    return shown;
  };
}
