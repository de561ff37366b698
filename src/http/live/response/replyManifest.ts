// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControl, corsHeaders } from '../reply.ts';
import { compressFor } from './compression.ts';

/**
 * A manifest, compressed if the player accepts that.
 * @param encoding ASCII text is sent as latin1, which needs neither counting nor encoding
 */
export function replyManifest(
  request: IncomingMessage,
  response: ServerResponse,
  contentType: string,
  body: string | Uint8Array,
  encoding: 'utf8' | 'latin1' = 'latin1',
): void {
  const compressed = compressFor(request, body, encoding);
  const sent = compressed?.bytes ?? body;
  const bytes = typeof sent === 'string' && encoding === 'utf8' ? Buffer.byteLength(sent) : sent.length;
  const headers = [
    'content-type',
    contentType,
    'content-length',
    String(bytes),
    'cache-control',
    cacheControl.never,
    'vary',
    'Accept-Encoding',
    corsHeaders[0],
    corsHeaders[1],
    corsHeaders[2],
    corsHeaders[3],
  ];
  if (compressed !== undefined) headers.push('content-encoding', compressed.coding);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else endWith(response, sent, encoding);
}

/** Sends head and body in one write. `end(body)` would add an empty chunk, which leads to a slower vectored write. */
function endWith(response: ServerResponse, body: string | Uint8Array, encoding: 'utf8' | 'latin1'): void {
  const { socket } = response;
  socket?.cork();
  if (typeof body === 'string') response.write(body, encoding);
  else response.write(body);
  socket?.uncork();
  response.end();
}
