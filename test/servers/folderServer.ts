// SPDX-License-Identifier: Apache-2.0
// An HTTP server for a temporary folder and for texts in memory: the origin of the import tests.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../demo/listen.ts';
import type { Origin } from '../../src/ingest/ports.ts';
import { encodeOnce } from '../media/encodeOnce.ts';

export type FolderServer = {
  readonly folder: string;
  /** `http://127.0.0.1:port` */
  readonly base: string;
  /** By path; take precedence over files. */
  readonly texts: Map<string, string>;
  /** Locations by path. */
  readonly redirects: Map<string, string>;
  /** The paths of all requests since the last reset. */
  readonly requested: string[];
  /** Removes texts, redirects and recorded requests. */
  reset(): void;
  close(): Promise<void>;
  /** Runs ffmpeg in a subfolder. */
  encode(subfolder: string, ...args: readonly string[]): Promise<void>;
};

export async function startFolderServer(): Promise<FolderServer> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-folder-'));
  const [texts, redirects] = [new Map<string, string>(), new Map<string, string>()];
  const requested: string[] = [];

  function send(response: ServerResponse, bytes: Buffer, rangeHeader: string | undefined): void {
    const range = /^bytes=(\d+)-(\d+)$/.exec(rangeHeader ?? '');
    if (range === null) return void response.end(bytes);
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    if (start > end) return void response.writeHead(416).end();
    const headers = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
    response.writeHead(206, headers).end(bytes.subarray(start, end + 1));
  }

  const server = await startServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://host').pathname);
    requested.push(request.url!);
    const [target, text, file] = [redirects.get(path), texts.get(path), join(folder, path)];
    if (target !== undefined) response.writeHead(302, { location: target }).end();
    else if (text !== undefined) send(response, Buffer.from(text), request.headers.range);
    else if (statSync(file, { throwIfNoEntry: false })?.isFile())
      send(response, readFileSync(file), request.headers.range);
    else response.writeHead(404).end('<html>not found</html>');
  });
  return {
    folder,
    base: server.url,
    texts,
    redirects,
    requested,
    reset() {
      texts.clear();
      redirects.clear();
      requested.length = 0;
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
    encode: (subfolder, ...args) => encodeOnce(join(folder, subfolder), args),
  };
}

/** A simple origin without guard and limits. */
export const plainOrigin: Origin = {
  async read(url, { range, signal } = {}) {
    const headers = range ? { range: `bytes=${range.start}-${range.start + range.length - 1}` } : undefined;
    try {
      const response = await fetch(url, { ...(headers && { headers }), ...(signal && { signal }) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!response.ok) return { ok: false, reason: `returned status ${response.status}`, status: response.status };
      const [, size] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
      const found = { ok: true, url: response.url, status: response.status, contentType: '', bytes } as const;
      return size === undefined ? found : { ...found, size: Number(size) };
    } catch (error) {
      return { ok: false, reason: `could not be reached (${(error as Error).name})` };
    }
  },
  save: async () => ({ ok: false, reason: 'is read-only' }),
};
