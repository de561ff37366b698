// SPDX-License-Identifier: Apache-2.0
// Where the demo is: the lines that it prints, and its page with the addresses and the commands of docs/tour.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminAccess } from './callAdmin.ts';
import { consoleUrl } from './consoleUrl.ts';
import { channelId, channelKey, liveChannelId, liveChannelKey } from './seed.ts';

export type TourTargets = AdminAccess & {
  readonly liveUrl: string;
  readonly adServerUrl: string;
  readonly originUrl: string;
};
type TourStep = { readonly title: string; readonly text: string; readonly commands: string };
/** What the page of the tour shows. */
export type Tour = { readonly places: Readonly<Record<string, string>>; readonly steps: readonly TourStep[] };

/** Relative to this file and to the program in dist/. */
const page = join(import.meta.dirname, '../docs/tour.md');
/** A paragraph that begins with its title, and the commands that follow it. */
const step = /^(\*\*([^*]+)\*\*[^\n]*(?:\n[^\n]+)*)\n\n```sh\n([^`]*)\n```$/gm;

/** The commands of docs/tour.md, with the ports in use. */
export function tourSteps({ adminUrl, liveUrl, originUrl, adServerUrl }: TourTargets): readonly TourStep[] {
  const used: Readonly<Record<string, string>> = { 8080: adminUrl, 8081: liveUrl, 8090: originUrl, 8091: adServerUrl };
  const here = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:(\d+)/g, (url, port) => used[port] ?? url);
  const [, tour = ''] = readFileSync(page, 'utf8').split('\n## The tour\n');
  return [...tour.matchAll(step)].map(([, text = '', title = '', commands = '']) => ({
    title,
    text: text.replaceAll(/[*`]|\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' '),
    commands: here(commands),
  }));
}

/** @param encoderUrl of the live origin; absent without ffmpeg */
export function tourOf(targets: TourTargets, encoderUrl: string | undefined): Tour {
  const { adminUrl, liveUrl, originUrl, apiKey } = targets;
  const live = `${liveUrl}/hls/${liveChannelId}/master.m3u8?api-key=${liveChannelKey}`;
  return {
    places: {
      HLS: `${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`,
      'DASH session': `${liveUrl}/dash/view/${channelId}?api-key=${channelKey}`,
      ...(encoderUrl === undefined ? {} : { 'Live channel': live, 'Live origin': `${encoderUrl}/master.m3u8` }),
      'Video in HLS': `${originUrl}/tide/master.m3u8`,
      'Video in DASH': `${originUrl}/orbits/manifest.mpd`,
      Console: consoleUrl(targets),
      API: `${adminUrl}/docs`,
      Key: `x-api-key: ${apiKey}`,
    },
    steps: tourSteps(targets),
  };
}

export type Places = AdminAccess & {
  readonly pageUrl: string;
  readonly adServerUrl: string;
  /** A file or a folder. */
  readonly log: string;
  /** DATA_DIR, which is not deleted. */
  readonly keptFolder: string | undefined;
};

/** Seven lines for a terminal. */
export const writePlaces = ({ pageUrl, adServerUrl, log, keptFolder, ...admin }: Places): string =>
  `The demo is running. Ctrl-C stops it and ${keptFolder ? `keeps its data in ${keptFolder}` : 'deletes its data'}.
  Page        ${pageUrl}/   (the channels, two players each)
  Tour        ${pageUrl}/tour   (the API, command by command)
  Console     ${consoleUrl(admin)}
  Ad server   ${adServerUrl}/   (ad requests and beacons)
  API         ${admin.adminUrl}/docs   (key ${admin.apiKey})
  Log         ${log}`;
