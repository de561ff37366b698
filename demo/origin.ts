// SPDX-License-Identifier: Apache-2.0
// The origin of the demo: a web server with videos, a live stream and creatives.
import { join } from 'node:path';
import { type Started, startServer } from './listen.ts';
import { readLivePlaylist } from './liveOrigin.ts';
import { cors, readTarget, replyText, sendFile } from './serveFolder.ts';

export const mediaFolder = join(import.meta.dirname, '../demo/media');
/** Ads and slate for machines without ffmpeg, in the form in which Midroll stores them (making/packagedAds.ts). */
export const packagedFolder = join(mediaFolder, 'packaged');

export async function startOrigin(port: number, folder = mediaFolder): Promise<Started> {
  return startServer(async (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
    else if (request.method === 'GET' || request.method === 'HEAD') {
      const { path } = readTarget(request);
      const live = await readLivePlaylist(folder, path, Date.now());
      if (live === undefined) await sendFile(request, response, folder, path);
      else replyText(response, 200, live, 'application/vnd.apple.mpegurl');
    } else replyText(response, 405, `Method ${request.method} not allowed.\n`);
  }, port);
}
