// Files of a folder over HTTP as an origin serves them: types, HEAD, one byte range, CORS for every player.
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

/** One range of bytes (RFC 9110 §14.2); undefined for the whole, null when it cannot be satisfied. */
function readRange(header: string | undefined, size: number): Range | undefined | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [from, to] = [match[1]!, match[2]!];
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return start <= end ? { start, end } : null;
}

/** Where a request's path lies in `folder`, or undefined for what would lead out of it. */
function placeOf(path: string, folder: string): string | undefined {
  try {
    const place = normalize(join(folder, decodeURIComponent(path)));
    return place.startsWith(`${normalize(folder)}/`) && !place.includes('\0') ? place : undefined;
  } catch {
    return undefined;
  }
}

/** What a request asks for; a target that is no URL is a path that does not exist. */
export function readTarget(request: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

export function replyText(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8') {
  response.writeHead(status, { ...cors, 'content-type': type, 'cache-control': 'no-store' });
  response.end(text);
}

/** Answers with the file at `path` (a URL path) of `folder`; 404 when there is none. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, folder: string, path: string) {
  const place = placeOf(path, folder);
  const found = place === undefined ? undefined : await stat(place).catch(() => undefined);
  if (place === undefined || !found?.isFile()) return replyText(response, 404, `There is nothing at ${path}.\n`);
  const range = readRange(request.headers.range, found.size);
  if (range === null) {
    response.writeHead(416, { ...cors, 'content-range': `bytes */${found.size}` });
    return response.end();
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  response.writeHead(range ? 206 : 200, {
    ...cors,
    'content-type': types[extname(place)] ?? 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    ...(range ? { 'content-range': `bytes ${start}-${end}/${found.size}` } : {}),
  });
  if (request.method === 'HEAD' || found.size === 0) return response.end();
  return createReadStream(place, { start, end })
    .on('error', () => response.destroy())
    .pipe(response);
}
