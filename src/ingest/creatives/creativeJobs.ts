// Creatives and slate as work that is kept in the store: what is asked to be made is a row there, taken by one worker at
// a time for as long as it shows that it lives. It knows states, attempts and leases; it refuses to know how media are
// made and where they lie. Implemented by adapters/sqlCreatives.
import type { CreativeOwner } from '../../ads/creative/creative.ts';
import type { CreativeFault } from '../../ads/creative/creativeFault.ts';
import type { Page } from '../../channels/ports.ts';
import type { Millis } from '../../time/units.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';

/** `waiting` with a reason: it failed for now, and will be tried again. */
export type JobState = 'waiting' | 'preparing' | 'ready' | 'failed';

/**
 * Who waits for it; lower comes first. Slate comes before ads, because a channel is not on air without it, and `wanted` is
 * the slate of a channel that players request. What failed once gives way to what was not tried yet.
 */
export const URGENCY = { wanted: -1, slate: 0, viewer: 1, ahead: 2, again: 3 } as const;
/** Milliseconds since a creative was last asked for after which its channel counts as idle. */
export const IDLE_AFTER = 300_000;

/** What was made, as far as a list shows it. */
export type MediaSummary = {
  /** Names the media on the media store: told by their content. */
  readonly mediaId: string;
  readonly frames: number;
  /** Its own segments are listed where they lie; nothing is stored of them. */
  readonly isListed?: true;
  /** Seconds that it plays. */
  readonly duration: number;
  readonly bytes: number;
  readonly renditions: readonly RenditionSummary[];
};
export type RenditionSummary = {
  readonly id: string;
  readonly kind: 'video' | 'audio' | 'muxed' | 'text';
  readonly codecs: string;
  readonly bandwidth: number;
  readonly width?: number;
  readonly height?: number;
};

export type CreativeRequest = {
  readonly order: ConditionOrder;
  readonly urgency: number;
  readonly owner?: CreativeOwner;
  /** It is on the media store already. */
  readonly made?: MediaSummary;
};

export type JobStatus = {
  readonly id: string;
  readonly state: JobState;
  /** Both where it failed. */
  readonly fault?: CreativeFault;
  readonly reason?: string;
  /** When it is tried (again); of a failed one, from when on asking for it tries it again. */
  readonly dueAt: Millis;
};

export type TakenJob = {
  readonly order: ConditionOrder;
  /** Names this holding of the job: whoever lost it can't end it. */
  readonly lease: string;
  /** This one included. */
  readonly attempts: number;
  /** When it was asked for first. */
  readonly createdAt: Millis;
};

export type CreativeRecord = JobStatus & {
  readonly order: ConditionOrder;
  readonly attempts: number;
  readonly channels: readonly string[];
  readonly createdAt: Millis;
  readonly madeAt?: Millis;
  readonly made?: MediaSummary;
};

export type JobOutcome =
  | { readonly state: 'ready'; readonly made: MediaSummary }
  | {
      readonly state: 'waiting' | 'failed';
      readonly fault: CreativeFault;
      readonly reason: string;
      readonly dueAt: Millis;
    };

export type CreativeFilter = { readonly state?: JobState; readonly channelId?: string };

export type CreativeJobs = {
  /** Stored when it resolves. What is known keeps its state, but for what was lost or may be tried again: that waits anew. */
  ask(asked: readonly CreativeRequest[], at: Millis): Promise<void>;
  /** Of those that exist. */
  states(ids: readonly string[]): Promise<JobStatus[]>;
  /** Slate of this channel that waits is taken before that of channels that no player requests. */
  hurry(owner: CreativeOwner): Promise<void>;
  /** Of those that wait and are due: how many are made before them, those under way included. */
  ahead(ids: readonly string[], at: Millis): Promise<ReadonlyMap<string, number>>;
  /**
   * The most urgent that is due or was left by its holder, held until `until`; undefined when there is none. Of equal
   * urgency, what was asked for within IDLE_AFTER comes first, then what has been due longest.
   */
  take(
    lease: string,
    at: Millis,
    until: Millis,
    mostUrgency: number,
    leastUrgency?: number,
  ): Promise<TakenJob | undefined>;
  /** @returns false when the job is somebody else's by now */
  hold(lease: string, until: Millis): Promise<boolean>;
  finish(lease: string, outcome: JobOutcome, at: Millis): Promise<boolean>;
  /** Gives a job back as if it had never been taken. */
  release(lease: string, at: Millis): Promise<void>;
  /** How many are to be made, those under way not counted. */
  waiting(): Promise<number>;
  /** How many have waited since `before`, while nobody makes any. */
  neglected(before: Millis, at: Millis): Promise<number>;
  /** Those that wait to be made, by who wants them: of several channels of a tenant one. */
  waitingByOwner(): Promise<(CreativeOwner & { readonly count: number })[]>;
  /** Who asked first is first. */
  owners(id: string): Promise<CreativeOwner[]>;
  find(tenant: string, id: string): Promise<CreativeRecord | undefined>;
  /** Newest first. */
  list(tenant: string, filter: CreativeFilter, page: Page): Promise<{ total: number; items: CreativeRecord[] }>;
  /** Has what failed, or waits to be tried again, tried now. @returns whether there was such a one */
  retry(tenant: string, id: string, at: Millis): Promise<boolean>;
  /** @returns `kept` while another tenant has it too, undefined when the tenant had none */
  remove(tenant: string, id: string): Promise<'gone' | 'kept' | undefined>;
  /** Forgets what was made into these media, which are gone. */
  forget(mediaIds: readonly string[]): Promise<void>;
  /** Forgets what failed and nobody asked for since, and the oldest of too many. */
  expire(before: Millis): Promise<void>;
};
