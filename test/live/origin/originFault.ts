// SPDX-License-Identifier: Apache-2.0
// What a test's live origin can do wrong with a request.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Timers } from '../../../src/time/clock.ts';

export type OriginRequest = {
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly kind: 'multivariant' | 'media' | 'mpd' | 'segment' | 'init' | 'key' | 'other';
  /** The rendition: `v0`, `a0`, … */
  readonly name?: string;
  /** The cache of a CDN, `N` in `/edgeN/`; without one, an empty text. */
  readonly edge: string;
  /** How many requests for this path came before it. */
  readonly earlier: number;
  /** By the clock of the test. */
  readonly at: number;
  /** The status of its response; 0 before it, and if the connection is closed without one. */
  status: number;
};

export type OriginFault =
  | { readonly does: 'respond'; readonly status: number; readonly body?: string }
  /** Never responds. */
  | { readonly does: 'hang' }
  | { readonly does: 'reset' }
  /** Closes the connection after half of the body. */
  | { readonly does: 'cut' }
  /** Responds after so many milliseconds. */
  | { readonly does: 'delay'; readonly ms: number }
  /** Sends the body in ten pieces, so many milliseconds apart. */
  | { readonly does: 'drip'; readonly ms: number }
  | { readonly does: 'redirect'; readonly to: string }
  /** The manifest as it was so many segments ago. */
  | { readonly does: 'older'; readonly segments: number }
  /** With another content type. */
  | { readonly does: 'type'; readonly type: string }
  | { readonly does: 'rewrite'; rewrite(text: string): string };

export type OriginReply = {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
};

export const reply = (status: number, body: string | Uint8Array, type = 'text/plain'): OriginReply => ({
  ...{ status, type },
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

const isText = (type: string): boolean => /mpegurl|dash\+xml/.test(type);

/** @param gzips whether manifests are compressed */
export function sendReply(
  response: ServerResponse,
  { status, type, body, headers }: OriginReply,
  gzips: boolean,
): void {
  const isPacked = gzips && isText(type) && status === 200;
  const bytes = isPacked ? gzipSync(body) : body;
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'access-control-allow-origin': '*',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    ...(headers as Record<string, string>),
  });
  response.end(bytes);
}

/** Sends a reply as a fault requires. @returns false for faults that change the reply only */
export function sendFaulty(response: ServerResponse, fault: OriginFault, made: OriginReply, timers: Timers): boolean {
  switch (fault.does) {
    case 'hang':
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'cut':
      response.writeHead(made.status, { 'content-type': made.type, 'content-length': made.body.length });
      response.write(made.body.subarray(0, Math.floor(made.body.length / 2)), () => response.destroy());
      return true;
    case 'delay':
      timers.after(fault.ms, () => sendReply(response, made, false));
      return true;
    case 'drip': {
      response.writeHead(made.status, { 'content-type': made.type, 'access-control-allow-origin': '*' });
      const size = Math.ceil(made.body.length / 10) || 1;
      const send = (at: number): void => {
        if (at >= made.body.length) return void response.end();
        response.write(made.body.subarray(at, at + size));
        timers.after(fault.ms, () => send(at + size));
      };
      send(0);
      return true;
    }
    default:
      return false;
  }
}
