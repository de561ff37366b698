// SPDX-License-Identifier: Apache-2.0
// Sends the files of a page, and the players that its scripts load from /players/.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { sendFile } from './serveFolder.ts';

/** Relative to this file and to the program in dist/. */
const dist = join(import.meta.dirname, '../dist');

export function sendPage(request: IncomingMessage, response: ServerResponse, folder: string, path: string) {
  if (path.startsWith('/players/')) return sendFile(request, response, dist, path);
  const page = path === '/' ? '/index.html' : path === '/tour' ? '/tour.html' : path;
  return sendFile(request, response, folder, page);
}
