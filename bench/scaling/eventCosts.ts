// SPDX-License-Identifier: Apache-2.0
// What events cost an installation, from the figures of its phases. Pure.
import { type Figures, type PostgresFigures, scaled, sumOf, withoutIdle } from './figures.ts';
import type { Phases } from './measureInstallations.ts';

/** What one event uses. Milliseconds are processor time. */
export type Use = {
  readonly nodeMs: number;
  readonly redisCalls: number;
  readonly redisBytes: number;
  readonly redisMs: number;
  /** Rows inserted, changed or deleted, by what they are. */
  readonly sessionRows: number;
  readonly deliveryRows: number;
  readonly beaconRows: number;
  readonly walBytes: number;
  readonly postgresMs: number;
};

export const none: Use = {
  ...{ nodeMs: 0, redisCalls: 0, redisBytes: 0, redisMs: 0, sessionRows: 0, deliveryRows: 0, beaconRows: 0 },
  ...{ walBytes: 0, postgresMs: 0 },
};

export type EventCosts = {
  /** A session from its opening to its removal. */
  readonly visit: Use;
  readonly minute: Use;
  readonly decision: Use;
  /** An ad that is played: the requests of its segments, and its beacons. */
  readonly ad: Use;
  readonly manifestsPerMinute: number;
  readonly manifestBytes: number;
  readonly segmentsPerAd: number;
  readonly beaconsPerAd: number;
  readonly adRequestsPerDecision: number;
  readonly quietWindows: number;
  readonly failed: number;
};

type Written = { readonly rows: number; readonly walBytes: number };

function writtenTo({ tables }: PostgresFigures, names: readonly string[]): Written {
  const own = names.flatMap((name) => tables[name] ?? []);
  return {
    rows: own.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0),
    walBytes: own.reduce((sum, { walBytes }) => sum + walBytes, 0),
  };
}

/** Nothing is decided, and no ad is played or reported. */
export const isQuiet = ({ ads, players }: Figures): boolean =>
  ads.requests === 0 && ads.beacons === 0 && players.adSegments === 0;

type Times = Pick<Use, 'nodeMs' | 'redisCalls' | 'redisBytes' | 'redisMs' | 'postgresMs'>;

const timesOf = ({ cpuMs, postgres, redis }: Figures): Times => ({
  nodeMs: cpuMs,
  redisCalls: redis?.calls ?? 0,
  redisBytes: (redis?.bytesIn ?? 0) + (redis?.bytesOut ?? 0),
  redisMs: redis?.cpuMs ?? 0,
  postgresMs: postgres.cpuMs,
});

const NO_ROWS = { sessionRows: 0, deliveryRows: 0, beaconRows: 0, walBytes: 0 };

export function eventCosts(phases: Phases): EventCosts {
  const { idle } = phases;
  /** They poll from the opening on. */
  const viewers = phases.opening.players.opened;
  const net = (figures: readonly Figures[]) => withoutIdle(sumOf(figures), idle);
  const quiet = phases.polling.filter(isQuiet);
  const polling = net(quiet);
  const perMinute = scaled(polling, 60_000 / (polling.at * viewers));
  /** Without the polls of the same time. */
  const besides = (figures: readonly Figures[]): Figures => {
    const used = net(figures);
    return sumOf([used, scaled(perMinute, (-viewers * used.at) / 60_000)]);
  };
  // Statistics of PostgreSQL may be seconds late, so rows are those of the whole run, by their tables.
  const watched = [phases.opening, ...phases.polling, ...phases.deciding, ...phases.playing];
  const all = sumOf([...watched, phases.ending]);
  const minutes = (viewers * sumOf(watched).at) / 60_000;
  const ads = all.postgres.tables.deliveries?.inserted ?? 0;
  const [deliveries, beacons] = [writtenTo(all.postgres, ['deliveries']), writtenTo(all.postgres, ['beacons'])];
  const decisions = writtenTo(all.postgres, ['decisions', 'breaks', 'claims']);
  const sessions = writtenTo(all.postgres, ['sessions']);
  const { inserted = 0, deleted = 0, updated = 0 } = all.postgres.tables.sessions ?? {};
  const perSession = sessions.rows === 0 ? 0 : sessions.walBytes / sessions.rows;
  const { opened } = all.players;
  const { requests } = all.ads;
  const times = (figures: Figures, count: number) => timesOf(scaled(figures, 1 / count));
  const visited = sumOf([besides([phases.opening]), net([phases.ending])]);
  const played = besides([...phases.playing, ...phases.polling.filter((window) => !isQuiet(window))]);
  return {
    visit: {
      ...{ ...NO_ROWS, ...times(visited, opened) },
      ...{ sessionRows: (inserted + deleted) / opened, walBytes: (perSession * (inserted + deleted)) / opened },
    },
    minute: {
      ...{ ...NO_ROWS, ...timesOf(perMinute) },
      ...{ sessionRows: updated / minutes, walBytes: (perSession * updated) / minutes },
    },
    decision: {
      ...{ ...NO_ROWS, ...times(besides(phases.deciding), requests) },
      ...{ sessionRows: decisions.rows / requests, walBytes: decisions.walBytes / requests },
    },
    ad: {
      ...{ ...NO_ROWS, ...times(played, ads) },
      ...{ deliveryRows: deliveries.rows / ads, beaconRows: beacons.rows / ads },
      walBytes: (deliveries.walBytes + beacons.walBytes) / ads,
    },
    manifestsPerMinute: perMinute.players.manifests,
    manifestBytes: sumOf(watched).players.manifestBytes / sumOf(watched).players.manifests,
    segmentsPerAd: all.players.adSegments / ads,
    beaconsPerAd: all.ads.beacons / ads,
    adRequestsPerDecision: requests / (viewers * phases.deciding.length),
    quietWindows: quiet.length,
    failed: all.players.failed,
  };
}
