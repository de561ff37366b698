// SPDX-License-Identifier: Apache-2.0
// Node, the files of this installation, the limits of the process, ffmpeg, the disk, the ports, and hosts.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createExchange } from '../../adapters/http/httpExchange.ts';
import { noSpace, probeFolder } from '../../adapters/media/mediaSweep.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../../adapters/sql/channels/sqlPlaylists.ts';
import { recordBodies } from '../../adapters/sql/maintenance/storedRows.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { AdSourceRecord } from '../../channels/demand.ts';
import { sourceIdsOf } from '../../channels/demandFaults.ts';
import type { Config } from '../../config.ts';
import { openSql } from '../../database.ts';
import { describeError } from '../../errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import { localAddress } from './localAddress.ts';

/** The oldest version that package.json (`engines`) allows. */
const OLDEST_NODE = [20, 19] as const;
/** A viewer's player keeps one to six connections open. */
const FEW_FILES = 4096;
/** Relative to the program in dist/. */
const CONSOLE = join(import.meta.dirname, '../console/dist/index.html');

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return ok('Node', version);
  return failed('Node', `${version} is too old`, `Install Node ${OLDEST_NODE.join('.')} or newer.`);
}

export function checkConsole(): Finding {
  if (existsSync(CONSOLE)) return ok('Console', 'built');
  return warning('Console', 'not built', 'Run "npm run build" in the checkout; everything else works without it.');
}

/** Node raises the soft limit of open files to the hard limit when it starts. */
export function checkOpenFiles(limits = '/proc/self/limits'): Finding | undefined {
  if (!existsSync(limits)) return undefined;
  const [, hard = ''] = /^Max open files +\S+ +(\S+)/m.exec(readFileSync(limits, 'utf8')) ?? [];
  if (hard === 'unlimited' || Number(hard) >= FEW_FILES) return ok('Open files', `limit ${hard}`);
  return warning(
    'Open files',
    `limit ${hard}`,
    'Each connection needs a file descriptor. Raise "ulimit -n", or LimitNOFILE of the systemd unit.',
  );
}

/** Every ladder needs these. */
const required = ['libx264', 'aac', 'mjpeg'];
/** Ladders with HEVC video or with AC-3 or E-AC-3 audio need these. */
const optional = ['libx265', 'ac3', 'eac3'];
const filters = ['alimiter', 'apad', 'bwdif', 'ebur128', 'fps', 'scale', 'tpad'];

const INSTALL =
  'Install ffmpeg (Debian: apt-get install ffmpeg), or set FFMPEG and FFPROBE to the paths of the programs.';

function output(program: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, ['-hide_banner', ...args], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout : undefined;
}

const namesIn = (list = ''): ReadonlySet<string> =>
  new Set(list.split('\n').map((line) => line.trim().split(/\s+/)[1] ?? ''));

/** The programs that condition ads and make slate, and what they were built with. */
export function checkFfmpeg({ FFMPEG, FFPROBE }: Pick<Config, 'FFMPEG' | 'FFPROBE'>): Finding[] {
  const version = output(FFMPEG, '-version');
  if (version === undefined) return [failed('ffmpeg', `"${FFMPEG}" does not run`, INSTALL)];
  const [, number = 'unknown version'] = /^ffmpeg version (\S+)/.exec(version) ?? [];
  const encoders = namesIn(output(FFMPEG, '-encoders'));
  const known = namesIn(output(FFMPEG, '-filters'));
  const missing = [
    ...required.filter((name) => !encoders.has(name)),
    ...filters.filter((name) => !known.has(name)).map((name) => `filter ${name}`),
  ];
  const rare = optional.filter((name) => !encoders.has(name));
  const found = [...required, ...optional].filter((name) => encoders.has(name)).join(', ');
  const findings: Finding[] =
    missing.length > 0
      ? [failed('ffmpeg', `${number} lacks ${missing.join(', ')}`, 'Install a build of ffmpeg with these.')]
      : [ok('ffmpeg', `${number}: ${found}`)];
  if (missing.length === 0 && rare.length > 0)
    findings.push(
      warning(
        'Codecs',
        `no ${rare.join(', ')}`,
        'Channels with HEVC or Dolby audio need a build of ffmpeg with these.',
      ),
    );
  if (output(FFPROBE, '-version') === undefined) findings.push(failed('ffprobe', `"${FFPROBE}" does not run`, INSTALL));
  return findings;
}

const GIB = 2 ** 30;
/** Below this, new creatives wait (docs/operating.md). */
const LEAST_BYTES = 256 * 2 ** 20;

/** Leaves nothing behind: a folder that does not exist is not created. */
async function problemOf(folder: string, existing: string): Promise<string | undefined> {
  if (!(await stat(existing)).isDirectory()) return `${existing} is not a folder`;
  if (existing === folder) return probeFolder(folder);
  return access(existing, constants.W_OK).then(
    () => undefined,
    () => `${existing} cannot be written, so DATA_DIR cannot be created`,
  );
}

type Settings = Pick<Config, 'DATA_DIR' | 'MEDIA_MAX_GB' | 'MEDIA_URL' | 'MEDIA_CACHE_GB'>;

export async function checkDisk(source: Settings): Promise<Finding> {
  const folder = resolve(source.DATA_DIR);
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const problem = await problemOf(folder, existing);
  if (problem !== undefined && noSpace.has(problem))
    return failed('Disk', problem, 'Free space; see docs/runbooks/disk-is-full.md.');
  if (problem !== undefined)
    return failed(
      'Disk',
      problem,
      `Run this as the user of the server, or set DATA_DIR to a folder that this user can write; it is ${folder}.`,
    );
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const text = `${folder}: ${(free / GIB).toFixed(1)} GiB free`;
  if (free < LEAST_BYTES) return failed('Disk', text, 'Free space: below 256 MiB, no creatives are conditioned.');
  // With MEDIA_URL, only the cache is on this disk.
  const setting = source.MEDIA_URL === undefined ? 'MEDIA_MAX_GB' : 'MEDIA_CACHE_GB';
  if (free < source[setting] * GIB)
    return warning(
      'Disk',
      `${text}, ${setting} is ${source[setting]}`,
      `Set ${setting} to less than the free space, so that unused media are deleted in time.`,
    );
  return ok('Disk', text);
}

type Ports = Pick<Config, 'HOST' | 'ADMIN_PORT' | 'LIVE_PORT'>;

/** Long enough for a server on a busy machine, and for an ad server. */
const TIMEOUT_MS = 10_000;

/** @returns the error code if the port cannot be opened */
const tryPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

async function isMidroll(host: string, port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const body: unknown = await (await fetch(`http://${localAddress(host)}:${port}/health`, { signal })).json();
    return (body as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}

async function checkPort(name: 'ADMIN_PORT' | 'LIVE_PORT', { HOST, ...ports }: Ports): Promise<Finding> {
  const port = ports[name];
  const subject = `Port ${port}`;
  const code = port === 0 ? undefined : await tryPort(HOST, port);
  if (code === undefined) return ok(subject, port === 0 ? `${name}: any free port` : `${name}: free on ${HOST}`);
  if (code === 'EADDRINUSE') {
    if (await isMidroll(HOST, port))
      return warning(
        subject,
        `${name}: a server like Midroll listens there`,
        'If it is not this one, set another port.',
      );
    return failed(subject, `${name}: in use by another program`, `Set ${name} to another port.`);
  }
  if (code === 'EACCES')
    return failed(subject, `${name}: permission denied`, `Set ${name} to a port above 1023, or use a proxy.`);
  return failed(subject, `${name}: cannot listen on ${HOST} (${code})`, 'Set HOST to an address of this machine.');
}

export async function checkPorts(ports: Ports): Promise<Finding[]> {
  if (ports.ADMIN_PORT === ports.LIVE_PORT && ports.ADMIN_PORT !== 0)
    return [failed('Ports', `ADMIN_PORT and LIVE_PORT are both ${ports.ADMIN_PORT}`, 'Set them to two ports.')];
  return Promise.all([checkPort('ADMIN_PORT', ports), checkPort('LIVE_PORT', ports)]);
}

const MAX_HOSTS = 20;

/** Call only if the schema is current. @returns the URLs, or why they cannot be read */
export async function configuredUrls(source: SqlSource): Promise<{ urls: string[]; finding?: Finding }> {
  try {
    return { urls: await readUrls(source) };
  } catch (error) {
    const text = `the URLs of channels are not readable: ${describeError(error)}`;
    return { urls: [], finding: failed('Database', text, 'Run this as the user of the server, with its settings.') };
  }
}

/** URLs of the ad servers, hooks, house ads and content of enabled channels. */
async function readUrls(source: SqlSource): Promise<string[]> {
  const sql = await openSql(source);
  try {
    const urls: string[] = [];
    const used = new Set<string>();
    for (const channel of await sqlChannels(sql).enabled()) {
      const { tenant, playlistId, adSource, adHooks } = channel;
      for (const id of sourceIdsOf(channel)) used.add(channelKey({ tenant, id }));
      const playlist = playlistId === undefined ? undefined : await sqlPlaylists(sql).find(tenant, playlistId);
      const own = [
        adSource?.url,
        adHooks?.requestUrl,
        adHooks?.adsUrl,
        ...(playlist?.contents ?? []).map(({ url }) => url),
      ];
      urls.push(...own.filter((url) => url !== undefined));
    }
    // What is encrypted of them is not needed.
    for await (const { body, ...place } of recordBodies(sql, 'ad_sources')) {
      const source = JSON.parse(body) as AdSourceRecord;
      const own = source.type === 'house' ? source.creatives.map(({ url }) => url) : [source.url];
      if (used.has(channelKey(place))) urls.push(...own);
    }
    return urls;
  } finally {
    await sql.close();
  }
}

/** A URL with macros in its path is fine: only the origin is requested. */
const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Sends a request to each host that enabled channels use, as the server would: through the egress guard. */
export async function checkEgress(urls: readonly string[], allow: readonly string[]): Promise<Finding[]> {
  const origins = [...new Set(urls.flatMap((url) => originOf(url) ?? []))];
  if (origins.length === 0)
    return [ok('Egress', 'no channel is enabled, so there is no host to check; add --url to check one')];
  const guard = createEgressGuard({ allow });
  const exchange = createExchange(guard, { concurrency: MAX_HOSTS, queue: MAX_HOSTS });
  try {
    return await Promise.all(
      origins.slice(0, MAX_HOSTS).map(async (origin) => {
        const result = await exchange({ url: `${origin}/`, maxBytes: 2 ** 20, timeoutMs: TIMEOUT_MS }, () => true);
        // Any response proves that the host can be reached.
        if (result.ok || result.error === 'httpStatus' || result.error === 'tooLarge')
          return ok('Egress', `${origin} responds`);
        if (result.error === 'egress')
          return failed('Egress', `${origin} ${result.reason}`, 'Add the address to EGRESS_ALLOW if it is yours.');
        return warning('Egress', `${origin} ${result.reason}`, 'Check the URL, DNS, and the firewall of this machine.');
      }),
    );
  } finally {
    await guard.close();
  }
}
