// SPDX-License-Identifier: Apache-2.0
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/longestFirst.mjs';

/** Next to the code, but these use ffmpeg or a cloud emulator and take seconds. */
const encoding = [
  'src/ingest/condition/{condition,fetch/condition,listed/listCreative}*.test.ts',
  'src/ingest/creatives/creative*.test.ts',
  'src/cloud/{publisher,containerWatch}.test.ts',
  'src/adapters/cloud/{azureContainer,blobStore}.test.ts',
  'src/adapters/media/store/storedMedia.test.ts',
];
/** Next to the code, but each of them computes for seconds. */
const heavy = [
  'src/adapters/sql/sqlOutageLaws.test.ts',
  'src/adapters/sql/live/feedKeeperLaws.test.ts',
  'src/adapters/search/searchReportsParity.test.ts',
];
/** They only read files of the repository. */
const texts = [
  'test/github.test.ts',
  'test/deploy/dockerfile.test.ts',
  'test/docs/{blocks,codeBlocks,errors,names,operating,pages,troubleshooting}.test.ts',
];
/** The stores: on SQLite and on PostgreSQL, and those of sessions also on Redis. */
const stores = ['src/adapters/{sql,redis}/**/*.test.ts', 'src/cli/{check,upgrade}/*.test.ts', 'test/stores/*.test.ts'];
/** Compares responses with files. */
const golden = ['test/golden/*.test.ts'];
const players = ['test/browser/**/*.test.ts', 'test/console/**/*.test.ts'];
/** Each of these starts several nodes with their stores, so they run after the others and one after the other. */
const cluster = [
  'test/{chaos,cluster,nodes,rolling,scaling}/*.test.ts',
  'test/creatives/{objectStore,publicMedia}.test.ts',
  'test/servers/startRedis.test.ts',
  'test/live/demo/demoCluster.test.ts',
  'test/browser/demoCluster.test.ts',
];

type Tier = Partial<NonNullable<TestProjectInlineConfiguration['test']>>;
const tier = (name: string, include: string[], exclude: string[], more: Tier = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, exclude: ['**/node_modules/**', ...exclude], ...more },
});

// The tiers of the check. CONTRIBUTING explains which tier a new test belongs to.
export default defineConfig({
  test: {
    // A limit for tests that hang. No test judges how long a busy machine takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    diff: { expand: false, contextLines: 3 },
    pool: 'forks',
    // Loading the product for each file would take longer than most files run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      tier(
        'pure',
        ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts', ...texts],
        [...encoding, ...heavy, ...stores],
        { pool: 'threads' },
      ),
      tier('golden', golden, []),
      tier('stores', stores, heavy, { globalSetup: ['test/setup/postgres.ts', 'test/setup/redis.ts'] }),
      tier(
        'whole',
        ['test/**/*.test.ts', 'scripts/**/*.test.ts', ...encoding, ...heavy],
        [...players, ...golden, ...texts, 'test/stores/*.test.ts', ...cluster],
        {
          globalSetup: ['test/setup/build.ts', 'test/setup/postgres.ts', 'test/setup/redis.ts'],
        },
      ),
      tier('players', players, cluster, { globalSetup: ['test/setup/build.ts'] }),
      tier('cluster', cluster, [], {
        globalSetup: ['test/setup/build.ts', 'test/setup/postgres.ts', 'test/setup/redis.ts'],
        sequence: { groupOrder: 1 },
        fileParallelism: false,
      }),
    ],
  },
});
