// The console's pages and files. It speaks to nobody but this interface and, in a frame that cannot reach the key, to
// what a preview plays; the headers here say so to the browser.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { AdminDeps, ConsoleFile } from './routes/ports.ts';

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Thumbnails come with the key and are shown from blobs; test sessions are opened at the live address. */
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

/** A preview loads what manifests name, wherever that is, in an origin of its own: no key, no storage, no interface. */
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

/** What a request says of its host is no part of a policy unless it is a host. */
function originOf(liveUrl: string): string {
  return URL.canParse(liveUrl) ? new URL(liveUrl).origin : '';
}

const NOT_BUILT = `The console is not built. Build it with

    npm run build

and start Midroll again. The interface itself is described at /docs.
`;

export function addConsolePages(app: FastifyInstance, { consoleFiles, liveUrl }: AdminDeps): void {
  const page = (name: string, policyFor: (request: FastifyRequest) => string) => ({
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const file = consoleFiles.get(name);
      reply.headers({ ...common, 'cache-control': 'no-cache', 'content-security-policy': policyFor(request) });
      if (file === undefined) return reply.status(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return sendFile(request, reply, file);
    },
  });
  app.route({ method: 'GET', url: '/', ...page('index.html', (request) => pagePolicy(liveUrl(request))) });
  app.route({ method: 'GET', url: '/preview.html', ...page('preview.html', () => previewPolicy) });
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = consoleFiles.get(`assets/${request.params['*']}`);
    if (file === undefined) throw new AppError('NOT_FOUND', 'There is no such file of the console.');
    // Their names change with their content. The preview's frame has an origin of its own, so it asks as a stranger.
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
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding'] ?? ''));
  if (!isSmaller || !takesGzip) return reply.send(content);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
