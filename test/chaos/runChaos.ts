// SPDX-License-Identifier: Apache-2.0
// Followers watch linear, live and VoD channels through a load balancer while nodes, workers and stores are killed, suspended
// and exchanged. The report states every broken law, and what ad servers and tracking hosts received.
import { setTimeout as wait } from 'node:timers/promises';
import type { Balance } from '../deploy/startNginx.ts';
import { seededRandom } from '../seededRandom.ts';
import { createClient } from './balancedClient.ts';
import { type ChaosStage, openChaosStage } from './chaosStage.ts';
import { createTroubles, isOfStore, randomSkew, type Trouble } from './chaosTroubles.ts';
import { compareNodes } from './compareNodes.ts';
import { type FollowCounts, type FollowedSession, type Following, newCounts, type Opened } from './follower.ts';
import { followGuided } from './followGuided.ts';
import { followVod } from './followVod.ts';
import { followWindow, type WindowLimits } from './followWindow.ts';
import { type BeaconVerdict, judgeBeacons, judgeRequests, type RequestVerdict } from './judgeAds.ts';
import { overlaps, watchOwnDelays } from './machineDelays.ts';

/** Kinds of trouble (`chaosTroubles.ts`). */
export const NODE_TROUBLES = ['killNode', 'pauseNode', 'killTwoNodes', 'replaceNode'];
export const WORKER_TROUBLES = ['killWorker', 'pauseWorker'];
export const STORE_TROUBLES = ['killPostgres'];
export const REDIS_TROUBLES = ['killRedisMaster', 'pauseRedisMaster', 'promoteRedis'];

export type ChaosPhase = {
  readonly balance: Balance;
  readonly seconds: number;
  /** Kinds of trouble. */
  readonly troubles: readonly string[];
};

export type ChaosOptions = {
  readonly seed: number;
  readonly followers: number;
  readonly redis: boolean;
  readonly phases: readonly ChaosPhase[];
  readonly onEvent?: (text: string) => void;
};

export type ChaosReport = {
  readonly seed: number;
  readonly seconds: number;
  readonly followers: number;
  readonly counts: FollowCounts;
  /** How often each kind of trouble occurred. */
  readonly troubles: Readonly<Record<string, number>>;
  readonly log: readonly Trouble[];
  /** How often players would have stalled, by what was in trouble. */
  readonly stalls: Readonly<Record<string, number>>;
  /** Comparisons of what nodes list, and in how many responses. */
  readonly comparisons: { readonly manifests: number; readonly responses: number };
  /** How many times event loops were late, with the longest time in milliseconds. */
  readonly delays: { readonly count: number; readonly longest: number };
  /** Broken laws. */
  readonly faults: readonly string[];
  readonly requests: RequestVerdict;
  /** Breaks that followers were shown with ads, and complete ads in them. */
  readonly shown: { readonly breaks: number; readonly ads: number };
  readonly beacons: BeaconVerdict;
  /** New creatives that were offered, and the states of all creatives. */
  readonly creatives: { readonly offered: number; readonly states: Readonly<Record<string, number>> };
  /** Processor time of the test, in seconds. */
  readonly cpu: number;
  /** Errors in the logs. */
  readonly bugs: readonly string[];
};

/** Seconds: the target duration of all channels, and what manifests list. */
const TARGET = 3;
const WINDOW = { linear: 60, live: 24 };
/**
 * Law 4, in milliseconds: one and a half target durations, the time in which a break is decided, and half of the difference of
 * clocks. Live: also a reading of the origin, the second until what was read is visible on all nodes, and the wait of a node that
 * was suspended.
 */
const LONGEST_STOP = { linear: 4500 + 3000 + 400, live: 4500 + 2000 + 400 + 1000 + 1000 + 1000 };
/** Milliseconds in which what was due when the followers left has to be sent. Rows of a dead node are free after 30 s. */
const SETTLED_AFTER = 150_000;

/** Beacons that are due are sent, and spools of nodes that were killed are read. */
async function settle(stage: ChaosStage, sessions: readonly FollowedSession[]): Promise<BeaconVerdict> {
  const deadline = Date.now() + SETTLED_AFTER;
  for (;;) {
    const ledger = await stage.ledger();
    const verdict = judgeBeacons(sessions, ledger, stage.ads);
    const isPending = ledger.some(({ outcome }) => outcome === 'pending');
    if ((!isPending && verdict.lost.length === 0) || Date.now() > deadline) return verdict;
    await wait(1000);
  }
}

const countBy = <Value>(values: readonly Value[], key: (value: Value) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[key(value)] = (counts[key(value)] ?? 0) + 1;
  return counts;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export async function runChaos({ seed, followers, redis, phases, onEvent }: ChaosOptions): Promise<ChaosReport> {
  const random = seededRandom(seed);
  const stage = await openChaosStage({ random: seededRandom(seed + 1), redis });
  const delays = watchOwnDelays();
  try {
    const troubles = createTroubles(stage, seededRandom(seed + 2));
    const faults: string[] = [];
    const counts = newCounts();
    const sessions: FollowedSession[] = [];
    const current = new Set<Opened>();
    let comparisons = { manifests: 0, responses: 0 };
    const processes = [...stage.nodes, ...stage.workers];
    const allDelays = () => [...delays.delays(), ...stage.nodes.flatMap((node) => node.delays())];
    const stalls: string[] = [];
    const noteStall = (stallFrom: number, to: number): void => {
      counts.stalls += 1;
      counts.stalledMs += Math.round(to - stallFrom);
      const kinds = troubles.between(stallFrom - 1000 * 3 * TARGET, to).map(({ kind }) => kind);
      if (overlaps(allDelays(), stallFrom - 1000 * TARGET, to)) kinds.push('busy machine');
      stalls.push([...new Set(kinds)].sort().join(' and ') || 'no trouble');
    };
    const fault = (about: string, message: string): void => {
      const now = Date.now();
      const causes = troubles.between(now - 15_000, now).map(({ kind, name, from, to }) => {
        const until = Number.isFinite(to) ? `${((now - to) / 1000).toFixed(1)} s` : 'now';
        return `${kind} ${name} from ${((now - from) / 1000).toFixed(1)} s ago until ${until}`;
      });
      const text = `${new Date(now).toISOString()} ${about}: ${message}\nTroubles: ${causes.join('; ') || 'none'}`;
      if (faults.length < 40) faults.push(text);
      onEvent?.(text);
    };
    const limitsOf = (channel: 'linear' | 'live'): WindowLimits => ({
      target: TARGET,
      longestStop: LONGEST_STOP[channel],
      window: WINDOW[channel],
      wasBusy: (from, to) => overlaps(allDelays(), from, to),
    });

    let isOver = false;
    let isEnding = false;
    async function follow(number: number, own: () => number): Promise<void> {
      const channel = number % 5 === 4 ? 'film' : number % 2 === 0 ? 'linear' : 'live';
      // Like an evening's audience: some stay, others come and go.
      const stays = number % 3 === 0;
      const isGuided = number % 3 === 1;
      await wait(8000 * own());
      for (let visit = 0; !isOver; visit += 1) {
        const leavesAt = stays ? Number.POSITIVE_INFINITY : Date.now() + 20_000 + 150_000 * own();
        const client = createClient(stage.balancer, number, counts);
        const following: Following = {
          ...{ name: `f${number}v${visit}`, channel, random: own, client, counts },
          format: Math.floor(number / 5 + visit) % 2 === 0 ? 'hls' : 'dash',
          onOpened: (opened) => void current.add(opened),
          onStall: noteStall,
          fault: (message) => fault(`follower ${number}`, message),
          isOver: () => isOver || Date.now() > leavesAt,
          isEnding: () => isEnding,
        };
        const followed = await (isGuided
          ? followGuided(following)
          : channel === 'film'
            ? followVod(following)
            : followWindow(following, limitsOf(channel))
        ).catch((error: Error) => following.fault(error.stack ?? String(error)));
        if (followed) sessions.push(followed);
        current.delete(followed as Opened);
        await client.close();
      }
    }
    async function compare(): Promise<void> {
      while (!isOver) {
        await wait(1500);
        const opened = [...current][Math.floor(random() * current.size)];
        // During an outage, nodes that cannot reach the store may differ (decision 17).
        if (opened === undefined || troubles.between(Date.now() - 20_000, Date.now()).some(isOfStore)) continue;
        const { compared, different } = await compareNodes(stage.nodes, opened, random);
        comparisons = { manifests: comparisons.manifests + 1, responses: comparisons.responses + compared };
        if (different !== undefined) fault('comparison', different);
      }
    }

    stage.ads.begin();
    const watching = Array.from({ length: followers }, (_, number) =>
      follow(number, seededRandom(seed + 100 + number)),
    );
    const comparing = compare();
    const from = Date.now();
    for (const { balance, seconds, troubles: kinds } of phases) {
      await stage.balance(balance);
      onEvent?.(`phase: ${balance}`);
      const until = Date.now() + seconds * 1000;
      await Promise.all([troubles.run(kinds, () => Date.now() > until), wait(seconds * 1000)]);
    }
    // All that was begun is seen to its end.
    await wait(15_000);
    isOver = true;
    const hanging = setTimeout(() => {
      isEnding = true;
    }, 60_000);
    await Promise.all([...watching, comparing]);
    clearTimeout(hanging);
    const seconds = Math.round((Date.now() - from) / 1000);
    onEvent?.('all followers have left');
    for (const one of processes) if (one.state() === 'ended') await one.restart(randomSkew(random));
    const beacons = await settle(stage, sessions);
    const states: string[] = [];
    for (const channel of ['linear', 'live', 'film'])
      for (const { state } of (await stage.api('GET', `/assets?channel=${channel}`)).json) states.push(state);
    const late = allDelays().map((each) => each.to - each.from);
    return {
      ...{ seed, seconds, followers, counts, faults, beacons, comparisons },
      stalls: countBy(stalls, (stall) => stall),
      troubles: countBy(troubles.log, ({ kind }) => kind),
      log: troubles.log,
      delays: { count: late.length, longest: Math.round(Math.max(0, ...late)) },
      shown: {
        breaks: sum(sessions.map(({ deliveries }) => deliveries.breaks())),
        ads: sum(sessions.map(({ deliveries }) => deliveries.complete().length)),
      },
      requests: judgeRequests(stage.ads.requests, troubles.log),
      creatives: { offered: stage.ads.fresh.length, states: countBy(states, (state) => state) },
      cpu: Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1e6),
      bugs: processes.flatMap((one) => one.bugs().map((line) => `${one.name}: ${line}`)),
    };
  } finally {
    delays.close();
    await stage.close();
  }
}
