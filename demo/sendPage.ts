// SPDX-License-Identifier: Apache-2.0
// Sends the files of a page, and the players that its scripts load from /players/.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { sendFile } from './serveFolder.ts';

const require = createRequire(import.meta.url);
const players: Readonly<Record<string, string>> = {
  '/players/hls.js': require.resolve('hls.js/dist/hls.min.js'),
  '/players/shaka.js': require.resolve('shaka-player/dist/shaka-player.compiled.js'),
  '/players/dash.js': require.resolve('dashjs'),
};

export function sendPage(request: IncomingMessage, response: ServerResponse, folder: string, path: string) {
  const player = players[path];
  if (player !== undefined) return sendFile(request, response, dirname(player), `/${basename(player)}`);
  return sendFile(request, response, folder, path === '/' ? '/index.html' : path);
}
