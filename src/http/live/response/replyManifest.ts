// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bytesOf, type Parts } from '../../../cache/sharedText.ts';
import { cacheControl, corsHeaders } from '../reply.ts';
import { type Body, type Encoding, lengthOf } from './body.ts';
import { compressFor } from './compression.ts';

/**
 * A manifest, compressed if the player accepts that.
 * @param encoding ASCII text is sent as latin1, which needs neither counting nor encoding
 */
export function replyManifest(
  request: IncomingMessage,
  response: ServerResponse,
  contentType: string,
  body: Body,
  encoding: Encoding = 'latin1',
): void {
  const compressed = compressFor(request, body, encoding);
  const sent = compressed?.body ?? body;
  const sentEncoding = compressed === undefined ? encoding : 'latin1';
  const headers = [
    'content-type',
    contentType,
    'content-length',
    String(lengthOf(sent, sentEncoding)),
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
  else endWith(response, sent, sentEncoding);
}

/**
 * Sends head and body in one write if the body is a text. With bytes it is a vectored write, which takes longer; `end(text)` leads to
 * one, too, because it adds an empty chunk.
 */
function endWith(response: ServerResponse, body: Body, encoding: Encoding): void {
  const { socket } = response;
  socket?.cork();
  if (typeof body === 'string') response.write(body, encoding);
  else if (body instanceof Uint8Array) response.write(body);
  else for (const part of body) writePart(response, part);
  socket?.uncork();
  response.end();
}

function writePart(response: ServerResponse, part: Parts[number]): void {
  if (typeof part === 'string') response.write(part, 'latin1');
  else response.write(bytesOf(part));
}
