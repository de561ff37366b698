// What happened, as the reports know it: a closed union. An event is of one channel and one instant; what happens to every
// viewer every few seconds comes already counted for a stretch of 10 s. It knows words and units; it refuses to know who
// counts (measure.ts), which system a channel belongs to (systemOf.ts) and where it is kept (ports.ts).
import type { SkipCode } from '../ads/pod/adOutcome.ts';
import type { Millis } from '../time/units.ts';
import type { Bins } from './bins.ts';

/** Milliseconds: the finest stretch of time that a report tells apart. Stretches begin at its multiples since 1970. */
export const REPORT_INTERVAL_MS = 10_000;

export const reportIntervalOf = (at: number): Millis => (at - (at % REPORT_INTERVAL_MS)) as Millis;

/** A stretch of a viewer's break on the channel's clock. */
export type AiredRange = { readonly at: Millis; readonly ms: number };

type OnChannel = {
  /** When it happened, or when it airs: milliseconds since 1970. */
  readonly at: Millis;
  readonly channel: string;
  /** Whose channel it is; absent only in what was counted before it was known with every event. */
  readonly tenant?: string;
};

export type AdEventName = 'started' | 'firstQuartile' | 'midpoint' | 'thirdQuartile' | 'completed';

export type ReportEvent =
  | (OnChannel & { readonly type: 'sessionOpened' })
  /** `at` is when the viewer was seen last. */
  | (OnChannel & { readonly type: 'sessionEnded' })
  /** Viewers who watched in a stretch of 10 s and were not counted in it before, by whichever process. */
  | (OnChannel & { readonly type: 'watching'; readonly viewers: number })
  /** Manifests answered in a stretch of 10 s by one process; latencies in milliseconds. */
  | (OnChannel & {
      readonly type: 'manifests';
      readonly hls: number;
      readonly dash: number;
      readonly errors: number;
      readonly latency: Bins;
    })
  /** A viewer's break was decided, by whoever was first; `at` is its start on the channel's clock. */
  | (OnChannel & {
      readonly type: 'breakDecided';
      readonly ms: number;
      readonly ads: readonly AiredRange[];
      readonly slate: readonly AiredRange[];
    })
  /** Of a decided break: `at` is when the ad starts. */
  | (OnChannel & { readonly type: 'adDecided'; readonly creative: string })
  /** Of a decided break: `at` is when the break starts. */
  | (OnChannel & { readonly type: 'adSkipped'; readonly creative: string; readonly reason: SkipCode })
  /** One exchange with an ad server, wrappers' included; one that was not sent is none. `at` is when it was over. */
  | (OnChannel & {
      readonly type: 'adRequest';
      /** Host and port. */
      readonly adServer: string;
      /** `empty` was answered, without an ad; `error` is whatever else than a readable answer in time. */
      readonly outcome: 'answered' | 'empty' | 'error' | 'timeout';
      readonly ms: number;
    })
  /**
   * Media of an ad that so many viewers requested: a stretch of the channel's clock. `times` is below 0 for what was counted too
   * early, here and of `adProgress`.
   */
  | (OnChannel & { readonly type: 'adDelivered'; readonly ms: number; readonly times: number })
  | (OnChannel & {
      readonly type: 'adProgress';
      readonly creative: string;
      readonly event: AdEventName;
      readonly times: number;
    })
  /**
   * A tracking URL. `sent` at its first sending, `retried` at every later one; `recovered` when a later one was answered
   * well, `failed` when it is given up.
   */
  | (OnChannel & {
      readonly type: 'beacon';
      readonly host: string;
      readonly step: 'sent' | 'retried' | 'recovered' | 'failed';
    })
  /** A creative was made, or could not be, for one of the channels that want it. */
  | (OnChannel & {
      readonly type: 'creativeConditioned';
      readonly creative: string;
      readonly isMade: boolean;
      /** Milliseconds from taking it up to its end. */
      readonly ms: number;
    })
  /** Creatives that wait to be made in a stretch of 10 s, of those that the channel wants. */
  | (OnChannel & { readonly type: 'creativesWaiting'; readonly count: number })
  /** What a cloud system holds. */
  | {
      readonly type: 'stored';
      readonly at: Millis;
      readonly tenant: string;
      readonly system: string;
      readonly bytes: number;
      readonly objects: number;
    };

/** Takes an event in; never throws, never waits. */
export type RecordEvent = (event: ReportEvent) => void;
