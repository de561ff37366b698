// SPDX-License-Identifier: Apache-2.0
// The events that reports count. An event belongs to one channel and one instant; manifest requests, which every viewer
// makes every few seconds, arrive already counted for a report interval.
import type { SkipCode } from '../../../ads/pod/adOutcome.ts';
import type { Price } from '../../../ads/record/offer.ts';
import type { SentAdRequest } from '../../../playback/request/observeAdRequests.ts';
import type { Millis } from '../../../time/units.ts';
import type { BeaconFact } from '../../../tracking/beacons/beacon.ts';
import type { Bins } from './bins.ts';
import type { BreakDemand, SourceRequest } from './count/sourceRequests.ts';

/** A part of a viewer's break: its start on the channel's clock, and its length in milliseconds. */
export type AiredRange = { readonly at: Millis; readonly ms: number };

/** The id of the ad source that offered an ad; absent if the channel has no steps. */
export type FromSource = { readonly source?: string };

/** How the time of a viewer's break was used. */
export type AiredBreak = AiredRange & {
  readonly ads: readonly (AiredRange & FromSource)[];
  readonly slate: readonly AiredRange[];
  readonly demand: BreakDemand;
};

/** `at` is when it happened or airs: of a break or a part of it, the start on the channel's clock. */
type OnChannel<Type extends string> = {
  readonly type: Type;
  readonly at: Millis;
  readonly channel: string;
  readonly tenant: string;
};

export type AdEventName = 'started' | 'firstQuartile' | 'midpoint' | 'thirdQuartile' | 'completed';

export type ReportEvent =
  /** A session ends at its last request. */
  | OnChannel<'sessionOpened' | 'sessionEnded'>
  /** Viewers who watched in a report interval and were not yet counted in it by any process. */
  | (OnChannel<'watching'> & { readonly viewers: number })
  /** Manifest requests of one report interval and process; latencies in milliseconds. */
  | (OnChannel<'manifests'> & Readonly<Record<'hls' | 'dash' | 'errors', number>> & { readonly latency: Bins })
  /** A viewer's break was decided; only the decision that was stored counts. */
  | (OnChannel<'breakDecided'> & AiredBreak)
  /** The time of a break that did not end when decided. -1 `times` takes back what was counted when it was decided. */
  | (OnChannel<'breakEnded'> & AiredBreak & { readonly times: 1 | -1 })
  /** An ad in a decided break; `at` is when the ad starts. */
  | (OnChannel<'adDecided'> & FromSource & { readonly creative: string })
  /** An ad that was skipped for a decided break; `at` is when the break starts, `ms` its declared length, 0 if that is not known. */
  | (OnChannel<'adSkipped'> &
      FromSource & { readonly creative: string; readonly reason: SkipCode; readonly ms: number })
  | (OnChannel<'adRequest'> & SentAdRequest)
  /** A source of a decided break; `at` is when the break starts. */
  | (OnChannel<'sourceRequested'> & SourceRequest)
  /** A part of an ad that `times` viewers requested. Less than 0, also of `adProgress`: counted too early. */
  | (OnChannel<'adDelivered'> & FromSource & { readonly ms: number; readonly times: number })
  | (OnChannel<'adProgress'> &
      FromSource & {
        readonly creative: string;
        readonly event: AdEventName;
        readonly times: number;
        readonly price?: Price;
      })
  | (OnChannel<'beacon'> & Pick<BeaconFact, 'host' | 'step'> & { readonly times: number })
  /** A creative was conditioned or failed, after `ms` of processing; it counts for one of the channels that use it. */
  | (OnChannel<'creativeConditioned'> & { readonly creative: string; readonly isMade: boolean; readonly ms: number })
  /** Creatives of the channel that are not conditioned yet, in one report interval. `failing`: not at the first attempt. */
  | (OnChannel<'creativesWaiting'> & { readonly waiting: number; readonly failing: number })
  /** The content of a cloud system's container. */
  | (Omit<OnChannel<'stored'>, 'channel'> & {
      readonly system: string;
      readonly bytes: number;
      readonly objects: number;
    });

/** Never throws and never blocks. */
export type RecordEvent = (event: ReportEvent) => void;
