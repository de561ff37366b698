// Every report with its fields: unit, definition, and the formula that makes a field of what was measured. Answers,
// documentation and tests are made of this list. It knows no time, no store and no event.
import { skipReasons } from './skipReasons.ts';

export type ReportName =
  | 'viewers'
  | 'requests'
  | 'breaks'
  | 'ad-requests'
  | 'ads'
  | 'skips'
  | 'beacons'
  | 'creatives'
  | 'storage';

export type Dimension = 'channel' | 'creative' | 'host' | 'adServer' | 'reason';

export const dimensions = ['channel', 'creative', 'host', 'adServer', 'reason'] as const satisfies Dimension[];

/** How a field is made of the amounts of a row. */
export type Formula =
  | { readonly kind: 'sum'; readonly of: string; readonly per?: number }
  /** The sum over the number of 10 s stretches in the row. */
  | { readonly kind: 'average'; readonly of: string }
  | { readonly kind: 'peak'; readonly of: string }
  | { readonly kind: 'level'; readonly of: string }
  /** A sum over a sum; 0 where the second is 0. */
  | { readonly kind: 'ratio'; readonly of: string; readonly to: string }
  /** Of the report's histogram; 0 where it is empty. */
  | { readonly kind: 'percentile'; readonly percent: number };

export type Unit =
  | 'viewers'
  | 'sessions'
  | 'minutes'
  | 'requests'
  | 'ms'
  | 'breaks'
  | 's'
  | 'ratio'
  | 'ads'
  | 'beacons'
  | 'creatives'
  | 'bytes'
  | 'objects';

export type Field = {
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
  readonly formula: Formula;
};

export type Report = {
  readonly about: string;
  readonly by: readonly Dimension[];
  readonly fields: readonly Field[];
};

const sum = (name: string, unit: Unit, description: string, of = name, per?: number): Field => ({
  name,
  unit,
  description,
  formula: { kind: 'sum', of, ...(per === undefined ? {} : { per }) },
});
const seconds = (name: string, of: string, description: string) => sum(name, 's', description, of, 1000);
/** Of what two sums say. */
const ratio = (name: string, of: string, to: string, description: string): Field => ({
  name,
  unit: 'ratio',
  description,
  formula: { kind: 'ratio', of, to },
});
const latencies = (what: string): Field[] =>
  [50, 95, 99].map((percent) => ({
    name: `latencyP${percent}`,
    unit: 'ms',
    description: `${percent} of 100 ${what} took no longer than this, within 2 %; 0 where there were none`,
    formula: { kind: 'percentile', percent },
  }));

export const catalogue: Readonly<Record<ReportName, Report>> = {
  viewers: {
    about: 'Who watched.',
    by: ['channel'],
    fields: [
      {
        name: 'averageViewers',
        unit: 'viewers',
        description: 'viewers who watched at once, on average over the stretches of 10 s of the row that have begun',
        formula: { kind: 'average', of: 'watching' },
      },
      {
        name: 'peakViewers',
        unit: 'viewers',
        description: 'the most viewers who watched in one stretch of 10 s',
        formula: { kind: 'peak', of: 'watching' },
      },
      sum('sessionsStarted', 'sessions', 'sessions that were opened'),
      sum(
        'sessionsEnded',
        'sessions',
        'sessions whose viewer was seen for the last time; known when SESSION_TTL seconds have passed since',
      ),
      sum(
        'minutesWatched',
        'minutes',
        'stretches of 10 s that viewers watched, a sixth of a minute each',
        'watching',
        6,
      ),
    ],
  },
  requests: {
    about: 'Manifests that players asked for.',
    by: ['channel'],
    fields: [
      sum('hlsManifests', 'requests', 'HLS playlists that were answered, multivariant and media', 'hls'),
      sum('dashManifests', 'requests', 'DASH manifests that were answered', 'dash'),
      sum('errors', 'requests', 'requests for a manifest of the channel that were answered with an error'),
      ...latencies('answers'),
    ],
  },
  breaks: {
    about: "Viewers' breaks that were decided, and how full they were. Seconds count where they air.",
    by: ['channel'],
    fields: [
      sum('offered', 'breaks', 'breaks of viewers that start here and were decided, one for each viewer', 'breaks'),
      seconds('secondsOffered', 'offeredMs', 'length of those breaks'),
      seconds('secondsFilled', 'filledMs', 'planned for ads'),
      seconds('secondsDelivered', 'deliveredMs', "ads' media that the viewers asked for"),
      seconds('secondsSlate', 'slateMs', 'left to slate; what is neither ads nor slate is the intro and the outro'),
      ratio('fillRate', 'filledMs', 'offeredMs', 'secondsFilled over secondsOffered; 0 where nothing was offered'),
      ratio(
        'deliveryRate',
        'deliveredMs',
        'filledMs',
        'secondsDelivered over secondsFilled; 0 where nothing was filled',
      ),
    ],
  },
  'ad-requests': {
    about: 'Exchanges with ad servers, those that wrappers name included: sent = answered + errors + timeouts.',
    by: ['channel', 'adServer'],
    fields: [
      sum('sent', 'requests', 'requests that were sent'),
      sum('answered', 'requests', 'answered in time and well'),
      sum('empty', 'requests', 'of those that were answered: without an ad'),
      sum('errors', 'requests', 'refused, broken off, answered with an error status or with what is no VAST'),
      sum('timeouts', 'requests', 'not answered in time'),
      ...latencies('requests'),
    ],
  },
  ads: {
    about: 'Ads that were put into breaks, and how far they were played.',
    by: ['channel', 'creative'],
    fields: [
      sum('decided', 'ads', 'ads in decided breaks that start here'),
      sum('started', 'ads', 'ads whose first frame was delivered'),
      sum('firstQuartile', 'ads', 'delivered to a quarter'),
      sum('midpoint', 'ads', 'delivered to the half'),
      sum('thirdQuartile', 'ads', 'delivered to three quarters'),
      sum('completed', 'ads', 'delivered to the end'),
      ratio('completionRate', 'completed', 'started', 'completed over started; 0 where none started'),
    ],
  },
  skips: {
    about:
      'Ads that came back and were not shown, by the reason that stands in the trace. An ad counts where its break starts.',
    by: ['channel', 'reason', 'creative'],
    fields: [
      sum('total', 'ads', 'ads that came back and were not shown'),
      ...Object.entries(skipReasons).map(([code, text]) => sum(code, 'ads', text)),
    ],
  },
  beacons: {
    about: 'Tracking URLs that were told of impressions and quartiles.',
    by: ['channel', 'host'],
    fields: [
      sum('sent', 'beacons', 'beacons sent for the first time'),
      sum('retried', 'beacons', 'further attempts at beacons that had failed'),
      sum('recovered', 'beacons', 'beacons that arrived at a further attempt'),
      sum('failed', 'beacons', 'beacons that were given up'),
    ],
  },
  creatives: {
    about: "Ads' media that were made to fit a channel, counted for one of the channels that want them.",
    by: ['channel', 'creative'],
    fields: [
      sum('conditioned', 'creatives', 'creatives that were made'),
      sum('failed', 'creatives', 'creatives that could not be made'),
      {
        name: 'waiting',
        unit: 'creatives',
        description: 'creatives that waited to be made, on average over the row',
        formula: { kind: 'average', of: 'waiting' },
      },
      seconds(
        'secondsTaken',
        'takenMs',
        'from taking them up to their end, of those that were made and those that were not',
      ),
    ],
  },
  storage: {
    about: "What the system's container holds.",
    by: [],
    fields: [
      {
        name: 'bytes',
        unit: 'bytes',
        description: 'as it was last known at the end of the row',
        formula: { kind: 'level', of: 'bytes' },
      },
      {
        name: 'objects',
        unit: 'objects',
        description: 'as it was last known at the end of the row',
        formula: { kind: 'level', of: 'objects' },
      },
    ],
  },
};

const amountsOf = (report: ReportName, kind: Formula['kind']): string[] =>
  catalogue[report].fields.flatMap(({ formula }) => (formula.kind === kind ? [(formula as { of: string }).of] : []));

/** Amounts whose greatest stretch counts. */
export const peaked = (report: ReportName): readonly string[] => amountsOf(report, 'peak');
/** Amounts that are said anew and not added up. */
export const levels = (report: ReportName): readonly string[] => amountsOf(report, 'level');
