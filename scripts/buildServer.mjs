// SPDX-License-Identifier: Apache-2.0
// Compiles the programs into dist/: `npm run build`. A process then loads a few JavaScript files instead of compiling hundreds
// at every start. Packages are not bundled. With --missing, builds only when it is absent or older than its sources.
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestOf } from './newestOf.mjs';
import { putInPlace } from './putInPlace.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist');
const vite = join(root, 'node_modules/vite');

/** Programs in dist/: the command line, the server alone, and the demo, which the command line loads by its name. */
const programs = {
  midroll: join(root, 'src/cli/midroll.ts'),
  main: join(root, 'src/main.ts'),
  demo: join(root, 'demo/main.ts'),
};
/** The players of the demo's page, each in one file, so that the package does not depend on all of them. */
const players = {
  'hls.js': 'hls.js/dist/hls.min.js',
  'shaka.js': 'shaka-player/dist/shaka-player.compiled.js',
};

/** Programs of threads. They are loaded by URL, so no import leads to them. */
const threads = {
  adResponseThread: join(root, 'src/adapters/vast/adResponseThread.ts'),
  trackingThread: join(root, 'src/composition/tracking/trackingThread.ts'),
};

/**
 * Bundles programs into a folder, which is replaced as a whole: a starting process never sees a partial build.
 * @param programs name of each output file, without `.js` → its source below the root
 * @param finish adds files to the new folder before it replaces the old one
 */
export async function bundle(programs, folder, finish = async () => {}) {
  const { build } = await import('vite');
  const fresh = `${folder}-${process.pid}`;
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    ssr: { external: true },
    build: {
      ssr: true,
      outDir: fresh,
      emptyOutDir: true,
      sourcemap: true,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: { ...programs, ...threads },
        output: {
          entryFileNames: ({ name }) => (name in threads ? '[name].mjs' : '[name].js'),
          chunkFileNames: '[name].js',
        },
      },
    },
  });
  // Another worker thread, in plain JavaScript.
  copyFileSync(join(root, 'src/adapters/sql/sqlite/sqliteWriter.mjs'), join(fresh, 'sqliteWriter.mjs'));
  await finish(fresh);
  putInPlace(fresh, folder);
}

async function addPlayers(fresh) {
  chmodSync(join(fresh, 'midroll.js'), 0o755);
  mkdirSync(join(fresh, 'players'));
  for (const [name, file] of Object.entries(players))
    copyFileSync(join(root, 'node_modules', file), join(fresh, 'players', name));
}

const sources = ['src', 'demo', 'package.json', 'scripts/buildServer.mjs'];

export function isServerFresh() {
  const built = join(folder, 'midroll.js');
  if (!existsSync(built)) return false;
  return statSync(built).mtimeMs >= Math.max(...sources.map((source) => newestOf(join(root, source))));
}

export const buildServer = () => bundle(programs, folder, addPlayers);

/** `--program SOURCE FOLDER` bundles another program the same way, as FOLDER/program.js. */
async function run([option, source, folder]) {
  if (option === '--program') return bundle({ program: resolve(source) }, resolve(folder));
  if (option === '--missing' && isServerFresh()) return;
  if (existsSync(vite)) return buildServer();
  if (option === '--missing' && existsSync(folder)) return;
  console.error('The server is not built, and vite is not installed: run "npm ci && npm run build".');
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2));
