// SPDX-License-Identifier: Apache-2.0
// Error responses: AppErrors with their message, anything else without details and with a request id to find it in the log.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorKind, errorBody, internalErrorBody } from '../../../errors.ts';
import { JSON_TYPE, writeJson } from '../../writeJson.ts';

/** Statuses of the framework's own errors, which it throws before a route is called. */
const kindOf: Readonly<Record<number, ErrorKind>> = {
  400: 'MALFORMED',
  413: 'TOO_LARGE',
  // A path parameter that is longer than any id.
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

function asAppError(error: FastifyError | AppError): AppError | undefined {
  if (error instanceof AppError) return error;
  const kind = error.code?.startsWith('FST_') ? kindOf[error.statusCode ?? 500] : undefined;
  return kind && new AppError(kind, error.message.slice(0, 200), { cause: error });
}

/** Logs errors with status 5xx, with their causes. Causes of 4xx are not logged: they can quote the request. */
export function sendError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error);
  const status = known?.status ?? 500;
  if (status >= 500) request.log.error({ err: known ?? error, reqId: request.id }, 'request failed');
  const body = known ? errorBody(known) : internalErrorBody(request.id);
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="midroll"');
  if (status === 503) reply.header('retry-after', known?.retryAfter ?? 1);
  else if (known?.retryAfter !== undefined) reply.header('retry-after', known.retryAfter);
  reply.removeHeader('etag').header('cache-control', 'no-store').header('x-request-id', request.id);
  return reply
    .status(status)
    .type(JSON_TYPE)
    .send(writeJson(status >= 500 ? { ...body, requestId: request.id } : body));
}
