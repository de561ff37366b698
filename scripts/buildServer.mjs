// SPDX-License-Identifier: Apache-2.0
// Bundles the server into dist/: `npm run build`. A process then loads a few files instead of compiling hundreds at
// every start. Packages are not bundled. With --missing, builds only when it is absent or older than its sources.
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestOf } from './newestOf.mjs';
import { putInPlace } from './putInPlace.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const serverFile = join(root, 'dist/main.js');

/** Programs of worker threads. They are loaded by URL, so no import leads to them. */
const threads = { adResponseThread: join(root, 'src/adapters/vast/adResponseWorker.ts') };

/**
 * Bundles programs into a folder, which is replaced as a whole: a starting process never sees a partial build.
 * @param programs name of each output file, without `.js` → its source below the root
 */
export async function bundle(programs, folder) {
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
  copyFileSync(join(root, 'src/adapters/sql/sqliteWriter.mjs'), join(fresh, 'sqliteWriter.mjs'));
  putInPlace(fresh, folder);
}

export const isServerFresh = () =>
  existsSync(serverFile) &&
  statSync(serverFile).mtimeMs >= Math.max(newestOf(join(root, 'src')), newestOf(join(root, 'package.json')));

export const buildServer = () => bundle({ main: join(root, 'src/main.ts') }, dirname(serverFile));

/** `--program SOURCE FOLDER` bundles another program the same way, as FOLDER/program.js. */
async function run([option, source, folder]) {
  if (option === '--program') return bundle({ program: resolve(source) }, resolve(folder));
  if (option !== '--missing' || !isServerFresh()) await buildServer();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2));
