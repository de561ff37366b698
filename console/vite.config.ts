// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';
import { runbooks } from './runbooks.ts';
import { withoutMutations } from './withoutMutations.ts';

/**
 * Few files compress better than many: what the first page needs, and what is loaded when it is opened. What the preview needs,
 * too, is apart, since the pages must not run in its frame.
 */
const chunks = [
  {
    name: 'base',
    priority: 2,
    test: /invariant\.ts|preload-helper|console.src.format.(numbers|time)\.ts/,
  },
  {
    name: 'console',
    priority: 1,
    tags: ['$initial' as const],
    test: (id: string) => !/console.(src.)?preview/.test(id),
  },
  { name: 'later', test: /console.src.(?!preview)/ },
];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [runbooks(), withoutMutations()],
  // Relative, so that the console works below any path of a proxy.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: command === 'serve' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // These support light-dark(). Its fallback for older browsers would ignore the theme button.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The players exceed the default; test/console/build.test.ts limits everything else.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/preview.html`],
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: {
    port: 5173,
    // `npm run console:dev` forwards API requests to a running Midroll.
    proxy: { '/api': process.env.ADMIN_URL ?? 'http://127.0.0.1:8080' },
  },
}));
