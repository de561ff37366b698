// SPDX-License-Identifier: Apache-2.0
// The port of a process that serves nothing else, or one of several that share a port: health, readiness and metrics.
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { AppError, errorBody, internalErrorBody } from '../../errors.ts';
import { sendClientError } from '../sendClientError.ts';
import { JSON_TYPE, writeJson } from '../writeJson.ts';

export type StatusDeps = {
  /** Why the process does not work; undefined if it does. */
  readonly notReady: () => Promise<string | undefined>;
  readonly metrics: { readonly contentType: string; metrics(): Promise<string> };
  /** Receives bugs, to be logged with the id of the request. */
  readonly onError: (error: unknown, requestId: string) => void;
};

function send(response: ServerResponse, status: number, contentType: string, text: string): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': contentType, 'content-length': length, 'cache-control': 'no-store' });
  response.end(text);
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, JSON_TYPE, writeJson(value));

async function route(path: string, { notReady, metrics }: StatusDeps, response: ServerResponse): Promise<void> {
  if (path === '/health') return sendJson(response, 200, { status: 'ok' });
  if (path === '/metrics') return send(response, 200, metrics.contentType, await metrics.metrics());
  if (path !== '/ready') throw new AppError('NOT_FOUND', `Unknown path: ${path.slice(0, 200)}. Check the URL.`);
  const reason = await notReady().catch(() => 'a dependency is unavailable');
  if (reason === undefined) sendJson(response, 200, { status: 'ready' });
  else sendJson(response, 503, { status: 'unavailable', reason });
}

/** Not listening yet. */
export function createStatusServer(deps: StatusDeps): Server {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/s, '');
    const handled =
      request.method === 'GET' || request.method === 'HEAD'
        ? route(path, deps, response)
        : Promise.reject(new AppError('METHOD_NOT_ALLOWED', `Method ${request.method} not allowed. Use GET.`));
    handled.catch((error: unknown) => {
      if (error instanceof AppError) {
        if (error.kind === 'METHOD_NOT_ALLOWED') response.setHeader('allow', 'GET, HEAD');
        return sendJson(response, error.status, errorBody(error));
      }
      const requestId = randomUUID();
      deps.onError(error, requestId);
      sendJson(response, 500, internalErrorBody(requestId));
    });
  });
  server.on('clientError', sendClientError);
  return server;
}
