// SPDX-License-Identifier: Apache-2.0
// The order of the test files: the longest start first, so that files that wait run in parallel with files that compute and
// no long file runs alone at the end. Measured seconds; files that are not listed are short.
import { relative } from 'node:path';

const SECONDS = {
  'test/ads/replays.test.ts': 40,
  'test/ads/tryHops.test.ts': 12,
  'test/stores/historyBounds.test.ts': 11,
  'test/chaos/chaos.test.ts': 250,
  'test/live/live.test.ts': 190,
  'test/browser/liveOrigin.test.ts': 240,
  'test/live/anyNode.test.ts': 146,
  'test/rolling/replacement.test.ts': 100,
  'test/alerts/kills.test.ts': 140,
  'test/alerts/conditions.test.ts': 46,
  'test/alerts/originNodes.test.ts': 20,
  'test/alerts/hostileReceivers.test.ts': 30,
  'test/rolling/drain.test.ts': 50,
  'test/browser/live.test.ts': 145,
  'test/browser/offAir.test.ts': 130,
  'test/live/liveMedia.test.ts': 125,
  'test/tracking/kills.test.ts': 100,
  'test/browser/unusualCreatives.test.ts': 94,
  'test/creatives/objectStore.test.ts': 113,
  'test/live/outages/anyNodeAway.test.ts': 60,
  'test/live/breaksByHand/killedInBreak.test.ts': 50,
  'test/examples.test.ts': 54,
  'test/laws/soak/liveSoak.test.ts': 30,
  'test/browser/examples.test.ts': 71,
  'test/console/story.test.ts': 84,
  'test/console/editors.test.ts': 30,
  'test/console/palette.test.ts': 16,
  'test/console/schedule.test.ts': 40,
  'test/live/real.test.ts': 84,
  'test/tracking/soak.test.ts': 76,
  'test/laws/laws.test.ts': 76,
  'test/ads/faults/faults.test.ts': 76,
  'test/browser/delivery.test.ts': 64,
  'src/ingest/condition/conditionMedia.test.ts': 63,
  'test/tour.test.ts': 47,
  'test/browser/subtitles.test.ts': 42,
  'test/ads/firstPlay.test.ts': 37,
  'test/browser/editLists.test.ts': 36,
  'test/docs/site.test.ts': 36,
  'test/browser/demoLive.test.ts': 90,
  'test/browser/demoCluster.test.ts': 61,
  'test/live/demo/demoCluster.test.ts': 15,
  'test/live/demo/demoEncoder.test.ts': 26,
  'test/laws/insertedLaws.test.ts': 13,
  'test/creatives/workers.test.ts': 34,
  'test/nodes/deadPlanner.test.ts': 36,
  'test/nodes/postgresAway.test.ts': 11,
  'test/console/liveDesk.test.ts': 47,
  'test/console/morning.test.ts': 42,
  'test/console/edits.test.ts': 34,
  'test/live/liveBreaks.test.ts': 35,
  'test/live/prefetch/prefetchNodes.test.ts': 35,
  'test/live/prefetch/prefetch.test.ts': 35,
  'test/browser/players.test.ts': 30,
  'test/browser/vod.test.ts': 30,
  'test/vod/vodProcesses.test.ts': 30,
  'test/vod/vod.test.ts': 11,
  'src/ingest/creatives/creativeLibrary.test.ts': 30,
  'test/console/pages.test.ts': 26,
  'test/console/harm.test.ts': 26,
  'test/admin/deleted.test.ts': 20,
  'test/admin/attacks/fullDisk.test.ts': 25,
  'test/console/vodPlayback.test.ts': 25,
  'test/reports/day.test.ts': 22,
  'test/deploy/nginx.test.ts': 20,
  'test/bounds/day.test.ts': 19,
  'test/live/earlyReturn.test.ts': 20,
  'test/docs/commands.test.ts': 19,
  'test/browser/announcements.test.ts': 18,
  'src/adapters/sql/sqlOutageLaws.test.ts': 18,
  'src/adapters/sql/live/feedKeeperLaws.test.ts': 30,
  'test/admin/attacks/crash.test.ts': 17,
  'test/ads/choosing.test.ts': 14,
  'test/live/offAir.test.ts': 14,
  'test/feed/feed.test.ts': 14,
  'src/ingest/creatives/creativeWorker.test.ts': 13,
  'test/live/restore.test.ts': 18,
  'test/servers/startRedis.test.ts': 18,
  'test/live/outages/backupChanges.test.ts': 16,
  'test/live/outages/otherLadder.test.ts': 16,
  'test/live/breaksByHand/insertedInDash.test.ts': 15,
  'test/live/fullDisk.test.ts': 12,
  'test/admin/breaksOnNodes.test.ts': 12,
  'src/cloud/containerWatch.test.ts': 11,
  'test/console/preparation.test.ts': 10,
};

export class LongestFirst {
  constructor(vitest) {
    this.vitest = vitest;
  }

  shard(specifications) {
    return specifications;
  }

  /** Keeps files of one project together: those without isolation then share their workers. */
  sort(specifications) {
    const secondsOf = ({ moduleId }) => SECONDS[relative(this.vitest.config.root, moduleId)] ?? 0;
    const order = ['whole', 'players', 'stores', 'pure'];
    const rank = ({ project }) => order.indexOf(project.name);
    return [...specifications].sort((a, b) => secondsOf(b) - secondsOf(a) || rank(a) - rank(b));
  }
}
