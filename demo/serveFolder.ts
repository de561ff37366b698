// SPDX-License-Identifier: Apache-2.0
// Serves the files of a folder as an origin does: content types, HEAD, single byte ranges, and CORS for all players.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.m4s': 'video/iso.segment',
  '.mp4': 'video/mp4',
  '.mpd': 'application/dash+xml',
  '.svg': 'image/svg+xml',
};

export const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'content-length, content-range, date',
};

type Range = { readonly start: number; readonly end: number };

/** One range of bytes (RFC 9110 §14.2); undefined for the whole file, null when it cannot be satisfied. */
function readRange(header: string | undefined, size: number): Range | undefined | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [from, to] = [match[1]!, match[2]!];
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return start <= end ? { start, end } : null;
}

/** The file at the path of a request, or undefined for a path outside the folder. */
function fileAt(path: string, folder: string): string | undefined {
  try {
    const file = normalize(join(folder, decodeURIComponent(path)));
    return file.startsWith(`${normalize(folder)}/`) && !file.includes('\0') ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The path and the query of a request. An invalid target is a path that does not exist. */
export function readTarget(request: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

export function replyText(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8') {
  response.writeHead(status, { ...cors, 'content-type': type, 'cache-control': 'no-store' });
  response.end(text);
}

/** Sends the file at a URL path of a folder, or 404. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, folder: string, path: string) {
  const file = fileAt(path, folder);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || !found?.isFile()) return replyText(response, 404, `Not found: ${path}\n`);
  const range = readRange(request.headers.range, found.size);
  if (range === null) {
    response.writeHead(416, { ...cors, 'content-range': `bytes */${found.size}` });
    return response.end();
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...cors,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    ...(range ? { 'content-range': `bytes ${start}-${end}/${found.size}` } : {}),
  });
  if (request.method === 'HEAD' || found.size === 0) return response.end();
  return createReadStream(file, { start, end })
    .on('error', () => response.destroy())
    .pipe(response);
}
