// SPDX-License-Identifier: Apache-2.0
// Stores what linear channels have aired, row by row when each has ended. Several nodes may do it: they compute the same rows from
// the same editions, and each continues after the newest stored one, so a restart or an outage loses nothing.
import type { MarkersOut } from '../../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../../channels/channelKey.ts';
import type { RecordAsRun } from '../../../planning/ports.ts';
import { type AsRunRow, asRunOf, onAirUntil } from '../../../scheduling/asRun.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { AsRunStore, LifeOnAir } from './ports.ts';

export type AsRunDeps = {
  readonly store: Pick<AsRunStore, 'storedUntil' | 'add'>;
  /** Undefined without a life, or while its slate is made again. */
  readonly load: (channel: ChannelRef) => Promise<LifeOnAir | undefined>;
  /** As in `AiringStore`. */
  readonly versions: () => Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
  /** How the manifests of a channel mark breaks. */
  readonly markersOf: (channel: ChannelRef) => Promise<MarkersOut>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

type Unstored = {
  readonly storedUntil: Millis | undefined;
  readonly ended: readonly AsRunRow[];
  /** Up to now. */
  readonly onAir?: AsRunRow;
  /** When it ends, as planned. */
  readonly until?: Millis;
};

const isOfBreak = ({ kind }: AsRunRow): boolean => kind === 'break' || kind === 'insertedBreak';

const OVER = 'Ended when the channel was switched off or started anew.';

export function createAsRun({ store, load, versions, markersOf, now, log }: AsRunDeps) {
  /** When the row on air ends, by the version of the life. */
  let awaited: ReadonlyMap<string, { readonly version: string; readonly until: Millis }> = new Map();

  /** @param endsAt of the life, unless the channel was switched off before */
  async function unstored(channel: ChannelRef, endsAt?: Millis): Promise<Unstored> {
    const [life, storedUntil] = await Promise.all([load(channel), store.storedUntil(channel)]);
    if (life === undefined) return { storedUntil, ended: [] };
    const { beganAt, startedAt } = life.airing;
    const from = millis(Math.max(storedUntil ?? 0, life.onSince ?? 0, beganAt ?? startedAt));
    const over = life.offSince ?? endsAt;
    const to = over ?? now();
    const markers = await markersOf(channel);
    const rows = asRunOf(life, from, to).map((row) => (isOfBreak(row) ? { ...row, markers } : row));
    const last = rows.at(-1);
    if (last === undefined) return { storedUntil, ended: [] };
    const ended = rows.slice(0, -1);
    if (over === undefined) return { storedUntil, ended, onAir: last, until: onAirUntil(life, last.from) };
    return { storedUntil, ended: [...ended, { ...last, differences: [...last.differences, OVER] }] };
  }

  async function record(channel: ChannelRef, endsAt?: Millis): Promise<Unstored> {
    const found = await unstored(channel, endsAt);
    await store.add(channel, found.ended);
    return found;
  }

  const logged = (channel: ChannelRef, error: unknown): false => {
    log('recording what a channel has aired failed', { tenant: channel.tenant, channelId: channel.id, error });
    return false;
  };
  const recordAsRun: RecordAsRun = async (channel, endsAt) =>
    record(channel, endsAt).then(
      () => true,
      (error: unknown) => logged(channel, error),
    );

  return {
    unstored,
    recordAsRun,
    /** Records all channels on air. Call it every minute. */
    async recordAll(): Promise<void> {
      const next = new Map<string, { readonly version: string; readonly until: Millis }>();
      for (const { channel, version } of await versions()) {
        const key = channelKey(channel);
        const known = awaited.get(key);
        if (known?.version === version && now() <= known.until) next.set(key, known);
        else {
          const { until } = (await record(channel).catch((error: unknown) => logged(channel, error))) || {};
          if (until !== undefined) next.set(key, { version, until });
        }
      }
      awaited = next;
    },
  };
}

export type AsRun = ReturnType<typeof createAsRun>;
