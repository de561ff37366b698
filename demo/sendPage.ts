// SPDX-License-Identifier: Apache-2.0
// Sends the files of a page, and what its scripts load: the players from /players/, and midroll-ads.js from /examples/.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { sendFile } from './serveFolder.ts';

/** Relative to this file and to the program in dist/. */
const root = join(import.meta.dirname, '..');

export function sendPage(request: IncomingMessage, response: ServerResponse, folder: string, path: string) {
  if (path.startsWith('/players/')) return sendFile(request, response, join(root, 'dist'), path);
  if (path === '/examples/midroll-ads.js') return sendFile(request, response, root, path);
  const page = path === '/' ? '/index.html' : path === '/tour' ? '/tour.html' : path;
  return sendFile(request, response, folder, page);
}
