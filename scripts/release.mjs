// SPDX-License-Identifier: Apache-2.0
// Publishes a version: the package to the npm registry, and the image to a registry of containers. `npm run release -- --image
// ghcr.io/example/midroll`. With --dry-run it publishes nothing: it verifies what the package would contain and prints the commands.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const read = (command, args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
const isThere = (command, args) => spawnSync(command, args).status === 0;
const { name, version, bin } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the package cannot work without: the program, the console, the demo with its page, its media and its cluster. */
const required = [
  ...Object.values(bin),
  ...'main.js demo.js sqliteWriter.mjs trackingThread.mjs adResponseThread.mjs players/hls.js players/shaka.js'
    .split(' ')
    .map((file) => `dist/${file}`),
  ...'index.html preview.html runbooks/overview.html'.split(' ').map((file) => `console/dist/${file}`),
  ...'page/index.html page/tour.html page/adServer.html media/tide/master.m3u8 media/orbits/manifest.mpd'
    .concat(' media/hills/master.m3u8 media/spots/coffee.mp4')
    .split(' ')
    .map((file) => `demo/${file}`),
  ...'deploy/nginx/cluster.conf docs/tour.md examples/midroll-ads.js README.md LICENSE CHANGELOG.md'.split(' '),
];
/** Everything else must not be in it. */
const allowed = [
  /^dist\/[\w.-]+\.m?js(\.map)?$/,
  /^dist\/players\/[\w.-]+\.js$/,
  /^console\/dist\/([\w.-]+\.html|assets\/[\w.-]+|runbooks\/[\w.-]+)$/,
  /^demo\/page\/[\w.-]+\.(css|html|js|svg)$/,
  /^demo\/media\/(hills|orbits|packaged|spots|tide)\/[\w./-]+\.(json|m3u8|m4s|mp4|mpd)$/,
  /^(deploy\/nginx\/cluster\.conf|docs\/tour\.md|examples\/midroll-ads\.js)$/,
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
];
const MAX_PACKED_BYTES = 12_000_000;

/** @param packed what `npm pack --json` prints of the package */
function faultsOf({ files, size }) {
  const paths = files.map(({ path }) => path);
  return [
    ...required.filter((path) => !paths.includes(path)).map((path) => `The package lacks ${path}.`),
    ...paths
      .filter((path) => !allowed.some((pattern) => pattern.test(path)))
      .map((path) => `The package contains ${path}. Remove it from "files", or add it to scripts/release.mjs.`),
    ...(size > MAX_PACKED_BYTES ? [`The package has ${size} bytes; the limit is ${MAX_PACKED_BYTES}.`] : []),
  ];
}

/** What has to be true before a version is published. */
function obstacles(image) {
  const dated = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] – \\d{4}-\\d{2}-\\d{2}$`, 'm');
  return [
    [
      dated.test(readFileSync('CHANGELOG.md', 'utf8')),
      `CHANGELOG.md has no date for ${version}: replace "not released yet".`,
    ],
    [read('git', ['status', '--porcelain']) === '', 'Some changes are not committed: commit them.'],
    [read('git', ['tag', '--list', `v${version}`]) === '', `The tag v${version} exists: increase the version.`],
    [isThere('npm', ['whoami']), 'npm is not signed in: run "npm login".'],
    [image !== undefined, 'The image has no name: add --image REGISTRY/NAME.'],
    [isThere('docker', ['info']), 'The Docker daemon is unavailable: start it.'],
  ].flatMap(([isMet, text]) => (isMet ? [] : [text]));
}

/** Nothing is published before the image was built and started. */
const commandsFor = (tarball, image) => [
  ['docker', 'build', '--pull', '--tag', `${image}:${version}`, '--tag', `${image}:latest`, '.'],
  ['docker', 'run', '--rm', `${image}:${version}`, '--version'],
  ['npm', 'publish', tarball, '--access', 'public'],
  ['docker', 'push', `${image}:${version}`],
  ['docker', 'push', `${image}:latest`],
  ['git', 'tag', '--annotate', `v${version}`, '--message', `${name} ${version}`],
  ['git', 'push', 'origin', `v${version}`],
];

function build() {
  // The package must contain what the sources of this commit build; a dry run may use a fresh build.
  const missing = values['dry-run'] ? ['--missing'] : [];
  for (const script of ['buildConsole.mjs', 'buildServer.mjs'])
    execFileSync(process.execPath, [join('scripts', script), ...missing], { stdio: 'inherit' });
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, image: { type: 'string' } } });

function release() {
  const isDry = values['dry-run'] === true;
  const open = isDry ? [] : obstacles(values.image);
  if (open.length > 0) return open;
  build();
  const folder = mkdtempSync(join(tmpdir(), 'midroll-release-'));
  try {
    const pack = ['pack', '--json', '--ignore-scripts', ...(isDry ? ['--dry-run'] : ['--pack-destination', folder])];
    const [packed] = JSON.parse(read('npm', pack));
    const faults = faultsOf(packed);
    if (faults.length > 0) return faults;
    const size = `${(packed.size / 1e6).toFixed(1)} MB, ${(packed.unpackedSize / 1e6).toFixed(1)} MB on disk`;
    console.log(`${packed.filename}: ${packed.files.length} files, ${size}.`);
    for (const [command, ...args] of commandsFor(join(folder, packed.filename), values.image ?? 'REGISTRY/midroll')) {
      console.log([command, ...args].join(' '));
      if (!isDry) execFileSync(command, args, { stdio: 'inherit' });
    }
    return [];
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const faults = release();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} catch (error) {
  // The command has printed why.
  console.error(error.message);
  process.exitCode = 1;
}
