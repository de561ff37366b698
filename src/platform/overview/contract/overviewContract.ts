// SPDX-License-Identifier: Apache-2.0
// The contract of the overview: one number each with its change, and the worst channels, ad servers and creatives.
import { type Static, type TProperties, Type } from 'typebox';
import { integer, labelFilter, list, number, oneOf, text, time } from '../../../http/contract/commonContract.ts';
import { named, namedObject } from '../../../http/contract/named.ts';
import { overviewRanges } from './overviewValues.ts';

const optional = Type.Optional;
/** One object of a union. */
const kind = <const Kind extends string>(name: Kind) => Type.Literal(name);

export const overviewQuery = Type.Object({
  range: oneOf(
    [...overviewRanges],
    'The range. `today` and `yesterday` are compared with the same hours of the day before, `last-7-days` with the 7 days before.',
    { default: 'today' },
  ),
  label: labelFilter,
  timeZone: text('Name of an IANA time zone. Days begin at its midnight.', {
    default: 'UTC',
    pattern: '^[A-Za-z0-9_+/-]{1,64}$',
  }),
});

const value = number('The value; of a share, 0 to 1.');
const figure = named(
  'OverviewFigure',
  Type.Union([
    Type.Object({
      kind: kind('compared'),
      value,
      before: number('The value at the same hours before.'),
      change: number('Of a share, the difference; of others, the difference divided by the value before.'),
    }),
    Type.Object({
      kind: kind('uncompared'),
      value,
      reason: oneOf(
        ['too-new', 'nothing-before'],
        '`too-new`: the tenant did not exist yet at the time to compare with. `nothing-before`: nothing was counted then.',
      ),
    }),
    Type.Object({
      kind: kind('nothing'),
      reason: oneOf(
        ['no-breaks', 'no-requests'],
        'Why the share has no value: there were no breaks, or no ad requests.',
      ),
    }),
  ]),
);

const reason = <const Kind extends string, Fields extends TProperties>(name: Kind, fields: Fields) =>
  Type.Object({ kind: kind(name), text: text('The reason as a sentence.'), ...fields });
const count = integer('How many.');
const unfilledReason = named(
  'UnfilledReason',
  Type.Union(
    [
      reason('requests-failed', { count, of: integer('Ad requests.') }),
      reason('responses-empty', { count, of: integer('Ad requests.') }),
      reason('ads-skipped', { count, code: text('The most frequent reason, as in traces and in the report `skips`.') }),
      reason('no-requests', {}),
      reason('too-few-ads', {}),
    ],
    { description: 'The most frequent reason why break time was not filled.' },
  ),
);

const unfilledChannel = namedObject('OverviewChannel', {
  id: Type.String(),
  name: optional(Type.String()),
  secondsOffered: number('Break time.'),
  secondsUnfilled: number('Break time without ads.'),
  fillRate: number('0 to 1.'),
  reason: unfilledReason,
});
const adServer = namedObject('OverviewAdServer', {
  adServer: text('The host.'),
  sent: integer('Requests, including those that follow wrappers.'),
  errors: integer('Connection errors, error statuses and invalid responses.'),
  timeouts: integer('Requests without a response in time.'),
  empty: integer('Valid responses without an ad.'),
  failureShare: number('Errors and timeouts divided by requests.'),
  latencyP95: number('95th percentile of the latency in milliseconds.'),
});
const lostCreative = namedObject('OverviewCreative', {
  creative: text("The creative's id in the ad response, else its title."),
  adsLost: integer('Ads that were not shown because of it.'),
  code: text('The most frequent reason, as in traces and in the report `skips`.'),
  text: text('The reason as a sentence.'),
});

const missing = named(
  'OverviewGap',
  Type.Union([
    Type.Object({
      kind: kind('system'),
      id: Type.String(),
      name: Type.String(),
      text: text('Why it is not included.'),
    }),
    Type.Object({
      kind: kind('list'),
      list: oneOf(['channels', 'adServers', 'creatives'], 'The list that is empty.'),
      text: text('Why it cannot be ranked.'),
    }),
  ]),
);

export const overviewResponse = namedObject('Overview', {
  range: oneOf([...overviewRanges], 'As in the query.'),
  timeZone: Type.String(),
  start: time,
  end: time,
  before: Type.Object({ start: time, end: time }, { description: 'The range that it is compared with.' }),
  since: text('When the tenant was created: nothing was counted before. ISO 8601, UTC.'),
  fill: Type.Object(
    {
      now: figure,
      hour: figure,
      range: figure,
    },
    {
      description:
        'Share of break time with ads. `now`: the last hour, compared with the same hour yesterday; `hour`: with the hour before.',
    },
  ),
  viewers: Type.Object({ now: figure, peak: figure }),
  minutesWatched: figure,
  adsShown: figure,
  adRequests: figure,
  adRequestFailures: figure,
  channels: list(unfilledChannel, 'Channels with most break time without ads in the range, at most 10.'),
  adServers: list(adServer, 'Ad servers with most failures in the range, at most 10.'),
  creatives: list(lostCreative, 'Creatives with most ads lost in the range, at most 10.'),
  missing: list(missing, 'What the numbers do not include. Empty if they are complete.'),
});

export type OverviewResponse = Static<typeof overviewResponse>;
export type OverviewFigure = Static<typeof figure>;
