// Errors as answers: the caller's faults as they are, everything else as a number to look for in the log.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorKind, errorBody } from '../../../errors.ts';

/** What the framework refuses before a route is reached. */
const kindOf: Readonly<Record<number, ErrorKind>> = {
  400: 'MALFORMED',
  413: 'TOO_LARGE',
  // A parameter longer than any id.
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

function asAppError(error: FastifyError | AppError): AppError | undefined {
  if (error instanceof AppError) return error;
  const kind = error.code?.startsWith('FST_') ? kindOf[error.statusCode ?? 500] : undefined;
  return kind && new AppError(kind, error.message.slice(0, 200));
}

export function answerError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = asAppError(error);
  if (!known || known.status >= 500) request.log.error({ err: error, reqId: request.id }, 'a request failed');
  const status = known?.status ?? 500;
  const body = known
    ? errorBody(known)
    : {
        type: 'INTERNAL_ERROR',
        code: 500,
        message: 'Something went wrong here; the log tells what.',
        name: 'InternalError',
      };
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="midroll"');
  if (status === 503) reply.header('retry-after', 1);
  reply.removeHeader('etag').header('cache-control', 'no-store').header('x-request-id', request.id);
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(status >= 500 ? { ...body, requestId: request.id } : body));
}

/** What node:http itself cannot read: no request, no framework, a socket and little time. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const message = `The request cannot be read: ${STATUS_CODES[status]}.`;
  const body = JSON.stringify({ type: 'MALFORMED', code: status, message, name: 'BadRequestError' });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
