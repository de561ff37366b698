// SPDX-License-Identifier: Apache-2.0
// An HTTP server on loopback with the faults of real servers: each path has one fault.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { startServer } from '../../demo/listen.ts';

type SeenRequest = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Decoded. */
  body: string;
  socket: Socket;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
};

export type MisbehavingServer = {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Every request that arrived, oldest first. */
  readonly seen: SeenRequest[];
  /** Replaces the response of a path. */
  on(path: string, respond: Responder): void;
  close(): Promise<void>;
};

type Responder = (response: ServerResponse, seen: SeenRequest, query: URLSearchParams) => void;

const text = 'a plain body, long enough to be compressed: '.repeat(20);
export const PLAIN_BODY = text;

const zeros = gzipSync(Buffer.alloc(50 * 1024 * 1024));

const encoded =
  (coding: string, body: Buffer): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding }).end(body);
  };

const faultyResponses: Record<string, Responder> = {
  '/ok': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
  '/empty': (response) => void response.writeHead(200).end(),
  '/nothing': (response) => void response.writeHead(204).end(),
  '/never': () => {},
  '/drip': (response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const timer = setInterval(() => response.write('<'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/reset': (_, { socket }) => void socket.resetAndDestroy(),
  '/half': (response, { socket }) => {
    response.writeHead(200, { 'content-length': '1000' }).write('only this');
    setTimeout(() => socket.destroy(), 20);
  },
  '/endless': (response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
    };
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.on('drain', more);
    more();
  },
  '/declaresTooMuch': (response) => void response.writeHead(200, { 'content-length': '104857600' }).write('x'),
  '/bomb': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(zeros),
  '/gzip': encoded('gzip', gzipSync(text)),
  '/brotli': encoded('br', brotliCompressSync(text)),
  '/deflate': encoded('deflate', deflateSync(text)),
  '/rawDeflate': encoded('deflate', deflateRawSync(text)),
  '/notGzip': encoded('gzip', Buffer.from(text)),
  '/notBrotli': encoded('br', Buffer.from(text)),
  '/cutGzip': encoded('gzip', gzipSync(text).subarray(0, 40)),
  '/unknownCoding': encoded('compress', Buffer.from(text)),
  '/noCoding': encoded('UTF-8', Buffer.from(text)),
  '/html': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html><p>Sorry!<br></html>'),
  '/notHttp': (_, { socket }) => void socket.end('220 mail.example ESMTP\r\n'),
  '/status': (response, _, query) => void response.writeHead(Number(query.get('code'))).end('no'),
  '/redirect': (response, _, query) => {
    const code = Number(query.get('code') ?? 302);
    response.writeHead(code, { location: query.get('to') ?? '' }).end('this way');
  },
  '/loop': (response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/hops': (response, _, query) => {
    const left = Number(query.get('left'));
    if (left === 0) response.writeHead(200).end('arrived');
    else response.writeHead(302, { location: `hops?left=${left - 1}` }).end();
  },
  '/ignoresRange': (response) => void response.writeHead(200).end('0123456789'),
  '/range': (response, { headers }) => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
    const body = '0123456789';
    if (Number(from) >= body.length) return void response.writeHead(416).end();
    const part = body.slice(Number(from), Number(to) + 1);
    const contentRange = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
    response.writeHead(206, { 'content-range': contentRange }).end(part);
  },
  '/otherRange': (response) => void response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('56789'),
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const body = Buffer.concat(await request.toArray());
  return String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
}

export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  const seen: SeenRequest[] = [];
  const responders = new Map(Object.entries(faultyResponses));
  const { url, close } = await startServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const { method = '', headers, socket } = request;
    const at = Date.now();
    response.on('error', () => {});
    const body = await bodyOf(request).catch(() => '');
    const one = { method, path: url.pathname + url.search, headers, body, socket, at };
    seen.push(one);
    const respond = responders.get(url.pathname);
    if (respond) respond(response, one, url.searchParams);
    else response.writeHead(404).end('no such path');
  });
  return {
    port: Number(new URL(url).port),
    url,
    seen,
    on: (path, respond) => void responders.set(path, respond),
    close,
  };
}
