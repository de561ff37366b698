// SPDX-License-Identifier: Apache-2.0
// Error responses to bytes that node:http cannot parse, or that arrive too slowly. There is no request yet, only a socket.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorKind, errorBody } from '../errors.ts';
import { JSON_TYPE, writeJson } from './writeJson.ts';

const kindOf: Readonly<Record<string, ErrorKind>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** A listener of `clientError`. */
export function sendClientError(fault: Error & { code?: string }, socket: Duplex): void {
  // It ends when the last response was sent; what follows its last request is not answered (RFC 9112 §9.6).
  if (socket.writableEnded && !socket.writableFinished && fault.code !== 'ECONNRESET') return;
  if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const kind = kindOf[fault.code ?? ''] ?? 'MALFORMED';
  const { status } = new AppError(kind, '');
  const error = new AppError(kind, `Invalid HTTP request: ${STATUS_CODES[status]}.`);
  const body = writeJson(errorBody(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
