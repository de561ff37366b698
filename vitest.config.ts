import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'demo/**/*.test.ts',
      'scripts/**/*.test.ts',
      'console/src/**/*.test.ts',
    ],
    // What hangs must end; how long a machine takes that has other work to do is no test's to judge.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});
