import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'src/**/*.test.ts',
            'test/laws/*.test.ts',
            'demo/**/*.test.ts',
            'scripts/**/*.test.ts',
            'console/src/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        // Browsers, encoders and kills in real time: what fails is tried once more, and the report says that it was.
        // Rules are never tried again: chance must not decide whether a law holds.
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/laws/**'],
          retry: 1,
        },
      },
    ],
  },
});
