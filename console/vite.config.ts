import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative, so that the console works below any path that a proxy gives it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: command === 'serve' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // These have light-dark(); what a compiler makes of it for older ones would not follow the theme button.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // A player is what it is; everything else is held to a budget by a test.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/preview.html`] },
  },
  server: {
    port: 5173,
    // `npm run console:dev` beside a running Midroll: its interface seems to be here.
    proxy: { '/api': process.env.ADMIN_URL ?? 'http://127.0.0.1:8080' },
  },
}));
