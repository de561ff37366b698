// SPDX-License-Identifier: Apache-2.0
// All reports with their fields: unit, description, and the formula that computes a field from what was measured. The API,
// docs/reports.md and the tests are derived from this list.

import type { SkipCode } from '../../../ads/pod/adOutcome.ts';
import type { Dimension, ReportName } from '../contract/reportValues.ts';
import { demandReports } from './demandReports.ts';
import {
  average,
  type Formula,
  field,
  latencies,
  level,
  type Report,
  ratio,
  requestOutcomes,
  seconds,
  sum,
} from './reportFields.ts';

/** A description of every reason for skipping an ad. Traces contain the same codes (ads/pod/adOutcome.ts). */
export const skipReasons: Readonly<Record<SkipCode, string>> = {
  VAST_UNREADABLE: 'the VAST response was not valid',
  WRAPPER_FAILED: 'the request that a wrapper leads to failed',
  WRAPPER_TIMEOUT: 'the request that a wrapper leads to timed out',
  WRAPPER_LIMIT: 'too many nested wrappers',
  WRAPPER_LOOP: 'a wrapper leads back to a URL that was already requested',
  WRAPPER_EMPTY: 'a wrapper leads to no ad',
  WRAPPER_FORBIDS: 'a wrapper allows no further wrappers, or only one ad',
  CATEGORY_BLOCKED: 'a wrapper blocks the category of the ad',
  FALLBACK_FORBIDDEN: 'a fallback of a wrapper with fallbackOnNoAd="false"',
  FALLBACK_NOT_NEEDED: 'the ad is a fallback, and an earlier ad of its waterfall was shown',
  NEITHER_INLINE_NOR_WRAPPER: 'the ad contains neither InLine nor Wrapper',
  CONDITIONAL: 'the ad is a conditional ad, which requires a script in the player',
  NOT_LINEAR: 'the ad has no linear creative',
  NO_MEDIA_FILE: 'the ad has no media file that can be used',
  CREATIVE_PREPARING: 'the creative was still being conditioned',
  CREATIVE_FAILED: 'the creative could not be conditioned',
  CREATIVE_TOO_SHORT: 'the creative is too short',
  CREATIVE_REPEATED: 'the creative is already in the same break',
  SHOWN_LATELY: "the creative was in one of the viewer's last breaks, and another ad was available",
  MAX_ADS_REACHED: 'the break already has the maximum number of ads',
  BREAK_DURATION_EXCEEDED: 'the ad is longer than the break',
  REMAINDER_TOO_SHORT: 'the ad is longer than the remaining time of the break',
  FIXED_LENGTH: 'the creative is used as it is, and can be neither trimmed nor extended to end with the break',
  BREAK_FULL: 'the break was already full',
  ADVERTISER_BLOCKED: "the channel's rules block the advertiser",
  CATEGORY_EXCLUDED: "the channel's rules block the category",
  CREATIVE_BLOCKED: "the channel's rules block the creative",
  LANGUAGE_BLOCKED: "the channel's rules block the language",
  COMPETITOR_IN_BREAK:
    'an ad of the same advertiser or category is in the break, and the channel separates them by breaks',
  COMPETITOR_ADJACENT:
    'in any order, the ad would be next to one of the same advertiser or category, which the channel separates',
  ADVERTISER_LIMIT: 'the break already has as many ads of the advertiser as the channel allows',
  FREQUENCY_CAP: 'the viewer was shown the advertiser or the creative as often as the channel allows',
  HOOK_DROPPED: "the operator's hook removed the ad",
  OUTBID: 'the ads that were chosen pay more together',
  POSITION_TAKEN: 'the bid is only for the first or last place of the break, and other ads have it',
  BELOW_FLOOR: 'the price is below the floor of the ad source',
  BID_INVALID: 'the bid contains no ad that can be used',
  BID_CURRENCY: 'the currency of the bid is not that of the ad source',
};

export type { Dimension, Formula, ReportName };

export const catalogue: Readonly<Record<ReportName, Report>> = {
  viewers: {
    about: 'Viewers and sessions. Guided viewers are estimated: each counts for ten minutes after a request.',
    fields: [
      average(
        'averageViewers',
        'viewers',
        'concurrent viewers, averaged over the report intervals of the row that have begun',
        'watching',
      ),
      field('peakViewers', 'viewers', 'maximum number of viewers in one report interval', {
        kind: 'peak',
        of: 'watching',
      }),
      sum('sessionsStarted', 'sessions', 'sessions opened'),
      sum('sessionsEnded', 'sessions', 'sessions ended, counted at their last request; known when they are removed'),
      sum(
        'minutesWatched',
        'minutes',
        'minutes watched by all viewers; each report interval counts as a sixth of a minute',
        'watching',
        6,
      ),
    ],
  },
  requests: {
    about: 'Manifest requests of players.',
    fields: [
      sum('hlsManifests', 'requests', 'successful responses with an HLS playlist, multivariant or media', 'hls'),
      sum('dashManifests', 'requests', 'successful responses with a DASH manifest', 'dash'),
      sum('errors', 'requests', 'manifest requests that returned an error'),
      ...latencies('successful responses'),
    ],
  },
  breaks: {
    about:
      "Decided breaks and how much of their time was filled. Each viewer's break counts once; seconds count when they air.",
    fields: [
      sum('offered', 'breaks', 'decided breaks that start in the row', 'breaks'),
      seconds('secondsOffered', 'offeredMs', 'total duration of decided breaks'),
      seconds('secondsFilled', 'filledMs', 'duration planned for ads'),
      seconds('secondsDelivered', 'deliveredMs', 'duration of the ad segments that viewers requested'),
      seconds(
        'secondsSlate',
        'slateMs',
        'duration filled with slate; the rest is intro and outro, or content of a live origin',
      ),
      ratio('fillRate', 'filledMs', 'offeredMs', 'secondsFilled / secondsOffered; 0 if nothing was offered'),
      ratio('deliveryRate', 'deliveredMs', 'filledMs', 'secondsDelivered / secondsFilled; 0 if nothing was filled'),
    ],
  },
  'ad-requests': {
    about: 'Requests to ad servers, including those that follow wrappers: sent = answered + errors + timeouts.',
    fields: [sum('sent', 'requests', 'requests sent'), ...requestOutcomes, ...latencies('requests')],
  },
  ...demandReports(skipReasons),
  ads: {
    about: 'Ads that were stitched into breaks, and how much of them was delivered.',
    fields: [
      sum('decided', 'ads', 'ads in decided breaks; an ad counts when it starts'),
      sum('started', 'ads', 'ads whose first segment was delivered'),
      sum('firstQuartile', 'ads', 'ads delivered to a quarter of their duration'),
      sum('midpoint', 'ads', 'ads delivered to half of their duration'),
      sum('thirdQuartile', 'ads', 'ads delivered to three quarters of their duration'),
      sum('completed', 'ads', 'ads delivered to the end'),
      ratio('completionRate', 'completed', 'started', 'completed / started; 0 if none started'),
    ],
  },
  skips: {
    about: 'Ads that an ad server returned but that were not shown, by reason. An ad counts when its break starts.',
    fields: [
      sum('total', 'ads', 'ads skipped for any reason'),
      ...Object.entries(skipReasons).map(([code, text]) => sum(code, 'ads', text)),
    ],
  },
  beacons: {
    about: 'Beacons sent to tracking URLs.',
    fields: [
      sum('sent', 'beacons', 'beacons sent for the first time'),
      sum('retried', 'beacons', 'retries of failed beacons'),
      sum('recovered', 'beacons', 'beacons that succeeded on a retry'),
      sum('failed', 'beacons', 'beacons that were abandoned'),
    ],
  },
  creatives: {
    about:
      'Creatives conditioned for the channels of the system. A creative that several channels use counts for one of them.',
    fields: [
      sum('conditioned', 'creatives', 'creatives conditioned'),
      sum('failed', 'creatives', 'creatives that could not be conditioned'),
      average('waiting', 'creatives', 'creatives that wait for their first attempt, averaged over the row'),
      average('failing', 'creatives', 'creatives that have failed and are tried again, averaged over the row'),
      seconds('secondsTaken', 'takenMs', 'processing time of conditioned and failed creatives'),
    ],
  },
  storage: {
    about: "Content of the system's storage container.",
    fields: [
      level('bytes', 'bytes', 'total size at the end of the row, as last measured'),
      level('objects', 'objects', 'number of objects at the end of the row, as last measured'),
    ],
  },
};

const amountsWith = (kind: Formula['kind']) =>
  Object.fromEntries(
    Object.entries(catalogue).map(([report, { fields }]) => [
      report,
      fields.flatMap(({ formula }) => (formula.kind === kind && 'of' in formula ? [formula.of] : [])),
    ]),
  ) as Readonly<Record<string, readonly string[]>> as Readonly<Record<ReportName, readonly string[]>>;

/** Amounts of each report of which the maximum of all report intervals is kept. */
export const peaked = amountsWith('peak');
/** Amounts of each report of which the last value is kept instead of the sum. */
export const levels = amountsWith('level');
