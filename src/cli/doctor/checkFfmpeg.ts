// SPDX-License-Identifier: Apache-2.0
// The programs that condition ads and make slate, and what they were built with.
import { spawnSync } from 'node:child_process';
import { type Finding, failed, ok, warning } from './finding.ts';

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

const namesIn = (list: string, column: number): ReadonlySet<string> =>
  new Set(list.split('\n').map((line) => line.trim().split(/\s+/)[column] ?? ''));

export type Programs = { readonly FFMPEG: string; readonly FFPROBE: string };

export function checkFfmpeg({ FFMPEG, FFPROBE }: Programs): Finding[] {
  const version = output(FFMPEG, '-version');
  if (version === undefined) return [failed('ffmpeg', `"${FFMPEG}" does not run`, INSTALL)];
  const [, number = 'unknown version'] = /^ffmpeg version (\S+)/.exec(version) ?? [];
  const encoders = namesIn(output(FFMPEG, '-encoders') ?? '', 1);
  const known = namesIn(output(FFMPEG, '-filters') ?? '', 1);
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
