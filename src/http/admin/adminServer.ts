// SPDX-License-Identifier: Apache-2.0
// The HTTP server of the administrative API: authentication, rights, rate limit, bodies, errors, logs. The routes are in routes/.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { ChannelStore } from '../../channels/ports.ts';
import { AppError } from '../../errors.ts';
import { defined } from '../../invariant.ts';
import type { IdempotencyStore } from '../../platform/access/rules/idempotency.ts';
import type { ApiKeyStore, RequestWindowStore } from '../../platform/access/rules/ports.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { CONNECTION_CHECK_MS } from '../limitConnections.ts';
import type { RequestSource } from '../proxies.ts';
import { sendClientError } from '../sendClientError.ts';
import { JSON_TYPE } from '../writeJson.ts';
import { addStatusRoutes, type StatusDeps } from './addStatusRoutes.ts';
import { measureRequests } from './adminMetrics.ts';
import { createAuthenticator, type SessionReader } from './authenticate.ts';
import { addConsolePages, type ConsolePages } from './consolePages.ts';
import { documentationRoutes, type PublicUrls } from './documentation/documentationRoutes.ts';
import { type AuditDeps, auditSource, handleAudited } from './handleAudited.ts';
import { handleOnce, keyedRequest } from './handleOnce.ts';
import { createLimiter, createRateLimit, type Limiter } from './rateLimit.ts';
import { authorize, type Given } from './request/authorize.ts';
import { BODY_LIMIT, readRequestBody, readTypedBody } from './request/readTypedBody.ts';
import { type Caller, type Route, type RouteResponse, takesIdempotencyKey } from './request/route.ts';
import { sendError } from './response/sendError.ts';
import { writeInTurns } from './response/writeInTurns.ts';

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The tags of routes whose responses contain credentials. */
const confidential = new Set(['systems', 'keys', 'webhooks', 'access', 'batch']);

/** What authenticates requests, limits and repeats them. */
export type AdminAccess = {
  readonly keys: ApiKeyStore;
  /** The channels of keys with labels. */
  readonly channels: Pick<ChannelStore, 'labelled'>;
  /** Undefined without OpenID Connect. */
  readonly readSession: SessionReader | undefined;
  readonly requestWindows: RequestWindowStore;
  readonly idempotency: IdempotencyStore;
};

export type AdminServerDeps = ConsolePages &
  PublicUrls &
  AdminAccess &
  AuditDeps &
  StatusDeps & {
    /** Every documented route except the documentation itself. */
    readonly routes: readonly Route[];
    /** Routes outside of the API, such as those of signing in. */
    readonly pages: readonly ((app: FastifyInstance) => void)[];
    /** The client's address; empty if its connection is closed. */
    readonly clientOf: (request: RequestSource) => string;
    readonly log: FastifyBaseLogger;
    readonly tracer?: Tracer;
    /** Requests per minute and tenant; 0 disables the limit. */
    readonly rateLimit: number;
    /** Ends responses that last, which would keep the server from closing. */
    readonly endStreams: () => void;
  };

/** Not listening yet: call `listen` or `inject`. `close` waits for requests in progress. */
export function createAdminServer(deps: AdminServerDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: true },
    requestTimeout: 60_000,
    bodyLimit: BODY_LIMIT,
    http: { connectionsCheckingInterval: CONNECTION_CHECK_MS },
    return503OnClosing: false,
    clientErrorHandler: sendClientError,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  app.decorateRequest('caller', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, stream: IncomingMessage) =>
    readRequestBody(stream, request.routeOptions.bodyLimit),
  );
  app.setErrorHandler(sendError);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  measureRequests(app, deps.metrics, deps.tracer);
  drainOnClose(app);
  // Responses that last would keep the process from ending.
  app.addHook('preClose', async () => deps.endStreams());

  const authenticate = createAuthenticator({
    ...deps,
    onTouchFailed: (error) => deps.log.warn({ err: error }, 'time of last use of an API key not stored'),
  });
  const limiter = limiterOf(deps);
  const checkKey = keyCheck(authenticate, limiter);
  const { routes } = deps;
  const all = [...routes, ...documentationRoutes(routes, deps)];
  for (const route of all) addRoute(app, route, { ...deps, checkKey, authenticate, limiter });
  for (const path of new Set(all.map((route) => route.path))) addOtherMethods(app, path, all, checkKey);
  addStatusRoutes(app, deps);
  for (const add of deps.pages) add(app);
  addConsolePages(app, deps);
  app.setNotFoundHandler(async (request, reply) => {
    // Without a key, existing and unknown routes are indistinguishable.
    if (request.url.startsWith('/api/v2')) await checkKey(request, reply);
    const path = request.url.replace(/\?.*/s, '').slice(0, 200);
    throw new AppError('NOT_FOUND', `Unknown route: ${request.method} ${path}. See /docs.`);
  });
  return app;
}

type KeyCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type Authenticate = ReturnType<typeof createAuthenticator>;

function limiterOf({ requestWindows, now, log, rateLimit }: AdminServerDeps): Limiter {
  if (rateLimit === 0) return async () => ({ headers: {} });
  const onStoreError = (error: unknown) => log.warn({ err: error }, 'rate limit counted on this node only');
  return createLimiter(rateLimit, createRateLimit(rateLimit, requestWindows, onStoreError), now);
}

/** Sets `request.caller`, and enforces the rate limit. */
const keyCheck =
  (authenticate: Authenticate, limiter: Limiter): KeyCheck =>
  async (request, reply) => {
    request.caller = await authenticate(request);
    const { headers, error } = await limiter(request.caller.tenant);
    reply.headers(headers);
    if (error) throw error;
  };

/** RFC 6750 §2.1. */
async function readBearer({ headers }: FastifyRequest): Promise<void> {
  const [, key] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (key !== undefined) headers['x-api-key'] ??= key;
}

const checkRights = (route: Route, caller: Caller, { params, query }: FastifyRequest): void =>
  authorize(route, caller, { params, query } as Given);

const callerOf = ({ caller }: FastifyRequest): Caller => defined(caller, 'a route with a key has a caller');

/** Whether the request would still be accepted. Without the store it is unknown, and streams continue. */
const isStillAllowed = (route: Route, authenticate: Authenticate, request: FastifyRequest) => async () => {
  try {
    checkRights(route, await authenticate(request, false), request);
    return true;
  } catch (error) {
    return !(error instanceof AppError) || error.status >= 500;
  }
};

function addRoute(
  app: FastifyInstance,
  route: Route,
  deps: AdminServerDeps & { checkKey: KeyCheck; authenticate: Authenticate; limiter: Limiter },
): void {
  const { checkKey, authenticate, limiter } = deps;
  const caching = confidential.has(route.tag) ? 'no-store' : 'private, no-cache';
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.body?.limit ?? BODY_LIMIT,
    exposeHeadRoute: route.isStream === undefined,
    onRequest:
      'isOpen' in route
        ? []
        : [
            ...(route.acceptsBearer ? [readBearer] : []),
            checkKey,
            async (request) => checkRights(route, callerOf(request), request),
          ],
    handler: async (request, reply) => {
      const { headers, socket } = request;
      const { params, query } = request as Given;
      const bytes = request.body as Buffer | undefined;
      const typed = route.body ? await readTypedBody(headers, bytes, route.body.textTypes) : {};
      const incoming = { params, query, headers, socket, body: undefined, ...typed };
      reply.header('cache-control', caching);
      if ('isOpen' in route) return send(reply, await route.handle(incoming));
      const caller = callerOf(request);
      const given = {
        caller,
        source: auditSource(incoming, deps.clientOf(incoming), request.id),
        afterwards: (work: () => void) => work(),
        async charge(requests: number) {
          const { headers, error } = await limiter(caller.tenant, requests);
          if (error) throw error;
          return headers;
        },
        isAllowed: isStillAllowed(route, authenticate, request),
      };
      const execute = () => handleAudited(deps, route, { ...incoming, ...given });
      const once = takesIdempotencyKey(route) ? keyedRequest(caller, request) : undefined;
      if (once === undefined) return send(reply, await execute());
      const warn = (error: unknown, message: string) => request.log.warn({ err: error, reqId: request.id }, message);
      return send(reply, await handleOnce({ ...deps, warn }, once, execute));
    },
  });
}

async function send(reply: FastifyReply, response: RouteResponse): Promise<FastifyReply> {
  const { status, headers = {}, json, text, bytes, pages } = response;
  reply.status(status).headers(headers);
  if (bytes) return reply.type(bytes.contentType).send(Buffer.from(bytes.content));
  if (pages) return reply.type(pages.contentType).send(Readable.from(pages.content));
  if (text) return reply.type(text.contentType).send(text.content);
  if (json === undefined) return reply.send();
  return reply.type(JSON_TYPE).send(await writeInTurns(json));
}

/** OPTIONS lists the methods of a path; other methods get a 405. */
function addOtherMethods(app: FastifyInstance, path: string, routes: readonly Route[], checkKey: KeyCheck): void {
  const here = routes.filter((route) => route.path === path);
  const known = here.map(({ method }) => method as string);
  const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.route({
    method: 'OPTIONS',
    url: path,
    handler: async (_request, reply) => reply.header('allow', allow).status(204).send(),
  });
  app.route({
    method: methods.filter((method) => !known.includes(method)),
    url: path,
    onRequest: here.some((route) => 'isOpen' in route) ? [] : [checkKey],
    handler: async (request, reply) => {
      reply.header('allow', allow);
      throw new AppError('METHOD_NOT_ALLOWED', `Method ${request.method} not allowed. Use one of ${allow}.`);
    },
  });
}

/** The client's `x-request-id` if it is safe in headers and logs, else a new one. */
const requestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();

// Graceful shutdown with keep-alive connections: requests in progress get a response with `connection: close`.

/** Connections that are still open after this are closed. */
const DRAIN_TIMEOUT_MS = 10_000;

function drainOnClose(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
