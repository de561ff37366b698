// SPDX-License-Identifier: Apache-2.0
// The events that reports count. An event belongs to one channel and one instant; manifest requests, which every viewer
// makes every few seconds, arrive already counted for a report interval.
import type { SkipCode } from '../../../ads/pod/adOutcome.ts';
import type { Millis } from '../../../time/units.ts';
import type { Bins } from './bins.ts';

/** A part of a viewer's break: its start on the channel's clock, and its length in milliseconds. */
export type AiredRange = { readonly at: Millis; readonly ms: number };

/** How the time of a viewer's break was used. */
export type AiredBreak = AiredRange & { readonly ads: readonly AiredRange[]; readonly slate: readonly AiredRange[] };

type OnChannel = {
  /** When it happened or airs. */
  readonly at: Millis;
  readonly channel: string;
  /** The tenant of the channel; absent in entries that an older version left in the spool. */
  readonly tenant?: string;
};

export type AdEventName = 'started' | 'firstQuartile' | 'midpoint' | 'thirdQuartile' | 'completed';

export type ReportEvent =
  | (OnChannel & { readonly type: 'sessionOpened' })
  /** `at` is the time of the last request. */
  | (OnChannel & { readonly type: 'sessionEnded' })
  /** Viewers who watched in a report interval and were not yet counted in it by any process. */
  | (OnChannel & { readonly type: 'watching'; readonly viewers: number })
  /** Manifest requests of one report interval and process; latencies in milliseconds. */
  | (OnChannel & {
      readonly type: 'manifests';
      readonly hls: number;
      readonly dash: number;
      readonly errors: number;
      readonly latency: Bins;
    })
  /** A viewer's break was decided; only the decision that was stored counts. `at` is its start on the channel's clock. */
  | (OnChannel & AiredBreak & { readonly type: 'breakDecided' })
  /**
   * The time of a break that ended at another time than was decided; `at` is its start on the channel's clock. -1 `times` takes
   * back what was counted when it was decided.
   */
  | (OnChannel & AiredBreak & { readonly type: 'breakEnded'; readonly times: 1 | -1 })
  /** An ad in a decided break; `at` is when the ad starts. */
  | (OnChannel & { readonly type: 'adDecided'; readonly creative: string })
  /** An ad that was skipped for a decided break; `at` is when the break starts. */
  | (OnChannel & { readonly type: 'adSkipped'; readonly creative: string; readonly reason: SkipCode })
  /** A request that was sent to an ad server, including those for wrappers. `at` is when it ended. */
  | (OnChannel & {
      readonly type: 'adRequest';
      /** Host and port. */
      readonly adServer: string;
      /** `empty`: a valid response without an ad; `error`: any failure other than a timeout. */
      readonly outcome: 'answered' | 'empty' | 'error' | 'timeout';
      /** The error is a response that is not valid. */
      readonly isInvalid?: true;
      readonly ms: number;
    })
  /**
   * A part of an ad that `times` viewers requested; `at` is its start on the channel's clock. A negative `times`, here and in
   * `adProgress`, takes back what was counted too early.
   */
  | (OnChannel & { readonly type: 'adDelivered'; readonly ms: number; readonly times: number })
  | (OnChannel & {
      readonly type: 'adProgress';
      readonly creative: string;
      readonly event: AdEventName;
      readonly times: number;
    })
  /**
   * `sent`: the first attempt; `retried`: each further attempt; `recovered`: a retry succeeded; `failed`: the beacon was
   * abandoned.
   */
  | (OnChannel & {
      readonly type: 'beacon';
      readonly host: string;
      readonly step: 'sent' | 'retried' | 'recovered' | 'failed';
      /** How many there were; default: 1. */
      readonly times?: number;
    })
  /** A creative was conditioned or failed; it counts for one of the channels that use it. */
  | (OnChannel & {
      readonly type: 'creativeConditioned';
      readonly creative: string;
      readonly isMade: boolean;
      /** Processing time. */
      readonly ms: number;
    })
  /** Creatives of the channel that wait to be conditioned, in one report interval. */
  | (OnChannel & { readonly type: 'creativesWaiting'; readonly count: number })
  /** The content of a cloud system's container. */
  | {
      readonly type: 'stored';
      readonly at: Millis;
      readonly tenant: string;
      readonly system: string;
      readonly bytes: number;
      readonly objects: number;
    };

/** Never throws and never blocks. */
export type RecordEvent = (event: ReportEvent) => void;
