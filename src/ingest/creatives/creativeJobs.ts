// SPDX-License-Identifier: Apache-2.0
// The queue of creatives and slate to be made. Each job is a row in the store; one worker at a time holds a lease on it and
// renews it with heartbeats. This folder manages states, attempts and leases, and looks up finished media; how media are made
// is left to `condition`. The queue is implemented by adapters/sql/creatives.
import type { AdNames, CreativeFault, CreativeOwner, CreativeRequester } from '../../ads/creative/creative.ts';
import type { ListCursor, Listed, Page } from '../../channels/ports.ts';
import { defined } from '../../invariant.ts';
import { framesToSeconds } from '../../time/frameRate.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';

/** A `waiting` job with a reason has had a transient failure and will be retried. */
export type JobState = 'waiting' | 'preparing' | 'ready' | 'failed';

/** As lists show it. `failing`: it has failed, and is tried again; also while it is. */
export type ShownState = JobState | 'failing';

export function shownState({ state, failedAt }: Pick<JobStatus, 'state' | 'failedAt'>): ShownState {
  return failedAt !== undefined && (state === 'waiting' || state === 'preparing') ? 'failing' : state;
}

/**
 * The order of jobs, lowest first. Slate comes before ads, because a channel cannot go on air without it; `requested` is the
 * slate of a channel that players request. Retries come after jobs that have not been tried yet.
 */
export const URGENCY = { requested: -1, slate: 0, viewer: 1, ahead: 2, retry: 3 } as const;
/** Milliseconds since the last request for a creative after which jobs that are still requested are taken before it. */
export const IDLE_AFTER = 300_000;

/** The finished media, as lists show them. */
export type MediaSummary = {
  /** The id of the media in the media store, which depends on their content. */
  readonly mediaId: string;
  readonly frames: number;
  /** Set if the creative is used as is: nothing of it is stored. */
  readonly isListed?: true;
  /** Seconds. */
  readonly duration: number;
  readonly bytes: number;
  readonly renditions: readonly RenditionSummary[];
};
type RenditionSummary = Pick<Rung, 'id' | 'kind' | 'codecs' | 'bandwidth' | 'width' | 'height'>;

export type CreativeRequest = {
  readonly order: ConditionOrder;
  readonly urgency: number;
  readonly owner?: CreativeRequester;
  /** Set if the media exist already. */
  readonly made?: MediaSummary;
};

export type JobStatus = {
  readonly id: string;
  readonly state: JobState;
  /** Both are set after a failure. */
  readonly fault?: CreativeFault;
  readonly reason?: string;
  /** The time of the next attempt. For a failed job, the time from which a new request retries it. */
  readonly dueAt: Millis;
  /** The first failure since it was ready or requested by an operator. */
  readonly failedAt?: Millis;
};

export type TakenJob = {
  readonly order: ConditionOrder;
  /** Identifies the lease. After it expired, another worker may hold the job, and this lease cannot finish it. */
  readonly lease: string;
  readonly attempts: number;
};

export type CreativeRecord = JobStatus &
  Pick<TakenJob, 'order' | 'attempts'> & {
    /** The time of the first request. */
    readonly createdAt: Millis;
    readonly channels: readonly string[];
    /** The ad of this tenant that it was first requested for. */
    readonly ad?: AdNames;
    readonly madeAt?: Millis;
    readonly made?: MediaSummary;
  };

export type JobOutcome =
  | { readonly state: 'ready'; readonly made: MediaSummary }
  | ({ readonly state: 'waiting' | 'failed' } & Required<Pick<JobStatus, 'fault' | 'reason' | 'dueAt'>>);

export type CreativeQueue = {
  readonly counts: Readonly<Record<'waiting' | 'retrying' | 'preparing' | 'failed', number>>;
  /** Absent while no waiting job is due. */
  readonly oldestDue?: Millis;
};

/** The creatives of a channel that are requested and cannot be made. */
export type ChannelFailures = {
  readonly channelId: string;
  /** Different creatives, whatever their ladders are. */
  readonly count: number;
  /** How many of them are tried again without a new request. */
  readonly failing: number;
  readonly since: Millis;
  /** Of one of them. */
  readonly reason?: string;
  readonly name?: string;
};

export type CreativeFilter = {
  readonly state?: ShownState;
  readonly channelId?: string;
  readonly kind?: 'creative' | 'slate';
  /** Occurs in the id or the masked source URL; case-insensitive. */
  readonly search?: string;
};
export type CreativePage = Page & {
  /** Default: newest first. */
  readonly sort?: { readonly field: 'createdAt' | 'madeAt'; readonly isDescending: boolean };
  /** Continues after it, in place of `offset`. */
  readonly after?: ListCursor;
};

export type CreativeJobs = {
  /**
   * Resolves once the requests are stored. An existing job keeps its state, unless its media are lost or it failed long
   * enough ago: then it waits again.
   */
  enqueue(requests: readonly CreativeRequest[], at: Millis): Promise<void>;
  states(ids: readonly string[]): Promise<JobStatus[]>;
  /** Moves the waiting slate of this channel before that of channels that no player requests. */
  prioritize(owner: CreativeOwner): Promise<void>;
  /** For each job that waits and is due: how many jobs are made before it, including those in progress. */
  queuedBefore(ids: readonly string[], at: Millis): Promise<ReadonlyMap<string, number>>;
  /**
   * Takes the most urgent job that is due or whose lease has expired, with a lease until `until`. `least` and `most` limit the
   * urgency. If jobs are equally urgent, those requested within IDLE_AFTER come first, then those that have been due
   * longest.
   * @returns undefined if there is none
   */
  take(lease: string, at: Millis, until: Millis, most: number, least?: number): Promise<TakenJob | undefined>;
  /** @returns false if the lease has been lost, because it expired or the job was deleted */
  renew(lease: string, until: Millis): Promise<boolean>;
  /** @returns false if the lease has been lost */
  finish(lease: string, outcome: JobOutcome, at: Millis): Promise<boolean>;
  /** Returns a job to the queue as if it had never been taken. */
  release(lease: string, at: Millis): Promise<void>;
  /** How many jobs there are, and since when the one that is due longest waits. `retrying`: waiting after a transient failure. */
  queue(at: Millis): Promise<CreativeQueue>;
  waiting(): Promise<number>;
  /** The number of jobs that have been due since `before`, or 0 while any worker holds a job. */
  overdue(before: Millis, at: Millis): Promise<number>;
  /**
   * Jobs that wait for their first attempt, and those that have failed and are tried again, by owner. A job of several channels of a
   * tenant counts for one of them.
   */
  unmadeByOwner(): Promise<(CreativeOwner & { readonly waiting: number; readonly failing: number })[]>;
  /** The owners of a job, in the order of their first requests. */
  owners(id: string): Promise<CreativeOwner[]>;
  /** The channels of a tenant with creatives that fail or have failed and were requested since. */
  failures(tenant: string, requestedSince: Millis): Promise<ChannelFailures[]>;
  find(tenant: string, id: string): Promise<CreativeRecord | undefined>;
  /** Newest first. */
  list(tenant: string, filter: CreativeFilter, page: CreativePage): Promise<Listed<CreativeRecord>>;
  /** Makes a failed job, or one that waits for a retry, due now. @returns whether there is such a job */
  retry(tenant: string, id: string, at: Millis): Promise<boolean>;
  /** @returns `kept` if another tenant has the creative as well, undefined if this tenant does not have it */
  remove(tenant: string, id: string): Promise<'gone' | 'kept' | undefined>;
  forget(mediaIds: readonly string[]): Promise<void>;
  /** Deletes failed jobs that have not been requested since, and the oldest jobs if there are too many. */
  expire(before: Millis): Promise<void>;
};

export function summarizeMedia({ media, frameRate, tracks }: PackagedMedia, ladder: Ladder): MediaSummary {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ...(media.asset === undefined ? {} : { isListed: true as const }),
    mediaId: media.id,
    frames: media.frames,
    duration: framesToSeconds(media.frames, frameRate),
    bytes: sum(tracks.map(({ initSize, sizes }) => initSize + sum(sizes))),
    renditions: media.rungs.map(({ codecs, bandwidth }, index): RenditionSummary => {
      const { id, kind, width, height } = defined(ladder.rungs[index], 'media have the rungs of their ladder');
      const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
      return { id, kind, codecs, bandwidth, ...size };
    }),
  };
}
