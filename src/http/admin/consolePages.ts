// SPDX-License-Identifier: Apache-2.0
// Serves the console's pages and files. Content-Security-Policy restricts the console to this API; previews play in a
// sandboxed frame, which can load from any host but cannot read the API key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { RequestSource } from '../proxies.ts';
import { readAccepted } from '../readAccepted.ts';

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Thumbnails are fetched with the key and shown as blobs; test sessions are opened on the live port. */
const pagePolicy = (liveUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${originOf(liveUrl)}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Manifests can list media on any host, so the frame has an opaque origin: no key, no storage, no API access. */
const previewPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'connect-src http: https: data:',
  'media-src http: https: blob: data:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

const runbookPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The URL can come from request headers; text that is not a URL must not become part of a policy. */
function originOf(liveUrl: string): string {
  return URL.canParse(liveUrl) ? new URL(liveUrl).origin : '';
}

const NOT_BUILT = `The console is not built. Run

    npm run build

and restart Midroll. The API is documented at /docs.
`;

type ConsoleFile = { readonly content: Buffer; readonly gzipped: Buffer; readonly contentType: string };
/** By path relative to the console's root, such as `index.html`. */
type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export type ConsolePages = {
  /** Empty if the console has not been built. */
  readonly consoleFiles: ConsoleFiles;
  readonly liveUrl: (request: RequestSource) => string;
};

export function addConsolePages(app: FastifyInstance, { consoleFiles, liveUrl }: ConsolePages): void {
  const addPage = (url: string, name: string, policyFor: (request: FastifyRequest) => string) =>
    app.get(url, async (request, reply) => {
      const file = consoleFiles.get(name);
      reply.headers({ ...common, 'cache-control': 'no-cache', 'content-security-policy': policyFor(request) });
      if (file === undefined) return reply.status(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return sendFile(request, reply, file);
    });
  addPage('/', 'index.html', (request) => pagePolicy(liveUrl(request)));
  addPage('/preview.html', 'preview.html', () => previewPolicy);
  // Text about incidents, without scripts, for readers who may not be signed in.
  for (const name of consoleFiles.keys())
    if (name.startsWith('runbooks/')) addPage(`/${name}`, name, () => runbookPolicy);
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = consoleFiles.get(`assets/${request.params['*']}`);
    if (file === undefined) throw new AppError('NOT_FOUND', 'Unknown console file.');
    // File names contain a hash of the content. The preview's frame has an opaque origin, so it needs CORS.
    reply.headers({
      ...common,
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    });
    return sendFile(request, reply, file);
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { content, gzipped, contentType }: ConsoleFile) {
  reply.type(contentType).header('vary', 'accept-encoding');
  const isSmaller = gzipped.length < content.length;
  const { gzip } = readAccepted(String(request.headers['accept-encoding'] ?? ''));
  if (!isSmaller || !gzip) return reply.send(content);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
