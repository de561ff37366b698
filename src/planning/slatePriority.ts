// Whose slate is made first: that of channels that players request or watch. A channel is not on air without slate, and many
// may be put on air at once.
import type { Channel } from '../channels/channel.ts';
import { channelKey } from '../channels/channelKey.ts';
import type { CreativeJobs } from '../ingest/creatives/creativeJobs.ts';
import type { Millis } from '../time/units.ts';

export type SlatePriorityDeps = {
  readonly jobs: Pick<CreativeJobs, 'hurry'>;
  /** How many watch each of these channels since an instant. */
  readonly watching: (tenant: string, channelIds: readonly string[], since: Millis) => Promise<Map<string, number>>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type SlatePriority = {
  /** A player requested a channel that is not on air yet. */
  requested(channel: Channel): void;
  /** The slate of a channel has to be made. */
  awaited(channel: Channel): void;
};

/** Players that wait try again every few seconds: one write for all of them in so many milliseconds. */
const ONCE_IN = 5000;
/** A viewer who requested something within so many milliseconds watches. */
const WATCHED_WITHIN = 60_000;
/** Channels that are remembered; more are not requested within ONCE_IN. */
const MOST_REMEMBERED = 10_000;

export function createSlatePriority({ jobs, watching, now, log }: SlatePriorityDeps): SlatePriority {
  const hurriedAt = new Map<string, Millis>();
  const hurry = ({ tenant, id }: Channel): Promise<void> => jobs.hurry({ tenant, channelId: id });
  const note =
    ({ tenant, id: channelId }: Channel) =>
    (error: unknown) =>
      log('the slate of a channel could not be hurried', { tenant, channelId, error });

  return {
    requested(channel) {
      const key = channelKey(channel);
      if (now() - (hurriedAt.get(key) ?? Number.NEGATIVE_INFINITY) < ONCE_IN) return;
      if (hurriedAt.size >= MOST_REMEMBERED) hurriedAt.clear();
      hurriedAt.set(key, now());
      hurry(channel).catch(note(channel));
    },
    awaited(channel) {
      const since = (now() - WATCHED_WITHIN) as Millis;
      const counted = watching(channel.tenant, [channel.id], since);
      counted.then((counts) => ((counts.get(channel.id) ?? 0) > 0 ? hurry(channel) : undefined)).catch(note(channel));
    },
  };
}
