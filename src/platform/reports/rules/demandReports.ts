// SPDX-License-Identifier: Apache-2.0
// The reports of demand: what ad sources were requested for and offered, and how opportunities for ads were used.
// measureDemand.ts measures them.
import type { SkipCode } from '../../../ads/pod/adOutcome.ts';
import {
  difference,
  type Field,
  field,
  latencies,
  type Report,
  ratio,
  requestOutcomes,
  seconds,
  sum,
} from './reportFields.ts';

/** Why a source was not requested, by the code of the trace. */
export const notSentFields: ReadonlyMap<string, Field> = new Map([
  ['RATE_REACHED', sum('rateReached', 'requests', 'not sent, because the rate of the source was reached')],
  ['BREAK_FULL', sum('breakFull', 'requests', 'not sent, because the break was already full')],
  [
    'AD_SERVER_NOT_ASKED',
    sum(
      'resting',
      'requests',
      'not sent, because the source had failed before or limits its rate, or too many requests were waiting',
    ),
  ],
  ['NO_TIME_LEFT', sum('budgetSpent', 'requests', 'not sent, because the time for requests was used up')],
  ['HOOK_SKIPPED', sum('hookSkipped', 'requests', 'not sent, because the hook skipped them')],
]);

/** Ads from the response to the end of playback. */
const adFields: readonly Field[] = [
  sum('offered', 'ads', 'ads in responses'),
  sum('chosen', 'ads', 'ads in decided breaks; an ad counts when it starts'),
  seconds('secondsChosen', 'chosenMs', 'duration planned for chosen ads'),
  sum('started', 'ads', 'ads whose first segment was delivered'),
  sum('completed', 'ads', 'ads delivered to the end'),
  seconds('secondsDelivered', 'deliveredMs', 'duration of the ad segments that viewers requested'),
];

/** @param skipReasons a description of every reason for skipping an ad */
export const demandReports = (skipReasons: Readonly<Record<SkipCode, string>>) =>
  ({
    'ad-sources': {
      about:
        'Ad sources of channels with steps: sent = answered + errors + timeouts, and offered = chosen + the ads skipped by reason. A request counts when its break starts, and with VMAP for each break that the response names. Seconds of ads count when they air.',
      fields: [
        sum('sent', 'requests', 'requests sent; of a list of videos, how often it was read'),
        ...requestOutcomes,
        sum('noBids', 'requests', 'responses without a bid; included in empty'),
        sum('notSent', 'requests', 'requests that were not sent, for any reason'),
        ...notSentFields.values(),
        ...latencies('requests'),
        seconds('secondsRequested', 'requestedMs', 'duration that the source was requested to fill'),
        ...adFields,
        ratio('fillRate', 'chosenMs', 'requestedMs', 'secondsChosen / secondsRequested; 0 if nothing was requested'),
        ratio('completionRate', 'completed', 'started', 'completed / started; 0 if none started'),
        sum('priced', 'ads', 'started ads whose price is known'),
        field(
          'revenue',
          'currency',
          'price of the started ads; a field for each currency, such as `revenueEUR`; only with the scope `manage`',
          { kind: 'money', of: 'revenue' },
        ),
        ...Object.entries(skipReasons).map(([code, text]) => sum(code, 'ads', text)),
      ],
    },
    'demand-funnel': {
      about:
        'From opportunities to completed ads, with the loss at each step: opportunities = requested + breaksNotRequested, and offered = chosen + adsNotChosen. By reason, only the losses are counted.',
      fields: [
        sum('opportunities', 'breaks', 'decided breaks that start in the row'),
        seconds(
          'secondsAvailable',
          'availableMs',
          'total duration of decided breaks; on demand the duration that ads may fill',
        ),
        sum('requested', 'breaks', 'breaks for which ads were requested'),
        seconds('secondsRequested', 'requestedMs', 'duration that ads and bumpers could fill in these'),
        sum('breaksNotRequested', 'breaks', 'breaks for which no ads were requested'),
        seconds('secondsNotRequested', 'notRequestedMs', 'total duration of these'),
        sum('requests', 'requests', 'requests sent to ad servers and other ad sources, as in `ad-sources`'),
        sum('requestsNotSent', 'requests', 'requests to ad sources that were not sent'),
        sum('requestsWithoutAds', 'requests', 'requests that were sent and resulted in no ad'),
        seconds('secondsWithoutAds', 'withoutAdsMs', 'duration that these were to fill'),
        ...adFields,
        seconds(
          'secondsOffered',
          'offeredMs',
          'duration of offered ads: as planned, or as declared if they were not chosen',
        ),
        sum('adsNotChosen', 'ads', 'ads skipped for any reason'),
        seconds(
          'secondsNotChosen',
          'notChosenMs',
          'duration of these, and of ads that a break cut because it ended early',
        ),
        difference('adsNotStarted', 'ads', ['chosen', 'started'], 'chosen − started'),
        difference('secondsNotDelivered', 's', ['chosenMs', 'deliveredMs'], 'secondsChosen − secondsDelivered', 1000),
        difference('adsNotCompleted', 'ads', ['started', 'completed'], 'started − completed'),
        ratio('fillRate', 'chosenMs', 'availableMs', 'secondsChosen / secondsAvailable; 0 if there were none'),
        ratio('deliveryRate', 'deliveredMs', 'chosenMs', 'secondsDelivered / secondsChosen; 0 if nothing was chosen'),
      ],
    },
  }) as const satisfies Readonly<Record<string, Report>>;
