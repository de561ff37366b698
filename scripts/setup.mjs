// SPDX-License-Identifier: Apache-2.0
// Installs what a command of this project needs: `node scripts/setup.mjs demo|demo-cluster|test`. Plain Node without packages, so
// that it runs on a fresh clone. Prints nothing when nothing is missing.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole, isConsoleFresh } from './buildConsole.mjs';
import { buildServer, isServerFresh } from './buildServer.mjs';
import { installPackages, missingPackages } from './installPackages.mjs';
import { installPrograms, missingOf } from './installPrograms.mjs';
import { lastLines, step } from './steps.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const needed = {
  demo: { programs: ['ffmpeg'], packages: 'some' },
  'demo-cluster': { programs: ['ffmpeg', 'PostgreSQL', 'Redis', 'nginx'], packages: 'some' },
  test: {
    programs: ['ffmpeg', 'Chromium', 'PostgreSQL', 'curl', 'openssl', 'xmllint', 'nginx', 'Redis'],
    packages: 'all',
  },
};

function lossOf(command, name) {
  if (command === 'test') return 'the tests that use it will fail';
  return name === 'ffmpeg' ? 'the demo uses ads that are already packaged' : 'the demo runs without --cluster only';
}

async function setUp(command) {
  const { programs, packages } = needed[command] ?? {};
  if (!programs) throw new Error(`Usage: node scripts/setup.mjs ${Object.keys(needed).join('|')}; got "${command}".`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Midroll requires Node 20.19 or newer; this is ${process.versions.node}.`);
  }
  const from = Date.now();
  const lacking = missingPackages(packages);
  if (lacking) console.log(`To install, once: ${[...missingOf(programs), lacking.text].join(', ')}.`);
  const { missing, reason } = await installPrograms(programs);
  for (const name of missing) {
    console.error(`${name} is missing and ${reason}: ${lossOf(command, name)}.`);
  }
  if (lacking) await installPackages(lacking.which);
  if (!isServerFresh()) await buildServer();
  if (!isConsoleFresh()) {
    const { ok, output } = await step('Building the console', async () => buildConsole());
    if (!ok) console.error(`${lastLines(output)}\nThe console could not be built; Midroll runs without it.`);
  }
  if (lacking) console.log(`Installed in ${Math.round((Date.now() - from) / 1000)} s.`);
}

try {
  await setUp(process.argv[2]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
