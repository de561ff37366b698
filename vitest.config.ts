// SPDX-License-Identifier: Apache-2.0
// The tests of `npm test` (`*.test.ts`) and of `npm run test:system` (`*.system.ts`). CONTRIBUTING explains which a new one is.
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Rules, parsers and writers next to the code, the bytes of manifests, and tests that only read files of the repository. */
const pure = [
  'examples/*.test.ts',
  '{src,console/src,demo,bench}/**/*.test.ts',
  'test/golden/*.test.ts',
  'test/github.test.ts',
  'test/deploy/dockerfile.test.ts',
  'test/docs/{blocks,codeBlocks,errors,names,pages,settings,troubleshooting}.test.ts',
];
/** Next to the code, but these use the run's databases, ffmpeg or a cloud emulator. */
const served = [
  'src/adapters/{sql,redis}/**/*.test.ts',
  'src/platform/*/store/**/*.test.ts',
  'src/cli/{check,upgrade}/*.test.ts',
  'src/ingest/condition/{condition,fetch/condition,listed/listCreative}*.test.ts',
  'src/ingest/creatives/creative*.test.ts',
  'src/platform/systems/rules/{publisher,containerWatch}.test.ts',
  'src/adapters/cloud/{azureContainer,blobStore}.test.ts',
  'src/adapters/media/store/storedMedia*.test.ts',
];

/** Programs and a browser. */
const canary = ['test/canary/*.test.ts', 'test/console/build.test.ts'];

const players = ['test/browser/{,guided/}*.system.ts'];
/** Pages in a browser, and players whose smoothness is not judged. */
const pages = [
  'test/console/{,demand/,lists/,playback/,programme/}*.system.ts',
  'test/access/{roleCheck,signIn}.system.ts',
  'test/docs/site.system.ts',
  'test/browser/{delivery,demoLive,examples,offAir}.system.ts',
];
/** Each of these starts several nodes and their stores. */
const clusters = [
  'test/{ads/demand,chaos,cluster,nodes,rolling,scaling}/*.system.ts',
  'test/creatives/{objectStore,publicMedia}.system.ts',
  'test/servers/startRedis.system.ts',
  'test/live/demo/demoCluster.system.ts',
  'test/browser/demoCluster.system.ts',
];

const stored = ['test/setup/postgres.ts', 'test/setup/redis.ts'];
const built = ['test/setup/build.ts'];
const browser = ['test/setup/chromium.ts'];

type Tier = Partial<NonNullable<TestProjectInlineConfiguration['test']>>;
const tier = (
  name: string,
  include: string[],
  { exclude = [], ...more }: Tier = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, exclude: ['**/node_modules/**', ...exclude], ...more },
});
/** Tiers of `npm run test:system` run one after the other, so that players have the processor that they need. */
const inTurn = (groupOrder: number, maxWorkers: number): Tier => ({ sequence: { groupOrder }, maxWorkers });

/** The longest files first, as recorded by the last run, and those that only compute last: they fill the waiting of others. */
class PureLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => Number(a.project.name === 'pure') - Number(b.project.name === 'pure'));
  }
}

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
    // Tests of the whole system wait for encoders and timers of the system.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: PureLast },
    projects: [
      tier('pure', pure, { exclude: served }),
      tier('whole', ['{test,scripts}/**/*.test.ts', ...served], {
        exclude: [...canary, ...pure.filter((path) => path.startsWith('test/'))],
        globalSetup: stored,
      }),
      tier('canary', canary, { globalSetup: [...built, ...stored, ...browser] }),
      tier('processes', ['{src,test}/**/*.system.ts'], {
        exclude: [...players, ...pages, ...clusters],
        globalSetup: [...built, ...stored],
        ...inTurn(1, 4),
      }),
      tier('console', pages, { globalSetup: [...built, ...stored, ...browser], ...inTurn(2, 3) }),
      tier('players', players, {
        exclude: [...pages, ...clusters],
        globalSetup: [...built, ...stored, ...browser],
        ...inTurn(3, 1),
        maxConcurrency: 5,
      }),
      tier('cluster', clusters, { globalSetup: [...built, ...stored, ...browser], ...inTurn(4, 2) }),
    ],
  },
});
