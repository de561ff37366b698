// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

// Tests that take hours of real or processor time: `npm run test:long`. The laws with many more random cases are among them.
export default defineConfig({
  test: {
    include: [
      'test/long/**/*.long.ts',
      'test/browser/lipSync.system.ts',
      'test/laws/*.test.ts',
      'src/**/*Laws.test.ts',
    ],
    env: { LAW_RUNS: '20' },
    globalSetup: ['test/setup/build.ts', 'test/setup/postgres.ts', 'test/setup/redis.ts', 'test/setup/chromium.ts'],
    // A limit for tests that hang.
    testTimeout: 3 * 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    fileParallelism: false,
  },
});
